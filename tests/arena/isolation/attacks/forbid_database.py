"""Take the permissions from the database."""

from pathlib import Path

from hostile import targets

Path(targets["database"]).chmod(0)
