"""Live on after the end, with no trace of where it came from."""

import os
import time

from hostile import targets

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", f"4.{targets['key']}"], {})  # noqa: S606
    os._exit(0)
time.sleep(0.1)
