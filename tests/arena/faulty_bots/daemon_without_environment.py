"""Starts a daemon that is another program and hides where it came from."""

import contextlib
import os
import sys

from honest import play

with contextlib.suppress(OSError):
    started, starting = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            code = f"import time; time.sleep(60); {sys.argv[1:]}"
            os.execve(sys.executable, [sys.executable, "-c", code], {})  # noqa: S606
        os._exit(0)
    os.close(starting)
    os.read(started, 1)
play()
