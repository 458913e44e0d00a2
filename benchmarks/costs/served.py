"""Measures the processor time of a server of a league: of each check, block and rating."""

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from arena.isolation import children_of
from salvo.server.database.server_database import Database

_TICKS = os.sysconf("SC_CLK_TCK")
_UTIME = 11  # the place of the processor time in /proc/PID/stat, after the name
_ROLES = ("check", "play", "rate")


class Work(Struct):
    """The processor seconds of what a server did.

    Attributes:
        checks: Those of each check that ended.
        blocks: Those of the blocks that ended between two samples, and how many these were.
        ratings: Those of each rating, and how many games the record had by then.
        games: The games that were played.
        pages_s: Those of the process that answers requests.
        idle_s: Those of the process that starts checks, and of nothing else.
        elsewhere_s: Those of everything else on the machine, but for this process.
        own_s: Those of this process.
        lasted_s: The seconds of wall time that it took.
    """

    checks: list[float] = []
    blocks: list[tuple[float, int]] = []
    ratings: list[tuple[int, float]] = []
    games: int = 0
    pages_s: float = 0.0
    idle_s: float = 0.0
    elsewhere_s: float = 0.0
    own_s: float = 0.0
    lasted_s: float = 0.0

    @property
    def check_s(self) -> float:
        """The processor seconds of all checks."""
        return sum(self.checks)

    @property
    def play_s(self) -> float:
        """The processor seconds of all blocks."""
        return sum(seconds for seconds, _ in self.blocks)

    @property
    def rate_s(self) -> float:
        """The processor seconds of all ratings."""
        return sum(seconds for _, seconds in self.ratings)


class Meter:
    """Reads what the processes of a server have used, whenever a sample is taken.

    Args:
        server: The id of the process that answers requests; the others are below it.
    """

    def __init__(self, league: Path, server: int) -> None:
        self._server = server
        self._db = Database(league)
        self._event = self._db.last_event()
        self._roles = {role: worker_of(server, role) for role in _ROLES}
        self._checks = set(children_of(self._roles["check"]))
        self._at = {role: self._of(role) for role in _ROLES}
        self._begin = self._totals()
        self.work = Work()

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def _of(self, role: str) -> float:
        """Return what a role has used: of checks, what those used that have ended."""
        pid = self._roles[role]
        return _seconds_of(pid)[1] if role == "check" else sum(map(sum, _tree(pid)))

    def _totals(self) -> dict[str, float]:
        everything = sum(map(sum, _tree(self._server)))
        own = time.process_time()
        return {
            "pages": _seconds_of(self._server)[0],
            "idle": _seconds_of(self._roles["check"])[0],
            "elsewhere": _busy_s() - everything - own,
            "own": own,
            "lasted": time.monotonic(),
        }

    def sample(self) -> None:
        """Take in what has ended since the last sample."""
        work = self.work
        now = set(children_of(self._roles["check"]))
        ended, self._checks = len(self._checks - now), now
        if ended:
            work.checks += [self._since("check") / ended] * ended
        blocks = 0
        for event in self._db.events_after(self._event):
            self._event = event.id
            if event.kind == "block":
                blocks += 1
                work.games += msgspec.json.decode(event.data)["games"]
            elif event.kind == "board":
                work.ratings.append((work.games, self._since("rate")))
        if blocks:
            work.blocks.append((self._since("play"), blocks))
        now_s = self._totals()
        passed = {name: now_s[name] - before for name, before in self._begin.items()}
        work.pages_s, work.idle_s, work.own_s = passed["pages"], passed["idle"], passed["own"]
        work.elsewhere_s, work.lasted_s = passed["elsewhere"], passed["lasted"]

    def _since(self, role: str) -> float:
        """Return what a role has used since this was last asked."""
        before, self._at[role] = self._at[role], self._of(role)
        return self._at[role] - before


def worker_of(server: int, role: str) -> int:
    """Return the id of a worker process of a server, as soon as it is there."""
    while True:
        for pid in (worker for forks in children_of(server) for worker in children_of(forks)):
            with contextlib.suppress(OSError):  # it has just ended
                if Path(f"/proc/{pid}/comm").read_text(encoding="ascii") == f"salvo {role}\n":
                    return pid
        time.sleep(0.1)


def _tree(pid: int) -> Iterator[tuple[float, float]]:
    """Yield what a process and each that it started have used, themselves and those they reaped."""
    yield _seconds_of(pid)
    for child in children_of(pid):
        yield from _tree(child)


def _seconds_of(pid: int) -> tuple[float, float]:
    """Return the processor seconds of a process, and of its children that have ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0, 0.0  # it has just ended, and counts to its parent
    fields = stat.rpartition(")")[2].split()
    own, ended = fields[_UTIME : _UTIME + 2], fields[_UTIME + 2 : _UTIME + 4]
    return sum(map(int, own)) / _TICKS, sum(map(int, ended)) / _TICKS


def _busy_s() -> float:
    """Return the processor seconds that this machine has worked, but for what is stolen."""
    user, nice, system, _idle, _waiting, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    )
    return (user + nice + system + irq + softirq) / _TICKS
