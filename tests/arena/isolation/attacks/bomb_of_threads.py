"""Start threads without end."""

import contextlib
import threading

from hostile import reached

threading.stack_size(65536)
leave = threading.Event()
threads = [threading.Thread(target=leave.wait, daemon=True) for _ in range(4000)]
started = 0
with contextlib.suppress(RuntimeError):
    for started, thread in enumerate(threads):  # noqa: B007 - the same
        thread.start()
leave.set()
if started > 3000:
    reached(f"{started} threads")
