"""Read a file in the home of who runs the arena."""

from pathlib import Path

from hostile import targets, tell

tell(Path(targets["home"], "diary").read_bytes())
