"""Hold more memory than is allowed, each part of it made read-only as soon as it is written."""

import ctypes
import mmap
import time

from hostile import libc, reached, targets

PART = 32 << 20
held = []
for _ in range(targets["too_much_memory"] // PART):
    held.append(mmap.mmap(-1, PART, flags=mmap.MAP_PRIVATE))
    held[-1].write(bytes(PART))
    address = ctypes.addressof(ctypes.c_char.from_buffer(held[-1]))
    libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(PART), 1)
# Whoever looks on has had the time to see it.
time.sleep(0.5)
reached(f"{len(held) * PART} bytes")
