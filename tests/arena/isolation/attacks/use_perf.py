"""Count events of the processor."""

import struct

from hostile import call, reached

attributes = struct.pack("=IIQQQQQ", 1, 112, 0, 0, 0, 0, 0x61) + bytes(64)
call(298, 241, attributes, 0, -1, -1, 0)
reached("counting")
