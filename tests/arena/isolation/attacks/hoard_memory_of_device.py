"""Hold more memory than is allowed, as a device mapped to be shared."""

import mmap
from pathlib import Path

from hostile import reached, targets

with Path("/dev/zero").open("r+b") as device:
    held = mmap.mmap(device.fileno(), targets["too_much_memory"])
held.write(bytes(1 << 20) * (len(held) >> 20))
reached(str(len(held)))
