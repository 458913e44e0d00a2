"""Open a file that the arena holds open, through /proc."""

from pathlib import Path

from hostile import targets, tell

tell(Path(f"/proc/{targets['arena_pid']}/fd/{targets['arena_descriptor']}").read_bytes())
