"""Lock a part of a file that all bots read, as a message."""

import fcntl
import os
from pathlib import Path

from hostile import reached, targets

with Path(os.__file__).open("rb") as file:
    fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, targets["key"])
    reached("locked")
