"""Handle page faults, which helps attacks on the kernel."""

from hostile import call, reached

call(323, 282, 1)
reached("set up")
