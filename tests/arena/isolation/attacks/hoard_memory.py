"""Hold more memory than is allowed."""

import mmap

from hostile import reached

reached(str(len(mmap.mmap(-1, 1200 << 20))))
