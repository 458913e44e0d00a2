"""Leave System V semaphores."""

from hostile import call, targets

call(64, 190, targets["key"], 1, 0o1600)
