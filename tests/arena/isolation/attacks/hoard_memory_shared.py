"""Hold more memory than is allowed, as memory to share with processes that it starts."""

import mmap

from hostile import reached, targets

held = mmap.mmap(-1, targets["too_much_memory"])
held.write(bytes(1 << 20) * (len(held) >> 20))
reached(str(len(held)))
