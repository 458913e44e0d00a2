"""Open a file that the opponent holds open, through /proc."""

from pathlib import Path

from hostile import targets, tell

tell(Path(f"/proc/{targets['opponent_pid']}/fd/{targets['opponent_descriptor']}").read_bytes())
