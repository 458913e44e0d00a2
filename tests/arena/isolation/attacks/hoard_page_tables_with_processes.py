"""Have the kernel hold more memory than is allowed, by tables of pages, some in each process."""

import mmap
import os
import time
from contextlib import suppress
from pathlib import Path

from hostile import reached, targets

HOLDERS, STEP = 24, 2 << 20
size = targets["too_much_memory"] * 24
ends, begins = os.pipe()
started = 0
for _ in range(HOLDERS):
    with suppress(OSError):
        if os.fork() == 0:
            held = []
            with suppress(OSError):
                held.append(mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ))
                for place in range(0, size, STEP):
                    held[0][place]
            status = Path("/proc/self/status").read_text(encoding="utf-8")
            kilobytes = int(status.split("VmPTE:")[1].split()[0])
            os.write(begins, kilobytes.to_bytes(8, "little"))
            time.sleep(3)
            os._exit(0)
        started += 1
held_together = sum(int.from_bytes(os.read(ends, 8), "little") for _ in range(started)) << 10
# Whoever looks on has had the time to see it.
time.sleep(0.5)
if held_together >= targets["too_much_memory"]:
    reached(f"{held_together} bytes")
