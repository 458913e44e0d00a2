"""Queues the work of a served league on machines with any number of cores.

The work is what was measured: the processor seconds of each check, block and rating. Cores are
shared equally by all that could run, and none runs on more than one core. Everything else is as the
server does it: four checks at once and one of each author, as many blocks as there are cores but
one, one rating at a time with a rest after it, and pages that are made anew.
"""

import heapq
import itertools
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from msgspec import Struct

from salvo.server.work.checkers import MOST_CHECKS

_REST_S, _REST_SHARE = 2.0, 5
"""The rest after a rating, as the server has it: at least, and times its processor seconds."""

_TINY_S = 1e-9


class Load(Struct, frozen=True):
    """The work that comes in, and the time that it takes.

    Attributes:
        submitted: When each version is submitted, in seconds, and by which student, in order.
        checks: The processor seconds of checks, in order; they are used again from the first on.
        blocks: Those of blocks, likewise.
        rating: Returns those of a rating by the moment when it begins.
        pages_s: Those of all pages that are made anew after a rating.
        always: Cores that are always in use.
        beside_s: What a check takes beside its processor time.
        look_s: After how long whoever waits sees that something is done, on average.
        bosses: How many bots are there from the first.
        pairing: Blocks of each pairing.
        block_games: Games a block.
        lasts_s: When the games are counted.
    """

    submitted: Sequence[tuple[float, int]]
    checks: Sequence[float]
    blocks: Sequence[float]
    rating: Callable[[float], float]
    pages_s: float
    always: float
    beside_s: float
    look_s: float
    bosses: int
    pairing: int
    block_games: int
    lasts_s: float


class Outcome(Struct):
    """The seconds that each version waited for its check, and new bots for their rank; games."""

    checks: list[float] = []
    ranks: list[float] = []
    games: int = 0


@dataclass(eq=False)
class _Job:
    """Work that is left, in processor seconds, and what follows its end."""

    left_s: float
    then: Callable[[], None]


def simulate(load: Load, cores: int, others: float = 0.0) -> Outcome:
    """Return what a machine would do that has nothing else to do, but for `others` jobs beside.

    Raises:
        ValueError: If fewer cores are there than are always in use.
    """
    if cores <= load.always:
        raise ValueError(f"{cores} cores are less than what is always in use, {load.always:.2f}")
    return _Machine(load, cores, others).run()


@dataclass(eq=False)
class _Machine:
    load: Load
    cores: int
    others: float
    now: float = 0.0
    jobs: list[_Job] = field(default_factory=list)
    timers: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)

    def run(self) -> Outcome:
        league = _League(self)
        for at, student in self.load.submitted:
            self.at(at, partial(league.submit, at, student))
        league.begin()
        while league.goes_on:
            self._step()
        return league.outcome

    def at(self, moment: float, then: Callable[[], None]) -> None:
        heapq.heappush(self.timers, (moment, next(_numbers), then))

    def work(self, seconds: float, then: Callable[[], None]) -> None:
        self.jobs.append(_Job(max(seconds, _TINY_S), then))

    def _step(self) -> None:
        """Go on to the next end of a job, or moment that something was to happen at."""
        runnable = len(self.jobs) + self.others
        speed = min(1.0, (self.cores - self.load.always) / runnable) if self.jobs else 1.0
        ends = min((job.left_s / speed for job in self.jobs), default=float("inf"))
        next_s = self.timers[0][0] - self.now if self.timers else float("inf")
        passed = max(0.0, min(ends, next_s))
        self.now += passed
        for job in self.jobs:
            job.left_s -= passed * speed
        done = [job for job in self.jobs if job.left_s <= _TINY_S]
        self.jobs = [job for job in self.jobs if job.left_s > _TINY_S]
        for job in done:
            job.then()
        while self.timers and self.timers[0][0] <= self.now:
            heapq.heappop(self.timers)[2]()


_numbers = itertools.count()


class _League:
    """The server as it checks, plays and rates; students and bosses are numbers, bosses below 0."""

    def __init__(self, machine: _Machine) -> None:
        self._machine, self._load = machine, machine.load
        self.outcome = Outcome()
        self._checks = itertools.cycle(machine.load.checks)
        self._blocks = itertools.cycle(machine.load.blocks)
        self._waiting: deque[tuple[float, int]] = deque()
        self._checked: set[int] = set()
        self._workers = max(1, machine.cores - 1)
        self._field = [-1 - number for number in range(machine.load.bosses)]
        self._left: Counter[tuple[int, int]] = Counter()
        self._played: Counter[int] = Counter()
        self._unranked: dict[int, float] = {}
        self._met: set[int] = set()
        self._games = 0
        self._is_rated, self._rates = True, False
        self._open = len(machine.load.submitted)

    @property
    def goes_on(self) -> bool:
        return bool(self._open or self._unranked or self._machine.now < self._load.lasts_s)

    def begin(self) -> None:
        for one, other in itertools.combinations(sorted(self._field), 2):
            self._left[one, other] = self._load.pairing
        self._play()

    def submit(self, at: float, student: int) -> None:
        self._waiting.append((at, student))
        self._check()

    def _check(self) -> None:
        for one in list(self._waiting):
            if len(self._checked) < MOST_CHECKS and one[1] not in self._checked:
                self._waiting.remove(one)
                self._checked.add(one[1])
                self._machine.work(next(self._checks), partial(self._accept, *one))

    def _accept(self, at: float, student: int) -> None:
        moment = self._machine.now + self._load.beside_s
        self._machine.at(moment, partial(self._enter, at, student))

    def _enter(self, at: float, student: int) -> None:
        self._checked.remove(student)
        self._open -= 1
        self.outcome.checks.append(self._machine.now - at)
        if student not in self._field:
            self._field.append(student)
            self._unranked[student] = at
        self._played[student] = 0
        for other in self._field:
            if other != student:
                self._left[min(student, other), max(student, other)] = self._load.pairing
        self._check()
        self._play()

    def _play(self) -> None:
        """Give every free worker the block of who has played least, with whom it met least."""
        while self._workers and (pair := self._next()) is not None:
            self._left[pair] -= 1
            self._workers -= 1
            for one in pair:
                self._played[one] += 1
            self._machine.work(next(self._blocks), partial(self._commit, pair))

    def _next(self) -> tuple[int, int] | None:
        for one in sorted(self._field, key=lambda bot: (self._played[bot], bot)):
            found = [
                (-self._left[pair], self._played[other], pair)
                for other in self._field
                if other != one and self._left[pair := (min(one, other), max(one, other))] > 0
            ]
            if found:
                return min(found)[-1]
        return None

    def _commit(self, pair: tuple[int, int]) -> None:
        self._workers += 1
        self._games += self._load.block_games
        if self._machine.now <= self._load.lasts_s:
            self.outcome.games = self._games
        self._met.update(pair)
        self._is_rated = False
        self._rate()
        self._play()

    def _rate(self) -> None:
        if self._rates or self._is_rated:
            return
        self._rates = self._is_rated = True
        among, takes_s = set(self._met), self._load.rating(self._machine.now)
        self._machine.work(takes_s, partial(self._ranked, takes_s, among))

    def _ranked(self, took_s: float, among: set[int]) -> None:
        now = self._machine.now
        for student in among & self._unranked.keys():
            waited = now + self._load.look_s - self._unranked.pop(student)
            self.outcome.ranks.append(waited)
        self._machine.work(self._load.pages_s, lambda: None)
        rest_s = max(_REST_S, _REST_SHARE * took_s)
        self._machine.at(now + rest_s, self._rested)

    def _rested(self) -> None:
        self._rates = False
        self._rate()
