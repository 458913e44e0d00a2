"""When the machine runs out of memory: bots are killed first, and the kernel counts the kills."""

import contextlib
from pathlib import Path

_FIRST_OF_ALL = "1000"
"""The highest oom_score_adj: the process counts as if it used all of the machine's memory."""


def be_ended_first() -> None:
    """Have the kernel kill this process, and all that it starts, before others.

    To be called between fork and exec, while /proc can be written. Without it the kernel might
    kill the arena when a bot uses up the memory.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_OF_ALL, encoding="ascii")


def out_of_memory_kills() -> int | None:
    """Return how many processes the kernel has killed for lack of memory since it booted.

    Kills on the whole machine and within containers both count, each before the signal is sent.
    None if the kernel does not report the number.
    """
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_text(encoding="ascii").splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return None
