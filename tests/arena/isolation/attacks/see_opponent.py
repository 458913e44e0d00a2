"""Learn that the opponent exists."""

import os
from contextlib import suppress
from pathlib import Path

from hostile import reached, targets

with suppress(OSError):
    os.getpgid(targets["opponent_pid"])
    reached("asked")
Path(f"/proc/{targets['opponent_pid']}").stat()
reached("seen")
