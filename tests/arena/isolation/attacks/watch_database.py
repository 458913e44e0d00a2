"""Be notified whenever the arena writes."""

from hostile import call, reached, targets

watcher = call(294, 26, 0)
call(254, 27, watcher, targets["database"].encode(), 2)
reached("watched")
