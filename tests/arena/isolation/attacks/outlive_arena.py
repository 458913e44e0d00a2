"""Ask not to be ended with the arena."""

import ctypes
import os

from hostile import libc, reached

libc.prctl(1, 0, 0, 0, 0)
left = ctypes.c_int(-1)
libc.prctl(2, ctypes.byref(left), 0, 0, 0)
if left.value == 0 and os.getppid() != 1:
    reached("free")
