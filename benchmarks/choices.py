"""Measures ways in which value_search might choose a shot, by its value network.

`value_search` plays, and at each of its decisions all cells that might be shot are compared over
many sets of layouts: those that its network proposes, and those that the classes of diagonals
prefer. A few of the sets are for choosing by, as the bot does; of the others one half tells which
cell is best and the other what that is worth, so that no cell is best by luck. What the value
network itself gets wrong is not seen here; only games tell that (`python -m benchmarks strength`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from arena.referee import play_bots
from arena.rules import draw_uniform, preset
from benchmarks.games.estimates import estimate
from benchmarks.lines import aligned, outcome_line
from benchmarks.options import option
from bots.tactics.posterior.belief import Belief
from bots.tactics.posterior.board_placements import Floats
from bots.tactics.value.advice import CANDIDATES
from bots.tactics.value.ahead import paths_of_misses, worth_of_paths
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import DEPTH, DEPTH_OPEN, off_class
from bots.tactics.value.network import network_for
from bots.value_search import STEPS, TRUST, ValueSearch
from salvo.cli.terminal.progress_bars import progress_bar

SEED = 24
PROPOSED = 12
"""Cells that the network proposes here."""

CHOOSING, JUDGING = 8, 16
"""Sets of layouts that cells are chosen by, and that choices are judged by."""

NEAR = 0.2
"""Cells that cost so many turns more than the best, by the network, are near it."""

FEWEST = 3
"""With fewer near cells at a position nothing is said of how they differ."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(40, "Games of the classic game that are played.", least=2)


class Decision(NamedTuple):
    """The cells that were compared at a position, and what they are worth.

    Attributes:
        is_open: Whether a ship afloat may have been hit.
        proposed: The numbers of the cells that the network proposes, the best first.
        preferred: The numbers of those that the classes prefer, the best first.
        costs: How many turns each costs more than the best, as the network has it; only of those
            that it proposes.
        worth: How many turns are left after each, (sets, cells).
    """

    is_open: bool
    likeliest: int
    proposed: list[int]
    preferred: list[int]
    costs: Floats
    worth: Floats


Choose = Callable[[Decision], int]
"""Returns the number of the cell that is shot at a position."""


class _Watched(ValueSearch):
    """Plays as ``value_search`` does, but for the opening book, and keeps what it compared."""

    sets = CHOOSING + JUDGING

    def __init__(self) -> None:
        super().__init__([step for step in STEPS if step != "book"])
        self.decisions: list[Decision] = []

    def _cell(self, belief: Belief) -> int:
        sets = self._layout_sets()
        if len(sets) < self.sets:  # all layouts are known
            return super()._cell(belief)
        posterior, is_open = belief.cells(), belief.hit_is_open()
        assert self._advice is not None
        proposed, costs = self._advice.propose(posterior, self.untried, self.random, PROPOSED)
        preferred, _ = self._promising(posterior, off_class(is_open=is_open))
        likeliest = max(self.untried, key=lambda cell: float(posterior[cell]))
        cells = list(dict.fromkeys([*proposed, *preferred, likeliest]))
        if len(cells) == 1:
            return cells[0]
        decision = Decision(
            is_open,
            cells.index(likeliest),
            [cells.index(cell) for cell in proposed],
            [cells.index(cell) for cell in preferred],
            costs,
            _worth(sets, cells, is_open=is_open),
        )
        self.decisions.append(decision)
        return cells[_by_both(CANDIDATES, TRUST)(decision)]


def _worth(sets: Sequence[LayoutSet], cells: list[int], *, is_open: bool) -> Floats:
    """Return how many turns are left after each cell, (sets, cells).

    Those who choose and those who judge follow the paths of a set of their own.
    """
    found = []
    for part in (sets[:CHOOSING], sets[CHOOSING:]):
        depth = DEPTH_OPEN if is_open else DEPTH
        paths = paths_of_misses(part[0], cells, depth, off_class(is_open=is_open))
        found += [worth_of_paths([layouts], network_for(1), paths) for layouts in part]
    return np.array(found)


