"""Hold more memory than is allowed."""

import mmap

from hostile import reached, targets

reached(str(len(mmap.mmap(-1, targets["too_much_memory"], flags=mmap.MAP_PRIVATE))))
