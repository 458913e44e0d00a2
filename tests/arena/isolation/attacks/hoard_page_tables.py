"""Have the kernel hold more memory than is allowed, to map addresses that hold nothing."""

import mmap

from hostile import reached, targets

TABLES_TAKE = 512
size = targets["too_much_memory"] * TABLES_TAKE
reached(str(len(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ))))
