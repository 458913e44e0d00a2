"""Ends with the code by which a box tells of the signal, from its first thread or another."""

import os
import threading

from calls import call

for code in (137, 256 + 137, -119):
    for numbers in ((231, 94), (60, 93)):
        try:
            call(*numbers, code)
        except OSError as error:
            print(error)
thread = threading.Thread(target=os._exit, args=(137,))
thread.start()
thread.join(0.1)
