"""Simulates tournaments in which bots do not all meet, beside round robins, and rates them.

Strengths are normal with a standard deviation of 300 Elo, a first seat is worth 30, and each
simulation draws them anew, the same for all schedules. A round robin is set beside them with about
the same number of games, and with a day's where the others have an hour's.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from arena.records import Block, Outcome
from arena.rules import preset
from arena.schedule import Plan, Schedule, round_robin
from arena.seeds import Seeds
from benchmarks.lines import Note, aligned, outcome_line
from benchmarks.options import option
from leaderboards import Ratings, rate
from leaderboards.elo.elo_table import ELO_PER_NAT
from salvo.conditions import GAMES_A_BLOCK, MATCHING
from salvo.reacting import in_rounds

_SPREAD_ELO = 300.0
_FIRST_SEAT_ELO = 30.0
_COLUMNS = {
    "games": ("games", "{:,.0f}"),
    "fewest": ("fewest of a bot", "{:,.0f}"),
    "off": ("Elo off by (rms)", "{:.1f}"),
    "half": ("own interval", "± {:.1f}"),
    "held": ("holds the truth", "{:.3f}"),
    "lead_off": ("lead off by (rms)", "{:.1f}"),
    "in_order": ("neighbours in order", "{:.1%}"),
    "met": ("neighbours that met", "{:.1%}"),
}
"""The heading and the format of each number of a row."""

_Row = dict[str, float]


@dataclass(frozen=True)
class Settings:
    """The options."""

    bots: int = option(60, "Bots of a tournament.", least=3)
    games: int = option(240, "Games of a bot; the round robin beside has about as many.", least=20)
    simulations: int = option(20, "Tournaments by each schedule.")
    seed: int = option(1, "The seed of the simulation.", least=0)


def run(settings: Settings) -> Iterator[str]:
    """Yield how far off the ratings are, by schedule, and the outcome."""
    bots, games, simulations = settings.bots, settings.games, settings.simulations
    names = [f"bot{number:03}" for number in range(bots)]
    equal = max(1, round(games / (bots - 1) / 2))
    plans: dict[str, Callable[[str], Schedule]] = {
        "round robin": lambda name: _plan(name, names, equal),
        **{one: _in_rounds(one, names, games) for one in MATCHING},
        "round robin, 24 times": lambda name: _plan(name, names, 24 * equal),
    }
    found: dict[str, list[_Row]] = {name: [] for name in plans}
    streams = np.random.SeedSequence(settings.seed).spawn(simulations)
    for number, stream in enumerate(streams):
        generator = np.random.default_rng(stream)
        elo = dict(zip(names, generator.normal(0, _SPREAD_ELO, bots).tolist(), strict=True))
        for name, schedule in plans.items():
            played = _played(schedule(f"{name} {number}"), elo, generator)
            found[name].append(_precision(rate(played), played, elo))
        yield Note(f"{number + 1} of {simulations} tournaments")
    means = {name: pd.DataFrame(rows).mean() for name, rows in found.items()}
    rows = [
        (name, *(form.format(mean[column]) for column, (_, form) in _COLUMNS.items()))
        for name, mean in means.items()
    ]
    yield aligned(rows, ("schedule", *(heading for heading, _ in _COLUMNS.values())))
    best = means["round robin"]
    off, lead_off = (
        {name: round(float(mean[of] / best[of]), 3) for name, mean in means.items()}
        for of in ("off", "lead_off")
    )
    yield outcome_line(
        "schedules",
        ratio=off["adaptive"],
        rms_error_over_that_of_a_round_robin_of_equal_games=off,
        rms_error_of_leads_likewise=lead_off,
        bots=bots,
        games_of_a_bot=games,
        simulations=simulations,
    )


def _in_rounds(matching: str, names: Sequence[str], games: int) -> Callable[[str], Schedule]:
    [one] = [known for known in MATCHING if known == matching]
    blocks = games // GAMES_A_BLOCK * GAMES_A_BLOCK
    return lambda name: in_rounds(one, _plan(name, names, 0), blocks)


def _plan(tournament: str, names: Sequence[str], pairs: int) -> Plan:
    return Plan(
        tournament=tournament,
        seeds=Seeds(0, preset("salvo")),
        pairings=round_robin(names) if pairs else (),
        soloists=tuple(names),
        pairs=pairs,
        layouts=0,
    )


def _played(
    schedule: Schedule, elo: dict[str, float], generator: np.random.Generator
) -> pd.DataFrame:
    """Return the games of a schedule as a table, their results drawn by the bots' strengths."""
    results: list[Sequence[Outcome]] = []
    rows = []
    while isinstance(block := schedule.block(len(results), results), Block):
        outcomes = [
            Outcome(game.first, game.second, game.pair, "first" if won else "second")
            for game, won in zip(block.fixtures, _won(block, elo, generator), strict=True)
        ]
        results.append(outcomes)
        rows += [
            (game.first, game.second, game.pair, block.number, game.result) for game in outcomes
        ]
    columns = ["first", "second", "pair", "block", "result"]
    return pd.DataFrame(rows, columns=columns).assign(forfeit=None)


def _won(block: Block, elo: dict[str, float], generator: np.random.Generator) -> list[bool]:
    leads = np.array(
        [elo[game.first] - elo[str(game.second)] + _FIRST_SEAT_ELO for game in block.fixtures]
    )
    won: list[bool] = (generator.random(len(leads)) < expit(leads / ELO_PER_NAT)).tolist()
    return won


def _precision(ratings: Ratings, played: pd.DataFrame, elo: dict[str, float]) -> _Row:
    """Return how far off ratings are, and how sure they were of themselves."""
    table = ratings.table
    truth = table["bot"].map(elo).to_numpy(dtype=np.float64)
    # Both about the same mean, which weighs bots by how well they are known.
    truth = truth + 1500 - table["weight"].to_numpy() @ truth
    low, high = table["low"].fillna(-np.inf), table["high"].fillna(np.inf)
    own = (high - low)[np.isfinite(high - low)] / 2
    ranked = sorted(elo, key=lambda bot: -elo[bot])
    place = {bot: index for index, bot in enumerate(table["bot"])}
    found = dict(zip(table["bot"], table["elo"], strict=True))
    pairs = list(itertools.pairwise(ranked))
    leads = np.array([found[one] - found[other] - elo[one] + elo[other] for one, other in pairs])
    met = {frozenset(seats) for seats in zip(played["first"], played["second"], strict=True)}
    near = [frozenset(pair) in met for pair in itertools.pairwise(table["bot"])]
    return {
        "games": len(played),
        "fewest": float(table["games"].min()),
        "off": float(np.sqrt(((table["elo"] - truth) ** 2).mean())),
        "half": float(own.mean()),
        "held": float(((low <= truth) & (truth <= high)).mean()),
        "lead_off": float(np.sqrt((leads**2).mean())),
        "in_order": float(np.mean([place[one] < place[other] for one, other in pairs])),
        "met": float(np.mean(near)),
    }
