"""Leave System V messages."""

from hostile import call, targets

call(68, 186, targets["key"], 0o1600)
