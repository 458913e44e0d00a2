"""`python -m arena.cli` is `salvo`."""

from arena.cli.main import main

main()
