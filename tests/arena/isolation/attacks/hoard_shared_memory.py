"""Hold more memory than is allowed, as shared memory."""

from hostile import call, targets

call(29, 194, targets["key"], targets["too_much_memory"], 0o1600)
