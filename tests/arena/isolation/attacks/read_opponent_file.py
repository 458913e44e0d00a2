"""Read a file of the opponent's."""

from pathlib import Path

from hostile import targets, tell

tell(Path(targets["opponent_file"]).read_bytes())
