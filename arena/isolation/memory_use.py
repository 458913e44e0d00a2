"""Measures how much memory a bot uses, and has the kernel kill bots first when it runs out.

Limits of the kernel bound what a process asks for, and can be evaded by one that means to: memory
that was written and then made read-only no longer counts. So it is also measured.
"""

import contextlib
import math
from collections.abc import Iterable
from pathlib import Path

from arena.isolation.orphans import children_of

_FIRST_OF_ALL = "1000"
"""The highest oom_score_adj: the process counts as if it used all of the machine's memory."""

_OWN = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
"""In ``status``: memory that is no file's, in swap or not, and the tables of its pages."""
_SHARED_OUT = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")
"""In ``smaps_rollup``: the same, of what processes share the part of each."""


def allowance_mb(memory_mb: int) -> int:
    """Return how much a bot may use that is given ``memory_mb``: more than limits let it ask for.

    Tables of pages and stacks come on top of what the limits count.
    """
    return memory_mb + memory_mb // 8 + 32


def used_mb(pids: Iterable[int], enough_mb: float = math.inf) -> int:
    """Return the memory that some processes use together, in megabytes; 0 if they are gone.

    What they share counts once if it matters: if without that they use ``enough_mb``, or if that is
    not given.
    """
    pids = list(pids)
    together = sum(_kilobytes(pid, shared=False) for pid in pids)
    if len(pids) > 1 and not together < enough_mb * 1024:
        together = sum(_kilobytes(pid, shared=True) for pid in pids)
    return together // 1024


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    found, left = [], [pid]
    while left:
        found.append(left.pop())
        left += children_of(found[-1])
    return found


def _kilobytes(pid: int, *, shared: bool) -> int:
    if shared:
        with contextlib.suppress(OSError, ValueError, IndexError):
            return _sum(f"/proc/{pid}/smaps_rollup", _SHARED_OUT)
    with contextlib.suppress(OSError, ValueError, IndexError):
        return _sum(f"/proc/{pid}/status", _OWN)
    return 0


def _sum(path: str, names: tuple[str, ...]) -> int:
    # Only "\n" ends a line: a process may have a carriage return in its name, and a line behind it.
    with open(path, encoding="utf-8", errors="replace", newline="\n") as file:  # noqa: PTH123 - pathlib takes longer
        found = [int(line.split()[1]) for line in file if line.startswith(names)]
    if not found:
        raise ValueError(f"{path} has none of {names}")
    return sum(found)


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
