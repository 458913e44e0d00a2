"""Has a queue of messages tell of one by the signal."""

import os
import struct
import time

from calls import call

name = b"salvo-%d" % os.getpid()
queue = call(240, 180, name, os.O_RDWR | os.O_CREAT, 0o600, None)
call(241, 181, name)
call(244, 184, queue, struct.pack("Qii12Q", 0, 9, 0, *[0] * 12))
call(242, 182, queue, b"x", 1, 0, None)
time.sleep(0.1)
