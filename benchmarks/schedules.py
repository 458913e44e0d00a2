"""Simulates tournaments in which bots do not all meet, beside round robins, and rates them.

Strengths are normal with each of some standard deviations, 0 among them, where all bots are equal;
the first seat is worth 30 Elo. Every fourth field plays a round robin too, of about as many games
of a bot. Errors fall with the root of the number of games, so the price of a schedule is the ratio
of squared errors times that of games: how many games it takes where a round robin takes one.
"""

import itertools
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from arena.records import Block, Outcome
from arena.rules import preset
from arena.schedule import Plan, Schedule, round_robin
from arena.seeds import Seeds
from benchmarks.lines import Note, markdown, outcome_line
from benchmarks.options import option
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.fit import constraints_of, fitted
from leaderboards.elo.game_counts import Field, Floats, field_of
from leaderboards.elo.intervals import limits
from leaderboards.elo.quasi_variances import quasi_variances
from leaderboards.elo.ratings import PRIOR_PAIRS
from salvo.conditions import GAMES_A_BLOCK, MATCHING
from salvo.reacting import draw_of, in_rounds

SPREADS_ELO = (0, 50, 100, 300)
ROUND_ROBIN = "round robin"
_FIRST_SEAT_ELO = 30.0
_FIELDS_A_ROUND_ROBIN = 4


@dataclass(frozen=True)
class Settings:
    """The options."""

    bots: int = option(30, "Bots of a field.", least=3)
    games: int = option(240, "Games of a bot; the round robin beside has about as many.", least=20)
    fields: int = option(100, "Fields of each spread.")
    seed: int = option(1, "The seed of the simulation.", least=0)
    workers: int = option(2, "Fields simulated in parallel.")


def run(settings: Settings) -> Iterator[str]:
    """Yield how well ratings and their intervals hold, by spread and schedule, and the outcome."""
    parts = []
    with ProcessPoolExecutor(settings.workers) as pool:
        for spread in SPREADS_ELO:
            fields = pool.map(partial(simulated, settings, spread), range(settings.fields))
            part = _summed_up(pd.DataFrame(itertools.chain.from_iterable(fields)))
            parts.append(part)
            held = zip(part["schedule"], part["held"], strict=True)
            yield Note(
                f"spread {spread}: " + ", ".join(f"{one} {share:.4f}" for one, share in held)
            )
    table = pd.concat(parts)
    shown = [table[name].map(form.format) for name, (_, form) in _COLUMNS.items()]
    yield markdown(list(zip(*shown, strict=True)), [heading for heading, _ in _COLUMNS.values()])
    reacting = table[table["schedule"] != ROUND_ROBIN]
    yield outcome_line(
        "schedules",
        ratio=round(float(reacting["price"].max()), 3),
        least_coverage=round(float(reacting["held"].min()), 4),
        most_coverage=round(float(reacting["held"].max()), 4),
        bots=settings.bots,
        games_of_a_bot=settings.games,
        fields=settings.fields,
    )


_COLUMNS = {
    "spread": ("spread, Elo", "{:.0f}"),
    "schedule": ("schedule", "{}"),
    "games": ("games a bot", "{:.0f}"),
    "fewest": ("fewest", "{:.0f}"),
    "held": ("intervals hold", "{:.1%}"),
    "wide": ("ratings spread", "{:.3f}"),
    "off": ("rms error", "{:.1f}"),
    "lead_off": ("of leads", "{:.1f}"),
    "price": ("games for the same error", "{:.2f}"),
    "met": ("neighbours that met", "{:.0%}"),
}
"""The heading and the format of each column."""


def simulated(settings: Settings, spread: int, number: int) -> list[dict[str, Any]]:
    """Return a row for each schedule by which a field, the one of this number, plays."""
    generator = np.random.default_rng((settings.seed, spread, number))
    names = [f"bot{place:03}" for place in range(settings.bots)]
    elo = generator.normal(0, 1, settings.bots) * spread
    rows = []
    for schedule in MATCHING if number % _FIELDS_A_ROUND_ROBIN else (ROUND_ROBIN, *MATCHING):
        plan = scheduled(schedule, f"{spread} {number}", names, settings)
        played = played_by(plan, names, elo, generator)
        found = rated(field_of(played))
        games = np.bincount(np.searchsorted(names, played[["first", "second"]].to_numpy().ravel()))
        met = set(zip(played["first"], played["second"], strict=True))
        ranked = itertools.pairwise(np.argsort(-found.strength))
        near = [(names[one], names[other]) in met for one, other in ranked]
        rows.append(
            {
                "spread": spread,
                "schedule": schedule,
                "games": float(games.mean()),
                "fewest": float(games.min()),
                "met": float(np.mean(near)),
                **_errors(found, elo),
            }
        )
    return rows