def run(settings: Settings) -> Iterator[str]:
    """Yield a table of what each way loses, a table of how near cells differ, and the outcome."""
    games, rules = settings.games, preset("classic")
    played: list[list[Decision]] = []
    for number in progress_bar(range(games), games, "games"):
        bot = _Watched()
        layout = draw_uniform(rules, Random(f"choices {SEED} {number}"))
        play_bots([bot], rules, seeds=(SEED + number, number), layout=layout)
        played.append(bot.decisions)
    lost = {name: [list(map(_regret(way), game)) for game in played] for name, way in _ways()}
    yield aligned(
        [(name, *_written(regrets, played)) for name, regrets in lost.items()],
        ("shot at", "regret a game", "of it, a hit open"),
    )
    every = [decision for game in played for decision in game]
    differ = {is_open: _differ(every, is_open=is_open) for is_open in (False, True)}
    yield "\n" + aligned(
        [
            ("a hit open" if is_open else "hunting", *(f"{value:.3f}" for value in one.values()))
            for is_open, one in differ.items()
        ],
        ("near cells", *differ[False]),
    )
    yield outcome_line(
        "choices",
        games=games,
        decisions=len(every),
        regret={name: round(sum(map(sum, one)) / games, 3) for name, one in lost.items()},
        hunting={name: round(value, 4) for name, value in differ[False].items()},
    )


def _ways() -> Iterator[tuple[str, Choose]]:
    yield "the likeliest cell", lambda decision: decision.likeliest
    yield "the classes' first", lambda decision: decision.preferred[0]
    yield "the network's first", lambda decision: decision.proposed[0]
    yield "least Q of the classes' six", _by_worth
    for most in (4, 8, 12):
        yield f"least Q of the network's {most}", _by_both(most, 0)
    yield "the same of 8, over one set", _by_both(8, 0, sets=1)
    yield "over eight sets", _by_both(8, 0, sets=8)
    for trust in (0.5, 1, 2, 4):
        yield f"least Q + {trust:g} A of 8", _by_both(8, trust)


def _by_worth(decision: Decision) -> int:
    worth = decision.worth[: ValueSearch.sets].mean(axis=0)
    return min(decision.preferred, key=lambda cell: float(worth[cell]))


def _by_both(most: int, trust: float, sets: int = ValueSearch.sets) -> Choose:
    """Return how to choose one of the first cells that the network proposes, by it and by worth."""

    def choose(decision: Decision) -> int:
        cells = decision.proposed[:most]
        worth = decision.worth[:sets, cells].mean(axis=0) + trust * decision.costs[:most]
        return cells[int(worth.argmin())]

    return choose


def _regret(choose: Choose) -> Callable[[Decision], float]:
    """Return what a way to choose loses at a decision, in turns; below 0 by chance alone."""

    def regret(decision: Decision) -> float:
        judges = decision.worth[CHOOSING:]
        cell = choose(decision)
        one, two = judges[::2].mean(axis=0), judges[1::2].mean(axis=0)
        return float(one[cell] - one[two.argmin()] + two[cell] - two[one.argmin()]) / 2

    return regret


def _written(
    regrets: Sequence[Sequence[float]], played: Sequence[Sequence[Decision]]
) -> tuple[str, str]:
    """Return the regret of a game, and how much of it while a hit is open."""
    is_open = [
        sum(lost for lost, decision in zip(*game, strict=True) if decision.is_open)
        for game in zip(regrets, played, strict=True)
    ]
    return str(estimate(map(sum, regrets))), str(estimate(is_open))


def _differ(decisions: Sequence[Decision], *, is_open: bool) -> dict[str, float]:
    """Return how the cells that are near the best differ from their mean, by Q and by A."""
    worth, costs, halves = [], [], []
    for decision in decisions:
        near = decision.costs <= NEAR
        if decision.is_open != is_open or near.sum() < FEWEST:
            continue
        cells = np.array(decision.proposed)[near]
        sets = decision.worth[:, cells]
        sets = sets - sets.mean(axis=1, keepdims=True)
        worth.append(sets.mean(axis=0))
        halves.append([sets[::2].mean(axis=0), sets[1::2].mean(axis=0)])
        costs.append(decision.costs[near] - decision.costs[near].mean())
    if not worth:
        return dict.fromkeys(("deviation of Q", "sampled", "deviation of A", "correlation"), 0.0)
    every, other = np.concatenate(worth), np.concatenate(costs)
    one, two = np.concatenate(halves, axis=1)
    sampled = (one - two).var() / 4 * (CHOOSING + JUDGING) / ValueSearch.sets
    return {
        "deviation of Q": float(every.std()),
        "sampled": float(np.sqrt(sampled)),
        "deviation of A": float(other.std()),
        "correlation": float(np.corrcoef(every, other)[0, 1]),
    }
