"""Read from /proc how the box was built and where the host keeps what is in it."""

import os
from contextlib import suppress
from pathlib import Path

from hostile import reached

of_others = ["/proc/1/cmdline", f"/proc/{os.getppid()}/cmdline", "/proc/1/comm", "/proc/1/status"]
of_mounts = [f"/proc/{entry}/mountinfo" for entry in ("self", "thread-self", os.getpid(), 1)]
of_mounts += ["/proc/mounts", "/proc/self/mounts", "/proc/self/mountstats"]
of_mounts += [f"/proc/self/task/{os.getpid()}/mountinfo"]
of_the_host = ["/proc/self/loginuid", "/proc/self/sessionid", "/proc/self/attr/current"]
for path in (*of_others, *of_mounts, *of_the_host):
    with suppress(OSError):
        text = Path(path).read_bytes()
        if text:
            reached(f"{path}: {text[:60]!r}")
            break