class _NoSeeds(Seeds, frozen=True):
    """Gives all games the same seeds: nobody plays them."""

    def of_game(
        self, first: str, second: str | None, pair: int, attempt: int = 0
    ) -> tuple[int, int]:
        del first, second, pair, attempt
        return 0, 0


def scheduled(schedule: str, name: str, names: Sequence[str], settings: Settings) -> Schedule:
    """Return a schedule of these bots, for a tournament of some name."""
    matching = next((one for one in MATCHING if one == schedule), None)
    plan = Plan(
        tournament=name,
        seeds=_NoSeeds(0, preset("salvo")),
        pairings=() if matching else round_robin(names),
        soloists=tuple(names),
        pairs=max(1, round(settings.games / (settings.bots - 1) / 2)),
        layouts=0,
    )
    if matching is None:
        return plan
    games = settings.games // GAMES_A_BLOCK * GAMES_A_BLOCK
    return in_rounds(matching, plan, games, draw_of(matching, plan))


def played_by(
    schedule: Schedule, names: Sequence[str], elo: Floats, generator: np.random.Generator
) -> pd.DataFrame:
    """Return the games of a schedule as a table, their results drawn by the bots' strengths."""
    strength = dict(zip(names, elo.tolist(), strict=True))
    results: list[Sequence[Outcome]] = []
    rows = []
    while isinstance(block := schedule.block(len(results), results), Block):
        outcomes = [
            Outcome(game.first, game.second, game.pair, "first" if won else "second")
            for game, won in zip(block.fixtures, _won(block, strength, generator), strict=True)
        ]
        results.append(outcomes)
        rows += [
            (game.first, game.second, game.pair, block.number, game.result) for game in outcomes
        ]
    return pd.DataFrame(rows, columns=["first", "second", "pair", "block", "result"])


def _won(block: Block, elo: dict[str, float], generator: np.random.Generator) -> list[bool]:
    leads = np.array(
        [elo[game.first] - elo[str(game.second)] + _FIRST_SEAT_ELO for game in block.fixtures]
    )
    won: list[bool] = (generator.random(len(leads)) < expit(leads / ELO_PER_NAT)).tolist()
    return won


class Rated(NamedTuple):
    """Ratings of N bots in nats about their mean, with 95% limits, as `estimated` finds them."""

    strength: Floats
    low: Floats
    high: Floats
    variance: Floats
    weights: Floats  # of the bots in the mean


def rated(field: Field) -> Rated:
    """Return the ratings of a field in which all are linked and nobody won or lost everything."""
    # `estimated` compares all bots with one another as well, which takes most of its time.
    everybody = range(len(field.bots))
    even = fitted(field, PRIOR_PAIRS, constraints_of(field, [everybody]))
    quasi = quasi_variances(even.differences(), [everybody])
    weights = 1 / quasi / (1 / quasi).sum()
    fit = fitted(field, PRIOR_PAIRS, constraints_of(field, [everybody], weights=weights))
    low, high = limits(fit, np.eye(len(quasi), len(fit.naive)))
    strength = fit.maximum.parameters[: len(quasi)]
    return Rated(strength, low, high, np.diag(fit.covariance()), weights)


def _errors(rated: Rated, elo: Floats) -> dict[str, float]:
    """Return how far off the ratings of a field are, and how many of their intervals hold."""
    # Both about the same mean, which weighs bots by how well they are known.
    truth = (elo - rated.weights @ elo) / ELO_PER_NAT
    off = ELO_PER_NAT * (rated.strength - truth)
    leads = np.diff(off[np.argsort(-elo, kind="stable")])
    return {
        "held": float(((rated.low <= truth) & (truth <= rated.high)).mean()),
        "varied": float(rated.strength.var()),
        # If errors are as large as ratings say, and independent of strengths.
        "expected": float(truth.var() + rated.variance.mean()),
        "squared": float((off**2).mean()),
        "squared_leads": float((leads**2).mean()),
    }


def _summed_up(found: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each schedule: means of the fields of one spread, and the price in games."""
    table = found.groupby("schedule", sort=False).mean()
    effort = table["squared"] * table["games"]
    return table.assign(
        wide=np.sqrt(table["varied"] / table["expected"]),
        off=np.sqrt(table["squared"]),
        lead_off=np.sqrt(table["squared_leads"]),
        price=effort / effort[ROUND_ROBIN],
    ).reset_index()
