"""Sets a timer that rings by the signal."""

import ctypes
import struct
import time

from calls import call

timer = ctypes.c_int()
event = struct.pack("Qii12Q", 0, 9, 0, *[0] * 12)
call(222, 107, 1, event, ctypes.byref(timer))
call(223, 110, timer.value, 0, struct.pack("4q", 0, 0, 0, 1_000_000), None)
time.sleep(0.2)
