"""Computes past a limit on its processor time that it sets itself, by either call."""

import contextlib
import struct
import time

from calls import call

limit = struct.pack("2Q", 1, 1)
with contextlib.suppress(OSError):
    call(160, 164, 0, limit)
call(302, 261, 0, 0, limit, None)
until = time.process_time() + 2
while time.process_time() < until:
    pass
