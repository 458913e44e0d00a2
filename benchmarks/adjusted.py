"""Checks means adjusted for luck: no bias, right intervals, and none wider than the plain one.

On small boards the luck of every layout is summed, which must give nothing. On the standard board
seven bots from random to strong play. From their games many samples are drawn, and the adjusted
means of these are set beside the plain ones.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.records import LAYOUTS_PER_BLOCK
from arena.rules import Rules, Ship, preset
from benchmarks.games.estimates import estimate
from benchmarks.games.solo_games import SoloGames, every_layout, game_at
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option, record, workers
from leaderboards.turns.adjusted_means import slopes
from leaderboards.turns.means import ROUNDING, mean_limits
from salvo.bundled import bot_class
from salvo.reports.tables.luck_adjustment import luck_of_game

STRONG = ("probability_density", "posterior_greedy", "posterior_parity", "value_search")
BOTS = ("uniform_random", "hunt_target", "hunt_parity", *STRONG)
SEED = 10

SIZES = (10, 20, 50, 100, 250, 500)
"""Layouts of a sample. Of one block, up to 50 of them, the adjusted mean is the plain one."""

SAMPLES = 2_000
"""Samples of each size: an interval's coverage is known to 0.5%."""

NOTHING = 1e-9
UNLIKELY = 3.29
"""Standard errors that a mean of chance is off in one case of a thousand."""

FACTOR = {"classic": 30.0, "salvo": 5.0}
WIDEST = 1.02
"""An adjusted interval as a share of the plain one, at most, but for noise."""

