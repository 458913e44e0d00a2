"""Measures how often the check on luck names honest bots, and bots that know some layouts.

Honest games are recorded ones whose answers are drawn anew, each by how likely it was; games that
are known are shot at without a miss. Both are put together to tables as leaderboards see them.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

import numpy as np
import numpy.typing as npt

from arena import Bot
from arena.records import Game
from arena.replay import replay
from arena.rules import Rules, Salvo, cells_of, draw_uniform, preset
from benchmarks.games.solo_games import SoloGames, game_at
from benchmarks.lines import markdown, outcome_line
from benchmarks.options import option, workers
from bots.tactics.value.answer_luck import Answers, chances_with_played, log_e_values
from leaderboards.turns.luck_check import MOST_FALSE, chance_of, log_stakes
from salvo.cli.terminal.progress_bars import progress_bar
from salvo.reports.tables.luck_adjustment import answers_in
from salvo.reports.tables.solo_shots import solo_shots

HONEST = ("posterior_parity", "posterior_greedy", "hunt_target")
CHEATS = HONEST[:2]
"""The bots that know some layouts, and play the others as they do."""

REDRAWN = 400
"""How often the answers of each honest game are drawn anew."""

BOTS = 10
"""Bots in each table."""

GAMES = 100
"""Games of each bot in the tables of honest bots."""

SIZES = (100, 1_000, 10_000)
SHARES = (0.01, 0.02, 0.05, 0.1, 0.22, 1.0)
FIFTEEN = 15
TABLES = 400
"""Tables in which each cheat is looked for."""

LEVELS = (0.1, 0.01, 0.001, MOST_FALSE)
SEED = 23
AT_ONCE = 50_000
"""Games that are put together at a time."""

Floats = npt.NDArray[np.float64]
Stakes = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(200, "Games of each kind that are played.", least=2)
    tables: int = option(20_000, "Tables of honest bots that are put together of them.", least=10)
    rules: Literal["classic", "salvo"] = option("salvo", "The preset that is played.")
    workers: int = workers()


class _Knows(Bot):
    """Shoots at the cells of a layout that it knows, and then at others."""

    def __init__(self, cells: Sequence[int]) -> None:
        self.cells = list(cells)

    def choose_shots(self, count: int) -> Sequence[int]:
        wanted = [*self.cells, *self.untried]
        return list(dict.fromkeys(cell for cell in wanted if cell in set(self.untried)))[:count]


def run(settings: Settings) -> Iterator[str]:
    """Yield how often honest bots are named, and the others by how they shoot; and the outcome."""
    games, tables, rules = settings.games, settings.tables, settings.rules
    played = preset(rules)
    random = np.random.default_rng(SEED)
    honest = {}
    for name in HONEST:
        alone = SoloGames([name], played, games, SEED, settings.workers).play()
        honest[name] = _honest(progress_bar(alone, games, f"games of {name}"), played, random)
    chances = _chances_of_honest(list(honest.values()), tables, random)
    named = {level: float((chances <= level).mean()) for level in LEVELS}
    yield f"{tables:,} tables of {BOTS} honest bots with {GAMES} games each, {rules}:"
    for level, share in named.items():
        yield f"  the check at {level:g} names a bot in {share:.4%} of them"
    power = {}
    for order, spread in (("ship by ship", False), ("a cell of each ship first", True)):
        turns, known = _known(played, games, spread=spread)
        power[order] = {name: _power(honest[name], known, random) for name in CHEATS}
        yield (
            f"\nNamed, where layouts are known and shot at {order} ({turns:.1f} turns), "
            f"{rules}, among {BOTS} bots:\n"
        )
        yield _table(power[order])
    fifteen = min(
        min(of_bot["fifteen games"]) for of_order in power.values() for of_bot in of_order.values()
    )
    yield outcome_line(
        "suspects",
        rules=rules,
        tables=tables,
        named_honest=named[MOST_FALSE],
        named_fifteen=fifteen,
        met=named[MOST_FALSE] <= MOST_FALSE and fifteen > 1 - 0.01,
    )


def _honest(played: Iterable[Game], rules: Rules, random: np.random.Generator) -> Stakes:
    """Return the factors of bets on honest games like some that were played, (games, bets)."""
    stakes = []
    for number, game in enumerate(played):
        answers, worth = _answers(rules, _salvos(game, rules), number)
        stakes.append(log_stakes(_drawn_anew(answers, worth, random)).astype(np.float32))
    return np.concatenate(stakes)


def _salvos(game: Game, rules: Rules) -> list[Salvo]:
    return [state.salvo for state in replay(game, rules) if state.salvo is not None]


def _answers(rules: Rules, salvos: Sequence[Salvo], number: int) -> tuple[Answers, Floats]:
    """Return the answers that a search might have got, and how many shots each leaves."""
    found = answers_in(rules, salvos, f"{SEED} {number}".encode())
    assert found is not None
    answers, turns = found
    return answers, turns * solo_shots(rules)


def _drawn_anew(answers: Answers, worth: Floats, random: np.random.Generator) -> Floats:
    """Return e-values of a game as chance might have had it, logarithms, (``REDRAWN``, tilts)."""
    logs, chances = log_e_values(answers, worth), chances_with_played(answers)
    total = np.zeros((REDRAWN, logs.shape[1]))
    for salvo in range(len(answers.came)):
        rows = np.flatnonzero(answers.salvo == salvo)
        likely = chances[rows] / chances[rows].sum()
        total += logs[random.choice(rows, REDRAWN, p=likely)]
    return total


def _known(rules: Rules, games: int, *, spread: bool) -> tuple[float, Stakes]:
    """Return the mean turns of games whose layouts are known, and the factors of bets on each.

    With ``spread`` a cell of each ship is shot first, which soon leaves chances untold; else ship
    by ship.
    """
    layouts = Random(SEED)
    turns, stakes = [], []
    for number in range(games):
        layout = draw_uniform(rules, layouts)
        ships = [list(cells_of(mask)) for mask in layout]
        order = itertools.zip_longest(*ships) if spread else ships
        cells = [cell for ship in order for cell in ship if cell is not None]
        game = game_at(_Knows(cells), rules, layout)
        answers, worth = _answers(rules, _salvos(game, rules), number)
        e_values = log_e_values(answers, worth)[answers.came].sum(axis=0)
        stakes.append(log_stakes(e_values[None, :]).astype(np.float32))
        turns.append(game.tallies[0].turns)
    return float(np.mean(turns)), np.concatenate(stakes)


def _chances_of_honest(
    stakes: Sequence[Stakes], tables: int, random: np.random.Generator
) -> Floats:
    """Return the least chance that the check gives any bot, for tables of honest bots."""
    least = [
        min(
            float(chance_of(_sum_of(stakes[bot % len(stakes)], GAMES, random), BOTS))
            for bot in range(BOTS)
        )
        for _ in progress_bar(range(tables), tables, "tables")
    ]
    return np.array(least)


def _sum_of(stakes: Stakes, games: int, random: np.random.Generator) -> Floats:
    """Return the product of bets on some games, as logarithms; games are drawn from those given."""
    total = np.zeros(stakes.shape[1])
    for first in range(0, games, AT_ONCE):
        number = min(AT_ONCE, games - first)
        total += stakes[random.integers(len(stakes), size=number)].sum(axis=0, dtype=np.float64)
    return total


def _power(honest: Stakes, known: Stakes, random: np.random.Generator) -> dict[str, list[float]]:
    """Return how often a bot is named, for each share of known games and each number of games."""
    amounts = {f"{share:.0%}": [round(share * games) for games in SIZES] for share in SHARES}
    amounts["fifteen games"] = [FIFTEEN] * len(SIZES)
    found: dict[str, list[float]] = {}
    for told, numbers in amounts.items():
        found[told] = []
        for games, number in zip(SIZES, numbers, strict=True):
            sums = [
                _sum_of(honest, games - number, random) + _sum_of(known, number, random)
                for _ in range(TABLES)
            ]
            found[told].append(float((chance_of(np.stack(sums), BOTS) <= MOST_FALSE).mean()))
    return found


def _table(power: dict[str, dict[str, list[float]]]) -> str:
    rows = [
        [told, *(f"{share:.1%}" for of_bot in power.values() for share in of_bot[told])]
        for told in next(iter(power.values()))
    ]
    heads = [f"`{name}`, {games:,} games" for name in power for games in SIZES]
    return markdown(rows, ["known", *heads])
