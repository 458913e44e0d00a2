"""Read the command line of the opponent, with its options."""

from pathlib import Path

from hostile import targets, tell

tell(Path(f"/proc/{targets['opponent_pid']}/cmdline").read_bytes())
