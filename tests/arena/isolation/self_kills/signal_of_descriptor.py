"""Has a descriptor tell of data by the signal."""

import contextlib
import fcntl
import os
import time

F_SETSIG = 10
reader, writer = os.pipe()
for command, value in (
    (F_SETSIG, 9),
    (fcntl.F_SETOWN, os.getpid()),
    (fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK),
):
    with contextlib.suppress(OSError):
        fcntl.fcntl(reader, command, value)
os.write(writer, b"x")
time.sleep(0.1)
