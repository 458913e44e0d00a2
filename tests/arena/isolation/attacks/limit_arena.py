"""Take the right to open files from the arena."""

import struct

from hostile import call, targets

call(302, 261, targets["arena_pid"], 7, struct.pack("=QQ", 8, 8), None)
