"""Runs the command `salvo` as `python -m salvo`."""

from salvo.cli.main import main

main()
