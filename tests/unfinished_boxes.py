"""Ends what a kill may leave until the next arena: boxes that were being built."""

import contextlib
from collections.abc import Iterable
from pathlib import Path

from arena.isolation.orphans import children_of, end_abandoned


def end_unfinished_boxes(pids: Iterable[int]) -> None:
    """End processes as the next arena does, if all of them are boxes that will never hold a bot.

    Who is killed while it builds a box cannot take that one along.
    """
    if all(map(_holds_no_bot, pids)):
        end_abandoned.cache_clear()
        end_abandoned()


def _holds_no_bot(pid: int) -> bool:
    with contextlib.suppress(OSError):
        name = Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
        return name == "bwrap" and not children_of(pid)
    return True  # it is gone
