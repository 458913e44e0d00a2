"""Has its child's child send it the signal."""

import os
import time

bot = os.getpid()
if os.fork() == 0:
    if os.fork() == 0:
        os.kill(bot, 9)
    os._exit(0)
time.sleep(0.3)
