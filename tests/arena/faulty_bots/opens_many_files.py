"""Opens files until it gets no more, at most 5000, and plays on."""

import contextlib
import os

from honest import play

with contextlib.suppress(OSError):
    held = [os.open("/dev/null", os.O_RDONLY) for _ in range(5000)]
play()
