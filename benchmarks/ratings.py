"""Rates fields with a hopeless bot, with a helper and its friend, and a large one."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from benchmarks.costs.own_process import peak_mb
from benchmarks.lines import aligned, outcome_line
from benchmarks.options import option
from benchmarks.simulations.fields import SPREAD_ELO, large_field, round_robin_games
from leaderboards import Ratings, rate
from leaderboards.display.formatted_tables import leaderboard_text, shown_leaderboard
from leaderboards.elo.elo_table import ELO_PER_NAT

AIM_S = 10.0

_FIELD = {"a": 60.0, "b": 0.0, "c": -60.0}
_FEW = 200
_HOPELESS = ((60, 0), (60_000, 0), (60_000, 1), (60_000, 3))

_SIZES = ((4, 40), (4, 100), (10, 40), (10, 100), (30, 40))
"""Bots of a field, and games of every two of them."""

_BOTS_A_FIELD = 10
"""Larger fields are tried less often, so that all take about as long."""

_FRIENDS = ((0.0, 0.0), (-200.0, 200.0), (-600.0, 200.0))
"""The strengths of a friend and its helper, in Elo about the mean of the others."""


@dataclass(frozen=True)
class Settings:
    """The options."""

    games: int = option(1_000_000, "Games of the large field.", least=2)
    bots: int = option(100, "Bots of the large field.", least=2)
    fields: int = option(200, "Honest fields of each size; a tenth as many have a helper.")
    seed: int = option(1, "The seed of the results.", least=0)


def run(settings: Settings) -> Iterator[str]:
    """Yield what one bot does to the ratings of others, and what the large field takes.

    That is by how much the hopeless bot moves the others, by how much a helper lifts its friend and
    how often that is named, and the time and the memory of rating with everything that is printed.
    """
    rows = [
        (
            f"{played:,}",
            str(won),
            f"{_moved(played, won, played // 3):.2f}",
            f"{_moved(played, won, _FEW):.2f}",
        )
        for played, won in _HOPELESS
    ]
    moves = "others move by at most, Elo"
    heads = (moves, f"with {_FEW} games a pairing of theirs")
    yield aligned(rows, ("games of the hopeless bot", "its wins", *heads))
    generator = np.random.default_rng(settings.seed)
    yield aligned(
        [_honest(settings.fields, bots, games, generator) for bots, games in _SIZES],
        ("bots", "games a pairing", "honest fields", "named", "most that one moves, Elo"),
    )
    yield aligned(
        [
            _lifted(-(-settings.fields // 10), bots, games, friends, generator)
            for bots, games in _SIZES
            for friends in _FRIENDS
        ],
        ("bots", "games a pairing", "friend", "helper", "lifted by, Elo", "named"),
    )
    table = large_field(settings.games, settings.bots, settings.seed)
    started_s = time.process_time()
    text = leaderboard_text(shown_leaderboard(rate(table)))
    took_s = time.process_time() - started_s
    yield "\n".join(text.splitlines()[:9])
    yield outcome_line(
        "ratings",
        ratio=round(took_s / AIM_S, 3),
        seconds_of_processor_time=round(took_s, 2),
        most_memory_mb=round(peak_mb()),
        games=len(table),
        bots=settings.bots,
    )


def _moved(played: int, won: int, others: int) -> float:
    """Return by how much a bot that won some games against one moves the ratings of all others."""
    field = [
        game
        for one, other in itertools.combinations(_FIELD, 2)
        for game in _games(one, other, others, expit((_FIELD[one] - _FIELD[other]) / ELO_PER_NAT))
    ]
    against = [
        game
        for bot, lost in zip(_FIELD, (won, 0, 0), strict=True)
        for game in _games("hopeless", bot, played // 3, lost / (played // 3))
    ]
    alone, beside = (
        rate(pd.DataFrame(rows, columns=["first", "second", "result", "pair"]).assign(forfeit=None))
        for rows in (field, field + against)
    )
    elo, now = (one.table.set_index("bot")["elo"] for one in (alone, beside))
    return float(max(abs(now[bot] - elo[bot]) for bot in _FIELD))


def _games(one: str, other: str, games: int, score: float) -> list[tuple[str, str, str, int]]:
    """Return games in pairs of which the first bot wins a share, spread evenly."""
    won = np.diff(np.floor(np.arange(games + 1) * score + 1e-9)) > 0
    return [
        (one, other, "first" if win else "second", number // 2)
        if number % 2 == 0
        else (other, one, "second" if win else "first", number // 2)
        for number, win in enumerate(won.tolist())
    ]


def _fewer(fields: int, bots: int) -> int:
    return max(1, fields * _BOTS_A_FIELD // max(bots, _BOTS_A_FIELD))


def _honest(fields: int, bots: int, games: int, generator: np.random.Generator) -> tuple[str, ...]:
    """Return how often ratings are said to lean on one opponent in honest fields."""
    number = _fewer(fields, bots)
    strengths = generator.normal(0, SPREAD_ELO, (number, bots))
    rated = [rate(round_robin_games(elo, games // 2, generator)) for elo in strengths]
    named = sum(bool(one.pairings["leans"].any()) for one in rated)
    most = np.nanmax([one.pairings["moved"].abs().max() for one in rated])
    return str(bots), str(games), str(number), str(named), f"{most:.0f}"


def _lifted(
    fields: int,
    bots: int,
    games: int,
    strengths: tuple[float, float],
    generator: np.random.Generator,
) -> tuple[str, ...]:
    """Return the same for fields in which a helper gives its friend every game."""
    number, lifts, named = _fewer(fields, bots), [], 0
    for _ in range(number):
        elo = generator.normal(0, SPREAD_ELO, bots)
        elo[:2] = elo[2:].mean() + np.array(strengths)
        honest = round_robin_games(elo, games // 2, generator)
        both = ["bot000", "bot001"]
        between = honest["first"].isin(both) & honest["second"].isin(both)
        won = np.where(honest["first"] == "bot000", "first", "second")
        lifted = rate(honest.assign(result=honest["result"].mask(between, pd.Series(won))))
        lifts.append(_lead(lifted) - _lead(rate(honest)))
        leans = lifted.table.set_index("bot")["leans_on"]
        named += leans["bot000"] == "bot001"
    told = f"{np.mean(lifts):.0f} ({min(lifts):.0f} to {max(lifts):.0f})"
    friend, helper = (f"{elo:g}" for elo in strengths)
    return str(bots), str(games), friend, helper, told, f"{named} of {number}"


def _lead(ratings: Ratings) -> float:
    """Return how far the friend stands above the mean of those that are not in it."""
    elo = ratings.table.set_index("bot")["elo"]
    return float(elo["bot000"] - elo.drop(["bot000", "bot001"]).mean())
