"""Read from /proc what counts for the whole machine."""

import os
from contextlib import suppress

from hostile import reached

OF_ITSELF = {"cpuinfo", "meminfo", "self", "thread-self", "net", "mounts"}
found = []
for folder, folders, files in os.walk("/proc"):
    folders[:] = [name for name in folders if not name.isdigit() and name not in OF_ITSELF]
    for name in set(files) - OF_ITSELF - {"kmsg", "kcore", "sysrq-trigger"}:
        with suppress(OSError, ValueError):
            descriptor = os.open(f"{folder}/{name}", os.O_RDONLY | os.O_NONBLOCK)
            if os.read(descriptor, 100):
                found.append(name)
            os.close(descriptor)
if found:
    reached(" ".join(found))
