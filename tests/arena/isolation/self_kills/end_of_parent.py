"""Asks for the signal at the end of its parent, and has a child of its child do so too."""

import os
import time

from calls import call

PDEATHSIG = 1
call(157, 167, PDEATHSIG, 9, 0, 0, 0)
if os.fork() == 0:
    if os.fork() == 0:
        call(157, 167, PDEATHSIG, 9, 0, 0, 0)
        time.sleep(0.1)
    os._exit(0)
time.sleep(0.3)
