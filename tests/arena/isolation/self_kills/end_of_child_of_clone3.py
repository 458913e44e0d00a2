"""Has a child whose end is announced by the signal, made by the newer call."""

import os
import struct
import time

from calls import call

EXIT_SIGNAL = struct.pack("11Q", *[0] * 4, 9, *[0] * 6)
if call(435, 435, EXIT_SIGNAL, len(EXIT_SIGNAL)) == 0:
    os._exit(0)
time.sleep(0.2)
