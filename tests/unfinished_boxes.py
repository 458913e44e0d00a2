"""Ends what a kill may leave until the next arena: boxes that were being built."""

import contextlib
import time
from collections.abc import Collection
from pathlib import Path

from arena.isolation.orphans import children_of, end_abandoned

GRACE_S = 2.0
"""How long after a kill processes are given to end by themselves."""


def end_unfinished_boxes(pids: Collection[int], killed_s: float) -> None:
    """End processes as the next arena does, if all of them are boxes that will never hold a bot.

    Who is killed while it builds a box cannot take that one along. What may still end by itself is
    given time; ``killed_s`` is when the kill was, by the monotonic clock.
    """
    in_time = time.monotonic() < killed_s + GRACE_S
    if pids and not in_time and all(map(_holds_no_bot, pids)):
        end_abandoned.cache_clear()
        end_abandoned()


def _holds_no_bot(pid: int) -> bool:
    with contextlib.suppress(OSError):
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        return name == "bwrap" and not children_of(pid)
    return True  # it is gone
