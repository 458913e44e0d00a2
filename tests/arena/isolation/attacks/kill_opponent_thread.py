"""Kill the opponent by the id of its thread."""

from hostile import call, targets

call(200, 130, targets["opponent_pid"], 9)
