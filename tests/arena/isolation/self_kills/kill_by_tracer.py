"""Is traced by its child, whose end then is its own."""

import os
import time

from calls import call

SEIZE, END_WITH_TRACER = 0x4206, 0x100000
bot = os.getpid()
if os.fork() == 0:
    call(101, 117, SEIZE, bot, 0, END_WITH_TRACER)
    os._exit(0)
time.sleep(0.3)
