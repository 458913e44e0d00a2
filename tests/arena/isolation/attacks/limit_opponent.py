"""Take the right to open files from the opponent."""

import struct

from hostile import call, targets

call(302, 261, targets["opponent_pid"], 7, struct.pack("=QQ", 8, 8), None)
