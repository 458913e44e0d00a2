"""Hold more memory than is allowed, half as files that processes share and half by each of them."""

import os
import time
from contextlib import suppress

from hostile import reached, targets

HOLDERS = 4
part = targets["too_much_memory"] // HOLDERS // 2
ends, begins = os.pipe()
for number in range(HOLDERS):
    if os.fork() == 0:
        written = 0
        with suppress(OSError, MemoryError):
            name = f"/dev/shm/{targets['token']}-{number}"  # noqa: S108
            descriptor = os.open(name, os.O_CREAT | os.O_RDWR)
            os.unlink(name)  # noqa: PTH108
            while written < part:
                written += os.write(descriptor, bytes(1 << 20))
            held = b"x" * part
            written += len(held)
        os.write(begins, written.to_bytes(8, "little"))
        time.sleep(3)
        os._exit(0)
held_together = sum(int.from_bytes(os.read(ends, 8), "little") for _ in range(HOLDERS))
# Whoever looks on has had the time to see it.
time.sleep(0.5)
if held_together >= targets["too_much_memory"]:
    reached(f"{held_together} bytes")
