"""Have the kernel kill the opponent when a pipe fills."""

import fcntl
import os

from hostile import targets

reader, writer = os.pipe()
fcntl.fcntl(reader, fcntl.F_SETOWN, targets["opponent_pid"])
fcntl.fcntl(reader, 10, 9)  # F_SETSIG
fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
os.write(writer, b"x")
