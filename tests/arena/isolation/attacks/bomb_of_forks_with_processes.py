"""Start processes without end, as one that may start some."""

import contextlib
import os
import time

from hostile import reached

started = 0
with contextlib.suppress(OSError):
    for started in range(200):  # noqa: B007 - what is counted is how far it came
        if os.fork() == 0:
            time.sleep(3)
            os._exit(0)
if started > 150:
    reached(f"{started} processes")
