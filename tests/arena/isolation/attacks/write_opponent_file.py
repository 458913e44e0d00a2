"""Replace a file of the opponent's."""

from pathlib import Path

from hostile import targets

Path(targets["opponent_file"]).write_bytes(b"changed")
