"""Set up an io_uring, past the filter of system calls."""

from hostile import call, reached

call(425, 425, 1, bytes(120))
reached("set up")
