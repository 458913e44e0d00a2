"""Checks submissions of several authors side by side, each in a process of its own."""

import logging
import multiprocessing
import os
import sys
from multiprocessing import connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Self

from arena.errors import StorageError
from arena.isolation import adopt_orphans, die_with_parent, end_orphans
from salvo.server.database.queue import (
    Submission,
    has_verdict,
    is_wanted,
    put_off,
    requeue,
    take_next,
)
from salvo.server.database.server_database import Database
from salvo.server.work.backoff import Backoff
from salvo.server.work.checking import check_one, put_back, tidy

MOST_CHECKS = 4
"""How many are checked at the same time, never two of one author."""

_LEAVE_S = 10.0

_log = logging.getLogger(__name__)


class Checkers:
    """The processes that check. Use it in a ``with`` statement, in a thread that lives on."""

    def __init__(self, league: Path) -> None:
        self._league = league
        self._running: dict[ForkProcess, Submission] = {}
        self._backoff = Backoff()

    def __enter__(self) -> Self:
        put_back(self._league)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running:
            process.terminate()
        for process in self._running:
            _join(process)

    def look_after(self, patience_s: float) -> None:
        """Wait until one ends, but no longer than that, and let free ones check what waits.

        One whose submission is not wanted any more, since it was withdrawn or its author banned,
        is ended. One that has come to a verdict goes on, and packs copies.
        """
        connection.wait([process.sentinel for process in self._running], patience_s)
        with Database(self._league) as db:
            unwanted = [
                process
                for process, one in self._running.items()
                if not (is_wanted(db, one) or has_verdict(db, one))
            ]
        for process in unwanted:
            process.terminate()
        for process in list(self._running):
            if process in unwanted or not process.is_alive():
                self._settle(process, self._running.pop(process))
        # While the machine lacks room, one check at a time finds out whether it has some again.
        most = 1 if self._backoff.is_on else MOST_CHECKS
        while not self._backoff.rests and len(self._running) < most and self._begin():
            pass

    def _begin(self) -> bool:
        """Check the next submission; return whether there is one."""
        with Database(self._league) as db:
            one = take_next(db)
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
        with Database(self._league) as db:
            if code == os.EX_TEMPFAIL:
                put_off(db, one)
                if self._backoff.failed():
                    db.note("checks wait: this machine cannot store the copies; stderr says why")
            elif not is_wanted(db, one):
                self._backoff.succeeded()
            else:  # it ended before it came to a verdict
                db.note(f"checking {one.name} ended with code {code}; it is checked again")
                requeue(db, one)
        tidy(self._league, one)


def _join(process: ForkProcess) -> int | None:
    process.join(_LEAVE_S)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode


def _check(league: Path, one: Submission, parent: int) -> None:
    adopt_orphans()
    try:
        if die_with_parent(parent):
            check_one(league, one)
    except StorageError as error:
        _log.warning("checking %s is put off: %s", one.name, error)
        sys.exit(os.EX_TEMPFAIL)
    finally:
        end_orphans(())
