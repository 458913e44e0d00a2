"""The most memory that this process has had."""

import re
import resource
import sys
from pathlib import Path

_KIBIBYTE, _MEGABYTE = 1024, 1_000_000


def peak_mb() -> float:
    """Return the most memory that was resident, in megabytes; see ``peak_kib``."""
    return peak_kib() * _KIBIBYTE / _MEGABYTE


def peak_kib() -> float:
    """Return the most memory that was resident, in kibibytes.

    Linux carries the parent's peak over into ``getrusage`` of a program that it starts, but not
    into the program's own status.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts in bytes, others in kibibytes.
    return most / (_KIBIBYTE if sys.platform == "darwin" else 1)
