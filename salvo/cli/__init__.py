"""The command line: the only room that prints or exits. One file a command."""

from salvo.cli.main import main

__all__ = ["main"]
