"""When the machine runs out of memory: bots are ended first, and the kernel's count tells of it."""

import contextlib
from pathlib import Path

__all__ = ["be_ended_first", "out_of_memory_kills"]

_FIRST_OF_ALL = "1000"
"""The highest adjustment: as if the process used all of the machine's memory besides its own."""


def be_ended_first() -> None:
    """Have the kernel end this process, and all that it starts, before any that has not asked.

    To be called between fork and exec, while /proc can be written. Without it a bot could have
    the process of the arena ended in its place.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_OF_ALL, encoding="ascii")


def out_of_memory_kills() -> int | None:
    """Return how many processes the kernel has ended for want of memory since it started.

    It counts those of the whole machine and those of a container alike, and each before it is
    sent the signal. None where the kernel does not tell.
    """
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return None
