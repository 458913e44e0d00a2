"""Read the database."""

from pathlib import Path

from hostile import targets, tell

tell(Path(targets["database"]).read_bytes())
