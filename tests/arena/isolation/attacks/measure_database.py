"""Learn the size and the times of the database."""

from pathlib import Path

from hostile import reached, targets

reached(str(Path(targets["database"]).stat().st_size))
