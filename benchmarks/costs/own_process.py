"""Runs a module in a process of its own, and says how much memory this one has had."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import msgspec

_KIBIBYTE, _MEGABYTE = 1024, 1_000_000

Answer = TypeVar("Answer")


def answer_of(module: str, *arguments: object, of: type[Answer]) -> Answer:
    """Run a module in a process of its own, with one thread, and return the JSON that it prints."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return msgspec.json.decode(done.stdout, type=of)


def answer(found: object) -> None:
    """Print what ``answer_of`` returns."""
    sys.stdout.buffer.write(msgspec.json.encode(found))


def peak_mb() -> float:
    """Return the most memory that was resident, in megabytes.

    Linux carries the parent's peak over into ``getrusage`` of a program that it starts, but not
    into the program's own status.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1]) * _KIBIBYTE / _MEGABYTE
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts in bytes, others in kibibytes.
    return most * (1 if sys.platform == "darwin" else _KIBIBYTE) / _MEGABYTE
