"""Load a map into the kernel."""

import struct

from hostile import call, reached

call(321, 280, 0, struct.pack("=IIII", 2, 4, 4, 1) + bytes(112), 128)
reached("loaded")
