"""Keep the arena from its database by a lock."""

import fcntl
from pathlib import Path

from hostile import reached, targets

with Path(targets["database"]).open("r+b") as database:
    fcntl.lockf(database, fcntl.LOCK_EX | fcntl.LOCK_NB)
    reached("locked")
