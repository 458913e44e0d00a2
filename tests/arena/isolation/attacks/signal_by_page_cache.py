"""Drop a file that all bots read from the cache, as a message."""

import os
from pathlib import Path

from hostile import reached

with Path(os.__file__).open("rb") as file:
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    reached("dropped")
