"""Measures how much memory a bot uses, and has the kernel kill bots first when it runs out.

Limits of the kernel bound what a process asks for, and can be evaded by one that means to: memory
that was written and then made read-only no longer counts. So it is also measured.
"""

import contextlib
import math
import os
from collections.abc import Iterable
from pathlib import Path

from arena.isolation.orphans import children_of

_FIRST_OF_ALL = "1000"
"""The highest oom_score_adj: the process counts as if it used all of the machine's memory."""

_TABLES = "VmPTE:"
_OWN = ("RssAnon:", "VmSwap:", _TABLES)
"""In ``status``: memory that is no file's, in swap or not, and the tables of its pages."""
_SHARED_OUT = ("Pss_Anon:", "SwapPss:")
"""In ``smaps_rollup``: the same without the tables, of what processes share the part of each."""
_MAPPED, _MAPPED_SHARED_OUT = "RssShmem:", "Pss_Shmem:"
"""In each: what is mapped of files in memory."""


def allowance_mb(memory_mb: int) -> int:
    """Return how much a bot may use that is given ``memory_mb``: more than limits let it ask for.

    Tables of pages and stacks come on top of what the limits count.
    """
    return memory_mb + memory_mb // 8 + 32


def used_mb(pids: Iterable[int], enough_mb: float = math.inf, files_kb: int | None = None) -> int:
    """Return the memory that some processes use together, in megabytes; 0 if they are gone.

    What they share counts once if it matters: if without that they use ``enough_mb``, or if that is
    not given. ``files_kb`` is what all files in memory take that they have, mapped or not; unless
    it is given, those that are mapped count.
    """
    pids = list(pids)
    mapped = files_kb is None
    together = sum(_own_kb(pid, mapped=mapped) for pid in pids) + (files_kb or 0)
    if len(pids) > 1 and not together < enough_mb * 1024:
        together = sum(_shared_out_kb(pid, mapped=mapped) for pid in pids) + (files_kb or 0)
    return together // 1024


def folder_kb(path: str, size_mb: int) -> int:
    """Return what the files in a folder in memory take, in kilobytes.

    0 if the folder is not there, or another than the one of that size: its box is being built.
    """
    with contextlib.suppress(OSError):
        found = os.statvfs(path)
        if found.f_blocks * found.f_frsize == size_mb << 20:
            return (found.f_blocks - found.f_bfree) * found.f_frsize >> 10
    return 0


def family(pid: int) -> list[int]:
    """Return a process and its descendants."""
    found, left = [], [pid]
    while left:
        found.append(left.pop())
        left += children_of(found[-1])
    return found


def _own_kb(pid: int, *, mapped: bool) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        return _sum(f"/proc/{pid}/status", (*_OWN, *[_MAPPED] * mapped))
    return 0


def _shared_out_kb(pid: int, *, mapped: bool) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        shared = _sum(f"/proc/{pid}/smaps_rollup", (*_SHARED_OUT, *[_MAPPED_SHARED_OUT] * mapped))
        # No process shares its tables, even of what it shares.
        return shared + _sum(f"/proc/{pid}/status", (_TABLES,))
    return _own_kb(pid, mapped=mapped)


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
