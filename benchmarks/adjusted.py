"""Measures that adjusting for luck changes no mean, and how much precision it gains.

On small boards the luck of every layout is summed, which must give nothing; on the standard board
bots from random to strong play, and what their games come to is set beside what is left of it
without luck.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from tabulate import tabulate

from arena import Bot
from arena.records import Game
from arena.referee import play_bots
from arena.rules import Rules, Ship, preset
from arena.schedule import LAYOUTS_PER_BLOCK
from arena.store import Luck
from benchmarks.games.alone import every_layout
from benchmarks.games.contests import games_alone
from benchmarks.games.estimates import estimate, written
from benchmarks.lines import Note, outcome_line
from bots.hunt_parity import HuntParity
from bots.hunt_target import HuntTarget
from bots.posterior_greedy import PosteriorGreedy
from bots.posterior_parity import PosteriorParity
from bots.probability_density import ProbabilityDensity
from bots.uniform_random import UniformRandom
from leaderboards.turns.adjusted import block_mean
from salvo.reports.tables.luck_adjustment import luck_of_game, lucks_of
from salvo.reports.work_progress import Progress, no_progress

BOTS: dict[str, Callable[[], Bot]] = {
    "uniform_random": UniformRandom,
    "hunt_target": HuntTarget,
    "hunt_parity": HuntParity,
    "probability_density": ProbabilityDensity,
    "posterior_greedy": PosteriorGreedy,
    "posterior_parity": PosteriorParity,
}
STRONG = ("probability_density", "posterior_greedy", "posterior_parity")

SEED = 10
NOTHING = 1e-9
UNLIKELY = 3.29
"""Standard errors that a mean of chance is off in one case of a thousand."""

FACTOR = 30
COST_S = 0.3
TIMED = 40
"""Games of which each is timed."""

RESAMPLED = 4_000
BLOCKS = 20
"""Blocks in each sample of games by which the coverage of intervals is measured."""

COVERED = (0.93, 0.97)

Floats = npt.NDArray[np.float64]


class Found(NamedTuple):
    """What the games of one bot came to.

    Attributes:
        turns: Of each game.
        luck: Of each game, in turns.
        blocks: The number of the block of each game.
    """

    turns: Floats
    luck: Floats
    blocks: Floats

    @property
    def factor(self) -> float:
        """Return how many times less the variance is without luck."""
        return float(self.turns.var() / (self.turns - self.luck).var())

    @property
    def errors(self) -> float:
        """Return the mean luck in standard errors."""
        return float(self.luck.mean() / self.luck.std(ddof=1) * np.sqrt(len(self.luck)))


def adjusted(
    games: int, workers: int, *, rules: str = "classic", progress: Progress = no_progress
) -> Iterator[str]:
    """Check luck against its targets.

    Args:
        games: Games of each bot on the standard board.
        workers: How many worker processes.
        rules: The preset that is played there.
        progress: Follows the games.

    Yields:
        What is found on small boards, the table of the bots, and the outcome.
    """
    most = 0.0
    for small in small_boards():
        sums = {name: _sum_over_every_layout(bot, small) for name, bot in BOTS.items()}
        most = float(max(most, *map(abs, sums.values())))
        layouts = len(list(every_layout(small)))
        yield Note(f"{small.name}: {layouts} layouts, most {max(map(abs, sums.values())):.1e}")
    yield f"Luck summed over every layout of small boards: at most {most:.1e} for any bot."
    played = list(games_alone(list(BOTS), preset(rules), games, SEED, workers, progress=progress))
    lucks = dict(progress(lucks_of(preset(rules), played, workers), len(played), "games adjusted"))
    found = {name: _found(name, played, lucks) for name in BOTS}
    coverage = {name: _coverage(one) for name, one in found.items()}
    yield _table(found, coverage)
    cost_s = _cost_s(preset(rules), played)
    yield f"Cost: {cost_s:.3f} s a game on one core."
    strong = [found[name].factor for name in STRONG]
    outcome = {
        "benchmark": "adjusted",
        "ratio": round(min(strong), 1),
        "games": games,
        "most_luck_over_every_layout": most,
        "most_errors": round(max(abs(one.errors) for one in found.values()), 2),
        "least_coverage": min(coverage.values()),
        "most_coverage": max(coverage.values()),
        "cost_s": round(cost_s, 3),
        "met": bool(
            most < NOTHING
            and max(abs(one.errors) for one in found.values()) < UNLIKELY
            and COVERED[0] <= min(coverage.values()) <= max(coverage.values()) <= COVERED[1]
            and min(strong) >= FACTOR
            and cost_s <= COST_S
        ),
    }
    yield outcome_line(outcome)


def small_boards() -> Iterator[Rules]:
    """Yield boards of which every layout can be played, for every kind of sinkings."""
    fleet = (Ship("Long", 3), Ship("Short", 2))
    for shots in (1, 2):
        for sinkings in ("named", "unnamed", "silent"):
            name = f"4x3, {shots} a turn, {sinkings}"
            yield Rules(name=name, rows=4, columns=3, fleet=fleet, shots=shots, sinkings=sinkings)
    alike = (Ship("One", 2), Ship("Two", 2))
    yield Rules(name="4x3, hits named", rows=4, columns=3, fleet=alike, hits_named=True)


def _sum_over_every_layout(bot: Callable[[], Bot], rules: Rules) -> float:
    """Return the luck of a bot summed over every layout; always by one seed it draws alike."""
    lucks = []
    for layout in every_layout(rules):
        game = play_bots([bot()], rules, layout=layout)
        assert game.forfeit is None, game.reason
        lucks.append(luck_of_game(rules, game).turns)
    return float(np.sum(lucks))


def _found(name: str, played: Sequence[Game], lucks: dict[str, Luck]) -> Found:
    games = sorted(
        (game for game in played if game.fixture.first == name), key=lambda game: game.fixture.pair
    )
    return Found(
        np.array([game.tallies[0].turns for game in games], float),
        np.array([lucks[game.fixture.id].turns for game in games]),
        np.array([game.fixture.pair // LAYOUTS_PER_BLOCK for game in games], float),
    )


def _coverage(found: Found) -> float:
    """Return how often the interval of some blocks, drawn anew, holds the mean of all."""
    values = found.turns - found.luck
    parts = [values[found.blocks == block] for block in np.unique(found.blocks)]
    random = np.random.default_rng(SEED)
    held = 0
    for _ in range(RESAMPLED):
        drawn = [parts[number] for number in random.integers(len(parts), size=BLOCKS)]
        numbers = np.repeat(np.arange(BLOCKS, dtype=float), [len(part) for part in drawn])
        mean = block_mean(np.concatenate(drawn), numbers)
        held += mean.low <= values.mean() <= mean.high
    return float(held) / RESAMPLED


def _cost_s(rules: Rules, played: Sequence[Game]) -> float:
    """Return the processor time that the luck of a game takes, over games of all bots."""
    some = played[:: max(len(played) // TIMED, 1)]
    luck_of_game(rules, some[0])  # what is loaded once does not count
    started = time.process_time()
    list(map(partial(luck_of_game, rules), some))
    return (time.process_time() - started) / len(some)


def _table(found: dict[str, Found], coverage: dict[str, float]) -> str:
    rows = []
    for name, one in found.items():
        left = one.turns - one.luck
        mean = block_mean(left, one.blocks)
        rows.append(
            {
                "bot": f"`{name}`",
                "games": len(one.turns),
                "plain": str(estimate(one.turns)),
                "adjusted": written(mean),
                "deviation of a game": f"{one.turns.std():.2f} to {left.std():.2f}",
                "variance, times less": f"{one.factor:.1f}",
                "mean luck": f"{one.luck.mean():+.3f} ({one.errors:+.1f} errors)",
                "coverage": f"{coverage[name]:.1%}",
            }
        )
    table = pd.DataFrame(rows)
    return str(
        tabulate(table, headers="keys", tablefmt="github", showindex=False, disable_numparse=True)
    )
