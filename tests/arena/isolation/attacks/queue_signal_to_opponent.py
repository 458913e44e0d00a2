"""Queue a signal to the opponent, with a value."""

import struct

from hostile import call, targets

call(129, 138, targets["opponent_pid"], 15, struct.pack("=iii", 15, 0, -1) + bytes(116))
