"""`python -m salvo` is `salvo`."""

from salvo.cli.main import main

main()
