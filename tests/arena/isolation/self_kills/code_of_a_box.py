"""Exits with the code by which a box reports the signal, from its first thread or another."""

import contextlib
import os
import threading

from calls import call

for code in (137, 256 + 137, -119):
    for numbers in ((231, 94), (60, 93)):
        with contextlib.suppress(OSError):
            call(*numbers, code)
thread = threading.Thread(target=os._exit, args=(137,))
thread.start()
thread.join(0.1)
