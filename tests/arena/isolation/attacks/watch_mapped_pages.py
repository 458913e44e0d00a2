"""Read which pages of installed files others have in memory too: a channel between bots."""

import os
import re
import struct
import sys
from contextlib import suppress
from pathlib import Path

from hostile import reached

own = ["self", "thread-self", str(os.getpid()), f"self/task/{os.getpid()}"]
names = [f"/proc/{entry}/{name}" for entry in own for name in ("smaps", "smaps_rollup")]
for path in names:
    with suppress(OSError):
        for part in Path(path).read_text(errors="replace").split("\nSize:"):
            rss, pss = re.search(r"\nRss: +(\d+)", part), re.search(r"\nPss: +(\d+)", part)
            if rss and pss and int(rss[1]) > int(pss[1]):
                reached(f"{path}: of {rss[1]} kB it counts {pss[1]} as its own")
                sys.exit()
with suppress(OSError), Path("/proc/self/numa_maps").open() as lines:
    reached(next(line for line in lines if "mapmax=" in line))
for line in Path("/proc/self/maps").read_text().splitlines():
    start, end = (int(address, 16) for address in line.split()[0].split("-"))
    if " r-xp " in line and end < 1 << 47:
        for entry in own:
            with suppress(OSError), Path(f"/proc/{entry}/pagemap").open("rb", buffering=0) as file:
                file.seek(start // 4096 * 8)
                pages = struct.unpack("=16Q", file.read(128))
                # A page that is present, of a file, and not mapped by this process alone.
                if [page for page in pages if page >> 63 and page >> 61 & 1 and not page >> 56 & 1]:
                    reached(f"/proc/{entry}/pagemap")
                    sys.exit()
