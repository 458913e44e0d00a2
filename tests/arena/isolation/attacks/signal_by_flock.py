"""Lock a file that all bots read, as a message."""

import fcntl
import os
from pathlib import Path

from hostile import reached

with Path(os.__file__).open("rb") as file:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    reached("locked")
