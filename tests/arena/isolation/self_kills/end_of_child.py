"""Has a child whose end is announced by the signal."""

import os
import time

from calls import call

CLONE_VFORK = 0x4000
if call(56, 220, CLONE_VFORK | 9, 0, 0, 0, 0) == 0:
    os._exit(0)
time.sleep(0.2)
