"""Forks the worker processes, one for each role, and starts again those that end.

They share what was imported before: six that import it themselves take a second more of a
processor, and 150 MB.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Callable, Sequence
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Self

from arena.errors import UserError
from arena.isolation import (
    Level,
    adopt_orphans,
    choose,
    die_with_parent,
    end_orphans,
    leave_when_told,
)
from salvo.server.database.server_database import Database
from salvo.server.work.loops import work

if TYPE_CHECKING:
    from multiprocessing.context import ForkProcess

_AGAIN_S = 2.0  # how long to wait before one that ended is started again
_LOOK_S = 1.0

_log = logging.getLogger(__name__)


def keep_working(league: Path, roles: Sequence[str], goes_on: Callable[[], bool]) -> None:
    """Have the roles done.

    Raises:
        UserError: If bots are to be checked, and the sandbox does not hold.
    """
    leave_when_told()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which ends this
    logging.basicConfig(format="salvo serve: %(message)s", level=logging.WARNING)
    adopt_orphans()
    if "check" in roles:
        choose(Level.SANDBOX.value)  # proved here once, it is known to all that are forked
    with Workers(league, roles) as workers:
        while goes_on():
            try:
                workers.look_after(_LOOK_S)
            except (OSError, UserError, sqlite3.Error) as error:
                _log.warning("worker processes cannot be looked after; tried again: %s", error)
                time.sleep(_LOOK_S)


class Workers:
    """The worker processes. Use it in a ``with`` statement, in a process without threads."""

    def __init__(self, league: Path, roles: Sequence[str]) -> None:
        self._league, self._roles = league, roles
        self._running: dict[str, ForkProcess] = {}
        self._ended: dict[str, float] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.join()  # the kernel ends each soon; see `leave_when_told`

    def look_after(self, patience_s: float) -> None:
        """Start whoever is not running, and wait until one ends, but no longer than that.

        The bots that one left behind which was killed are ended.
        """
        end_orphans(())
        for role in self._roles:
            process = self._running.get(role)
            if process is not None and process.exitcode is not None:
                self._ended.setdefault(role, time.monotonic())
                if time.monotonic() < self._ended[role] + _AGAIN_S:
                    continue
                del self._ended[role]
                if process.exitcode:  # else it was to rest
                    told = f"'{role}' ended with code {process.exitcode}; it is started again"
                    with Database(self._league) as db:
                        db.note(told)
                process = None
            if process is None:
                self._running[role] = multiprocessing.get_context("fork").Process(
                    target=_work, args=(role, self._league, os.getpid())
                )
                self._running[role].start()
        alive = [one.sentinel for one in self._running.values() if one.exitcode is None]
        connection.wait(alive, patience_s)


def _work(role: str, league: Path, parent: int) -> None:
    with contextlib.suppress(OSError):  # by this name `top` and `ps` list it, on Linux
        Path("/proc/self/comm").write_text(f"salvo {role}", encoding="ascii")
    if die_with_parent(parent):
        work(role, league, lambda: die_with_parent(parent))
