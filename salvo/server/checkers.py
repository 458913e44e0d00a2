"""Checks submissions of several authors side by side, each in a process of its own."""

import multiprocessing
import os
from multiprocessing import connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Self

from arena.isolation import adopt_orphans, die_with_parent, end_orphans
from salvo.server.book import Book
from salvo.server.checking import check_one, put_back, tidy
from salvo.server.queue import Submission, is_wanted, requeue, take_next

__all__ = ["MOST_CHECKS", "Checkers"]

MOST_CHECKS = 4
"""How many are checked at the same time, never two of one author."""

_LEAVE_S = 10.0


class Checkers:
    """The processes that check. Use it in a ``with`` statement, in a thread that lives on.

    Args:
        league: The league's folder.
    """

    def __init__(self, league: Path) -> None:
        self._league = league
        self._running: dict[ForkProcess, Submission] = {}

    def __enter__(self) -> Self:
        """Put back into the queue what an earlier run did not finish."""
        put_back(self._league)
        return self

    def __exit__(self, *_: object) -> None:
        """End them: what they were checking is checked again by the next run."""
        for process in self._running:
            process.terminate()
        for process in self._running:
            _join(process)

    def look_after(self, patience_s: float) -> None:
        """Wait until one ends, but no longer than that, and let free ones check what waits.

        One whose submission is not wanted any more, since it was withdrawn or its author banned,
        is ended.
        """
        connection.wait([process.sentinel for process in self._running], patience_s)
        with Book(self._league) as book:
            unwanted = [
                process for process, one in self._running.items() if not is_wanted(book, one)
            ]
        for process in unwanted:
            process.terminate()
        for process in list(self._running):
            if process in unwanted or not process.is_alive():
                self._settle(process, self._running.pop(process))
        while len(self._running) < MOST_CHECKS and self._begin():
            pass

    def _begin(self) -> bool:
        """Check the next submission; return whether there is one."""
        with Book(self._league) as book:
            one = take_next(book)
        if one is not None:
            process = multiprocessing.get_context("fork").Process(
                target=_check, args=(self._league, one, os.getpid()), daemon=True
            )
            process.start()
            self._running[process] = one
        return one is not None

    def _settle(self, process: ForkProcess, one: Submission) -> None:
        code = _join(process)
        end_orphans([other.pid or 0 for other in self._running])
        with Book(self._league) as book:
            if is_wanted(book, one):  # it ended before it came to a verdict
                book.note(f"checking {one.name} ended with code {code}; it is checked again")
                requeue(book, one)
        tidy(self._league, one)


def _join(process: ForkProcess) -> int | None:
    process.join(_LEAVE_S)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode


def _check(league: Path, one: Submission, parent: int) -> None:
    """Check a submission; the body of a process."""
    adopt_orphans()
    try:
        if die_with_parent(parent):
            check_one(league, one)
    finally:
        end_orphans(())
