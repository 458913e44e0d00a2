"""Does not exit when it should, and ignores all signals that it can."""

import contextlib
import signal
import time

from honest import play

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    with contextlib.suppress(OSError):
        signal.signal(number, signal.SIG_IGN)
play()
while True:
    time.sleep(1)
