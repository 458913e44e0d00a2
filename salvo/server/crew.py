"""The processes beside the one that answers requests: each does one thing, and ends with it.

``python -m salvo.server.crew ROLE LEAGUE`` is one of them.
"""

import contextlib
import fcntl
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from arena.errors import UserError
from arena.isolation import AUTO, Level, choose, die_with_parent
from salvo.server.book import Book, folder_of
from salvo.server.checking import check_next, put_back
from salvo.server.leagues import open_league, opened
from salvo.server.playing import play_missing
from salvo.server.rating import rate_again, signature

__all__ = ["ROLES", "Crew"]

ROLES = ("check", "play", "rate")
_IDLE_S = 0.3
_AGAIN_S = 2.0
"""How long to wait before one that ended is started again."""

_LEAVE_S = 15.0
_NICE = {"rate": 5}
"""Pages go first, games and checks next, ratings last."""

_RATING_S, _RATING_SHARE = 2.0, 5
"""How long a rating is followed by rest: so long, and so many times as it took."""

_log = logging.getLogger(__name__)


class Crew:
    """Starts the others, and starts again those that end. Use it in a ``with`` statement.

    Args:
        league: The league's folder.
        roles: Which of them.
    """

    def __init__(self, league: Path, roles: tuple[str, ...] = ROLES) -> None:
        self._league, self._roles = league, roles
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ended: dict[str, float] = {}

    def __enter__(self) -> Self:
        """Start them; in the thread that lives as long as this process, since they end with it."""
        self.look_after()
        return self

    def __exit__(self, *_: object) -> None:
        """End them: games in play are not kept, those committed are safe."""
        for process in self._running.values():
            process.terminate()
        deadline = time.monotonic() + _LEAVE_S
        for process in self._running.values():
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def look_after(self) -> None:
        """Start whoever is not running."""
        for role in self._roles:
            process = self._running.get(role)
            if process is not None and process.poll() is not None:
                self._ended.setdefault(role, time.monotonic())
                if time.monotonic() < self._ended[role] + _AGAIN_S:
                    continue
                del self._ended[role]
                with Book(self._league) as book:
                    book.note(f"'{role}' ended with code {process.returncode}; it is started again")
                process = None
            if process is None:
                command = [sys.executable, "-m", "salvo.server.crew", role, str(self._league)]
                self._running[role] = subprocess.Popen(command, stdin=subprocess.DEVNULL)


def main() -> None:
    """Do the work of one role until the parent ends."""
    role, folder = sys.argv[1], Path(sys.argv[2])
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends this
    os.nice(_NICE.get(role, 2))
    logging.basicConfig(format=f"salvo {role}: %(message)s", level=logging.WARNING)
    with _alone(folder, role):
        try:
            _WORK[role](folder, lambda: die_with_parent(parent))
        except UserError as error:
            with Book(folder) as book:
                book.note(f"{role}: {error}")
            sys.exit(f"salvo {role}: {error}")


@contextlib.contextmanager
def _alone(folder: Path, role: str) -> Iterator[None]:
    """Wait until no other process has the same role, as one whose server was just killed."""
    path = folder_of(folder) / f"{role}.lock"
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _check(folder: Path, goes_on: Callable[[], bool]) -> None:
    choice = choose(Level.SANDBOX.value)  # raises, and ends this, where it does not hold
    assert choice.level is Level.SANDBOX
    put_back(folder)
    while goes_on():
        if not check_next(folder):
            time.sleep(_IDLE_S)


def _play(folder: Path, goes_on: Callable[[], bool]) -> None:
    for _ in play_missing(folder, choose(AUTO)):
        if not goes_on():
            return
        time.sleep(_IDLE_S)


def _rate(folder: Path, goes_on: Callable[[], bool]) -> None:
    rated = ""
    while goes_on():
        league = open_league(folder)
        with opened(league.record) as store:
            wanted = "" if store is None else signature(league, store)
        if wanted != rated:
            began = time.monotonic()
            rate_again(folder)
            rated = wanted
            time.sleep(max(_RATING_S, _RATING_SHARE * (time.monotonic() - began)))
        time.sleep(_IDLE_S)


_WORK = {"check": _check, "play": _play, "rate": _rate}


if __name__ == "__main__":
    main()
