"""Counts in one pass over the recorded games how fast bots answer, where they shoot and hide."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.records import Game, ShootStep

_MICRO = 1_000_000


@dataclass(slots=True)
class CellCounts:
    """Counts how often each cell was chosen, and in how many games."""

    cells: Counter[int] = field(default_factory=Counter)
    games: int = 0

    def add(self, cells: Iterable[int]) -> None:
        """Count the cells of one game."""
        self.cells.update(cells)
        self.games += 1


@dataclass(frozen=True, slots=True)
class Survey:
    """The findings of a pass over games, by bot."""

    answers: Mapping[str, Counter[int]]  # how often an answer took so many microseconds
    first_shots: Mapping[str, CellCounts]
    # The cells of the fleet as it was placed; in solo games the arena places it.
    fleets: Mapping[str, CellCounts]


class Latency(NamedTuple):
    """The time that a bot took for its answers, in seconds, less its waits for a processor."""

    answers: int
    median_s: float
    high_s: float
    worst_s: float


def survey(games: Iterable[Game], counted: Collection[str], names: Mapping[str, str]) -> Survey:
    """Count what the games with some ids show, their bots under the names they are shown by."""
    answers: dict[str, Counter[int]] = defaultdict(Counter)
    first_shots: dict[str, CellCounts] = defaultdict(CellCounts)
    fleets: dict[str, CellCounts] = defaultdict(CellCounts)
    for game in games:
        fixture = game.fixture
        if fixture.id not in counted:
            continue
        bots = {"first": names.get(fixture.first, fixture.first)}
        if fixture.second is not None:
            bots["second"] = names.get(fixture.second, fixture.second)
        fired = set()
        taken: dict[str, list[int]] = {"first": [], "second": []}
        for step in game.steps:
            taken[step.seat].append(round(step.charge_s * _MICRO))
            if type(step) is ShootStep and step.seat not in fired:
                fired.add(step.seat)
                first_shots[bots[step.seat]].add(step.cells)
        for seat, bot in bots.items():
            answers[bot].update(taken[seat])
            if seat in game.layouts:
                fleets[bot].add(cell for ship in game.layouts[seat].values() for cell in ship)
    return Survey(answers, first_shots, fleets)


def latency(answers: Counter[int]) -> Latency | None:
    """Return the median, the 95th percentile and the worst of some answers; None without any."""
    total = answers.total()
    if not total:
        return None
    times = sorted(answers)
    ranks = [max(1, -(-total * percent // 100)) for percent in (50, 95, 100)]
    found, seen, place = [], 0, 0
    for rank in ranks:
        while seen < rank:
            seen += answers[times[place]]
            place += 1
        found.append(times[place - 1] / _MICRO)
    return Latency(total, *found)
