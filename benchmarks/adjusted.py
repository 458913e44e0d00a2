"""Checks the adjustment for luck: no bias, and far narrower intervals.

On small boards the luck of every layout is summed, which must give nothing; on the standard board
six bots from random to strong play, and their turns are set beside their turns less luck.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.records import LAYOUTS_PER_BLOCK, Game
from arena.rules import Rules, Ship, preset
from arena.store import Luck
from benchmarks.games.estimates import adjusted_mean, estimate
from benchmarks.games.solo_games import SoloGames, every_layout, game_at
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option, workers
from leaderboards.turns.adjusted_means import block_mean
from salvo.bundled import bot_class
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.tables.luck_adjustment import luck_of_game, lucks_of

STRONG = ("probability_density", "posterior_greedy", "posterior_parity")
BOTS = ("uniform_random", "hunt_target", "hunt_parity", *STRONG)

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


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(5000, "Solo games of each of the six bots.", least=20)
    rules: Literal["classic", "salvo"] = option("classic", "The preset that they play.")
    workers: int = workers()


class _Found(NamedTuple):
    """The turns, the luck in turns, and the number of the block of each game of a bot."""

    turns: Floats
    luck: Floats
    blocks: Floats

    @property
    def factor(self) -> float:
        """Return how many times less the variance is without luck."""
        return float(self.turns.var() / (self.turns - self.luck).var())

    @property
    def errors(self) -> float:
        """The mean luck in standard errors."""
        return float(self.luck.mean() / self.luck.std(ddof=1) * np.sqrt(len(self.luck)))


def run(settings: Settings) -> Iterator[str]:
    """Yield what is found on small boards, the table of the bots, and the outcome."""
    games, workers, rules = settings.games, settings.workers, preset(settings.rules)
    most = 0.0
    for small in small_boards():
        sums = {name: _sum_over_every_layout(name, small) for name in BOTS}
        most = float(max(most, *map(abs, sums.values())))
        layouts = len(list(every_layout(small)))
        yield Note(f"{small.name}: {layouts} layouts, most {max(map(abs, sums.values())):.1e}")
    yield f"Luck summed over every layout of small boards: at most {most:.1e} for any bot."
    played = list(SoloGames(BOTS, rules, games, SEED, workers).play())
    lucks = dict(progress_bar(lucks_of(rules, played, workers), len(played), "games adjusted"))
    found = {name: _found(name, played, lucks) for name in BOTS}
    coverage = {name: _coverage(one) for name, one in found.items()}
    yield _table(found, coverage)
    cost_s = _cost_s(rules, played)
    yield f"Cost: {cost_s:.3f} s a game on one core."
    factor = min(found[name].factor for name in STRONG)
    errors = max(abs(one.errors) for one in found.values())
    least, greatest = min(coverage.values()), max(coverage.values())
    yield outcome_line(
        "adjusted",
        ratio=round(factor, 1),
        games=games,
        most_luck_over_every_layout=most,
        most_errors=round(errors, 2),
        least_coverage=least,
        most_coverage=greatest,
        cost_s=round(cost_s, 3),
        met=bool(
            most < NOTHING
            and errors < UNLIKELY
            and COVERED[0] <= least <= greatest <= COVERED[1]
            and factor >= FACTOR
            and cost_s <= COST_S
        ),
    )


def small_boards() -> Iterator[Rules]:
    """Yield boards of which every layout can be played, for every kind of sinkings."""
    fleet = (Ship("Long", 3), Ship("Short", 2))
    for shots in (1, 2):
        for sinkings in ("named", "unnamed", "silent"):
            name = f"4x3, {shots} a turn, {sinkings}"
            yield Rules(name=name, rows=4, columns=3, fleet=fleet, shots=shots, sinkings=sinkings)
    alike = (Ship("One", 2), Ship("Two", 2))
    yield Rules(name="4x3, hits named", rows=4, columns=3, fleet=alike, hits_named=True)


def _sum_over_every_layout(bot: str, rules: Rules) -> float:
    # Always by one seed, so that it draws alike.
    games = (game_at(bot_class(bot)(), rules, layout) for layout in every_layout(rules))
    return float(np.sum([luck_of_game(rules, game).turns for game in games]))


def _found(name: str, played: Sequence[Game], lucks: dict[str, Luck]) -> _Found:
    games = sorted(
        (game for game in played if game.fixture.first == name), key=lambda game: game.fixture.pair
    )
    return _Found(
        np.array([game.tallies[0].turns for game in games], float),
        np.array([lucks[game.fixture.id].turns for game in games]),
        np.array([game.fixture.pair // LAYOUTS_PER_BLOCK for game in games], float),
    )


def _coverage(found: _Found) -> float:
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
    some = played[:: max(len(played) // TIMED, 1)]
    luck_of_game(rules, some[0])  # what is loaded once does not count
    started = time.process_time()
    list(map(partial(luck_of_game, rules), some))
    return (time.process_time() - started) / len(some)


def _table(found: dict[str, _Found], coverage: dict[str, float]) -> str:
    rows = []
    for name, one in found.items():
        left = one.turns - one.luck
        row = {
            "bot": f"`{name}`",
            "games": len(one.turns),
            "plain": str(estimate(one.turns)),
            "adjusted": str(adjusted_mean(left, one.blocks)),
            "deviation of a game": f"{one.turns.std():.2f} to {left.std():.2f}",
            "variance, times less": f"{one.factor:.1f}",
            "mean luck": f"{one.luck.mean():+.3f} ({one.errors:+.1f} errors)",
            "coverage": f"{coverage[name]:.1%}",
        }
        rows.append(row)
    return markdown([list(row.values()) for row in rows], list(rows[0]))
