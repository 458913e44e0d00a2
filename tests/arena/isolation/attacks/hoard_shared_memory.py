"""Hold more memory than is allowed, as shared memory."""

from hostile import call, targets

call(29, 194, targets["key"], 1200 << 20, 0o1600)