COVERED = (0.93, 0.97)
COST_S = 0.3
TIMED = 40
"""Games of which each is timed."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(500, "Solo games of each of the seven bots.", least=20)
    rules: Literal["classic", "salvo"] = option("classic", "The preset that they play.")
    db: Path = record("adjusted.sqlite3")
    workers: int = workers()


class _Games(NamedTuple):
    """The turns and the luck in turns of each game of a bot, in the order of play."""

    turns: Floats
    luck: Floats

    @property
    def errors(self) -> float:
        """The mean luck in standard errors."""
        return float(self.luck.mean() / self.luck.std(ddof=1) * np.sqrt(len(self.luck)))

    def adjusted(self) -> tuple[Floats, Floats, npt.NDArray[np.int64]]:
        """Return the turns less luck, the shares of the luck that went, and the blocks."""
        blocks = np.arange(len(self.turns)) // LAYOUTS_PER_BLOCK
        beta = slopes(self.turns, self.luck, blocks)
        return self.turns - beta * self.luck, beta, blocks


class _Sampled(NamedTuple):
    """How wide, how often right and how far off the adjusted means of many samples were."""

    width: float  # of the adjusted interval, as a share of the plain one
    coverage: float
    bias: float  # of the adjusted mean, in turns
    bias_errors: float  # in standard errors


def run(settings: Settings) -> Iterator[str]:
    """Yield what is found on small boards, two tables of the bots, and the outcome."""
    most = 0.0
    for small in small_boards():
        sums = {name: _sum_over_every_layout(name, small) for name in BOTS}
        most = float(max(most, *map(abs, sums.values())))
        layouts = len(list(every_layout(small)))
        yield Note(f"{small.name}: {layouts} layouts, most {max(map(abs, sums.values())):.1e}")
    yield f"Luck summed over every layout of small boards: at most {most:.1e} for any bot."
    rules = preset(settings.rules)
    solo = SoloGames(BOTS, rules, settings.games, SEED, settings.workers)
    found = solo.strength_by(settings.db, rules.name)
    games = {
        name: _Games(found.turns[name], found.turns[name] - found.adjusted[name]) for name in BOTS
    }
    yield _table(games)
    sampled = {name: {size: _sampled(own, size) for size in SIZES} for name, own in games.items()}
    yield _sample_table(sampled)
    cost_s = _cost_s(solo)
    yield f"Cost: {cost_s:.3f} s a game on one core."
    yield _outcome(settings, most, games, sampled, cost_s)


def _outcome(
    settings: Settings,
    most: float,
    games: dict[str, _Games],
    sampled: dict[str, dict[int, _Sampled]],
    cost_s: float,
) -> str:
    adjusted = [
        one for own in sampled.values() for size, one in own.items() if size > LAYOUTS_PER_BLOCK
    ]
    widest = max(one.width for one in adjusted)
    coverage = [one.coverage for one in adjusted]
    bias = max(abs(one.bias_errors) for one in adjusted)
    errors = max(abs(own.errors) for own in games.values())
    factor = min(sampled[name][max(SIZES)].width ** -2 for name in STRONG)
    return outcome_line(
        "adjusted",
        ratio=round(factor, 1),
        games=settings.games,
        most_luck_over_every_layout=most,
        most_errors=round(errors, 2),
        most_bias_errors=round(bias, 2),
        widest=round(widest, 3),
        least_coverage=min(coverage),
        most_coverage=max(coverage),
        cost_s=round(cost_s, 3),
        met=bool(
            most < NOTHING
            and max(errors, bias) < UNLIKELY
            and widest <= WIDEST
            and COVERED[0] <= min(coverage) <= max(coverage) <= COVERED[1]
            and factor >= FACTOR[settings.rules]
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


def _sampled(games: _Games, size: int) -> _Sampled:
    """Draw samples of games, in blocks as they are played, and average over them.

    These bots remember nothing of earlier games, so games are drawn one by one. Luck is taken for
    what it is beyond its mean over all games, so that in these its expectation is 0, and the mean
    turns of all games are the truth.
    """
    luck = games.luck - games.luck.mean()
    truth = games.turns.mean()
    random = np.random.default_rng(SEED)
    rows = []
    for _ in range(SAMPLES):
        places = random.integers(len(luck), size=size)
        sample = _Games(games.turns[places], luck[places])
        values, _, blocks = sample.adjusted()
        mean, low, high = mean_limits(values, ROUNDING, blocks)
        _, plain_low, plain_high = mean_limits(sample.turns, ROUNDING)
        rows.append((high - low, plain_high - plain_low, low <= truth <= high, mean - truth))
    width, plain_width, held, bias = np.array(rows, float).mean(axis=0).tolist()
    error = float(np.std([row[-1] for row in rows]) / np.sqrt(SAMPLES))
    return _Sampled(width / plain_width, held, bias, bias / error)


def _cost_s(solo: SoloGames) -> float:
    games = list(solo._replace(bots=STRONG[:2], layouts=-(-TIMED // 2)).play())
    luck_of_game(solo.rules, games[0])  # what is loaded once does not count
    started = time.process_time()
    list(map(partial(luck_of_game, solo.rules), games))
    return (time.process_time() - started) / len(games)


def _table(games: dict[str, _Games]) -> str:
    rows = []
    for name, own in games.items():
        values, beta, blocks = own.adjusted()
        mean, low, high = mean_limits(values, ROUNDING, blocks)
        row = {
            "bot": f"`{name}`",
            "plain": str(estimate(own.turns)),
            "adjusted": f"{mean:.3f} ± {(high - low) / 2:.3f}",
            "beta": f"{beta.mean():.2f}",
            "variance, times less": f"{own.turns.var() / values.var():.1f}",
            "mean luck": f"{own.luck.mean():+.3f} ({own.errors:+.1f} errors)",
        }
        rows.append(row)
    return markdown([list(row.values()) for row in rows], list(rows[0]))


def _sample_table(sampled: dict[str, dict[int, _Sampled]]) -> str:
    """Return for each bot and size how wide the interval is, and how often it holds."""
    rows = []
    for name, own in sampled.items():
        off = max(own.values(), key=lambda one: abs(one.bias_errors))
        cells = [f"{one.width:.2f}, {one.coverage:.1%}" for one in own.values()]
        rows.append([f"`{name}`", *cells, f"{off.bias:+.3f} ({off.bias_errors:+.1f} errors)"])
    return markdown(rows, ["bot", *(f"{size} layouts" for size in SIZES), "most bias"])
