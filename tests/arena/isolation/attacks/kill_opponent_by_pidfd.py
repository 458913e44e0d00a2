"""Kill the opponent through a descriptor of its process."""

from hostile import call, targets

process = call(434, 434, targets["opponent_pid"], 0)
call(424, 424, process, 9, None, 0)
