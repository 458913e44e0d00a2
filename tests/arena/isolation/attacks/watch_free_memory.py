"""See in /proc how much memory is in use, also by others."""

from pathlib import Path

from hostile import reached

MEMINFO = Path("/proc/meminfo")
before = MEMINFO.read_text()
held = b"x" * (64 << 20)
if MEMINFO.read_text() != before:
    reached(f"{len(held)} bytes were seen")
