"""Read from whatever descriptor was left open."""

import contextlib
import os

from hostile import tell

for descriptor in range(3, 1024):
    with contextlib.suppress(OSError):
        os.lseek(descriptor, 0, os.SEEK_SET)
        tell(os.read(descriptor, 1000))
