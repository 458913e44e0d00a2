"""Notes when, where and by which Salvo a block was played, and what its bots said of themselves.

It is no part of what is compared between runs: the same games come out on any machine.
"""

import contextlib
import functools
import importlib.metadata
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

_DISTRIBUTION = "salvo-arena"
_GIB = 2**30


class Introduced(Struct, frozen=True, array_like=True):
    """A bot's own words on itself: any text of at most 200 characters each."""

    name: str
    author: str = ""
    version: str = ""


class Origin(Struct, frozen=True):
    """The origin of a block.

    ``at`` is when it was finished, in UTC, as ISO 8601 has it; ``machine`` the class of the
    machine, in words, without its name. Bots that gave no introduction are missing in
    ``introduced``. ``load`` is how many threads ran or waited for a processor, on average over the
    last minute, for each processor of the machine; None where the system does not tell.
    """

    at: str
    salvo: str
    machine: str
    introduced: dict[str, Introduced] = {}
    load: float | None = None


def origin_of(introduced: Mapping[str, Introduced]) -> Origin:
    """Return the origin of a block that was finished here and now."""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Origin(now, _salvo(), _machine(), dict(introduced), _load())


def _load() -> float | None:
    with contextlib.suppress(AttributeError, OSError):
        return round(os.getloadavg()[0] / (os.cpu_count() or 1), 2)
    return None


@functools.cache
def _salvo() -> str:
    try:
        return importlib.metadata.version(_DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


@functools.cache
def _machine() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parts = [
        f"{platform.system()} on {platform.machine()}",
        f"{cores} core{'' if cores == 1 else 's'}{_processor()}",
        *_memory(),
        f"Python {platform.python_version()}",
    ]
    return ", ".join(parts)


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            what, _, value = line.partition(":")
            if what.strip() == "model name" and value.strip():
                return f" ({' '.join(value.split())})"
    return ""


def _memory() -> list[str]:
    with contextlib.suppress(ValueError, OSError, AttributeError):
        return [f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / _GIB:.0f} GB"]
    return []
