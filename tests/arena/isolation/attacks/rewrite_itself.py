"""Change its own file."""

from pathlib import Path

with Path(__file__).open("a") as itself:
    itself.write("# stronger\n")
