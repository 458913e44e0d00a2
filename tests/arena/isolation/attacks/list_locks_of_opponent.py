"""Learn from the kernel's refusal that the opponent exists."""

import ctypes
import errno

from hostile import call, reached, targets

head, size = ctypes.c_void_p(), ctypes.c_size_t()
try:
    call(274, 100, targets["opponent_pid"], ctypes.byref(head), ctypes.byref(size))
    reached("read")
except OSError as error:
    # Of a process that is not there it would say so; of any other, if it is asked at all, this.
    unheard = ctypes.c_void_p()
    try:
        call(274, 100, 2**22 + 1, ctypes.byref(unheard), ctypes.byref(size))
    except OSError as absent:
        if absent.errno == errno.ESRCH != error.errno:
            reached("seen")
