"""Leave System V shared memory."""

from hostile import call, targets

call(29, 194, targets["key"], 4096, 0o1600)
