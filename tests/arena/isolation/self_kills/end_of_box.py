"""Sends the first process of its box every signal; where it is in none it does nothing."""

import contextlib
import os
from pathlib import Path

if not Path("/proc").exists() and os.getppid() == 1:
    for number in range(1, 65):
        with contextlib.suppress(OSError):
            os.kill(1, number)
