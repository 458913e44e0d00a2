"""Delete the database."""

from pathlib import Path

from hostile import targets

Path(targets["database"]).unlink()
