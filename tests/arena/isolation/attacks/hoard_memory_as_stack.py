"""Hold more memory than is allowed, as what a stack may grow into."""

import mmap

from hostile import reached, targets

GROWS_DOWN = 0x0100
held = mmap.mmap(-1, targets["too_much_memory"], flags=mmap.MAP_PRIVATE | GROWS_DOWN)
held.write(bytes(1 << 20) * (len(held) >> 20))
reached(str(len(held)))
