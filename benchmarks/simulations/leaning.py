"""How often ratings are said to lean on one opponent: in honest fields, and with a helper."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.lines import aligned
from leaderboards import Ratings, rate
from leaderboards.elo.elo_table import ELO_PER_NAT

_SIZES = ((4, 40), (4, 100), (10, 40), (10, 100), (30, 40))
"""Bots of a field, and games of every two of them."""

_BOTS_A_FIELD = 10
"""Larger fields are tried less often, so that all take about as long."""

_SPREAD_ELO = 200.0
_FRIENDS = ((0.0, 0.0), (-200.0, 200.0), (-600.0, 200.0))
"""How strong a friend and its helper are, in Elo about the mean of the others."""


def leaning(fields: int, seed: int) -> Iterator[str]:
    """Yield how often ratings lean on one opponent in honest fields, and in fields with a helper.

    Args:
        fields: Honest fields of each size; those with a helper are a tenth as many.
        seed: The seed of the results.
    """
    generator = np.random.default_rng(seed)
    yield aligned(
        [_honest(fields, bots, games, generator) for bots, games in _SIZES],
        ("bots", "games a pairing", "honest fields", "named", "most that one moves, Elo"),
    )
    yield aligned(
        [
            _lifted(-(-fields // 10), bots, games, (friend, helper), generator)
            for bots, games in _SIZES
            for friend, helper in _FRIENDS
        ],
        ("bots", "games a pairing", "friend", "helper", "lifted by, Elo", "named"),
    )


def _fewer(fields: int, bots: int) -> int:
    return max(1, fields * _BOTS_A_FIELD // max(bots, _BOTS_A_FIELD))


def _honest(fields: int, bots: int, games: int, generator: np.random.Generator) -> tuple[str, ...]:
    number = _fewer(fields, bots)
    strengths = generator.normal(0, _SPREAD_ELO, (number, bots))
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
    number, lifts, named = _fewer(fields, bots), [], 0
    for _ in range(number):
        elo = generator.normal(0, _SPREAD_ELO, bots)
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


def round_robin_games(
    elo: "np.typing.NDArray[np.float64]", pairs: int, generator: np.random.Generator
) -> pd.DataFrame:
    """Return the games of bots that all meet, in pairs with the seats swapped.

    Args:
        elo: The strengths of the bots, which are called bot000 and so on.
        pairs: Pairs of games of every two.
        generator: Draws the results.
    """
    one, other = (np.repeat(index, pairs) for index in np.triu_indices(len(elo), 1))
    pair = np.tile(np.arange(pairs), len(one) // max(pairs, 1))
    names = np.array([f"bot{number:03}" for number in range(len(elo))], dtype=object)
    halves = []
    for first, second in ((one, other), (other, one)):
        won = generator.random(len(first)) < 1 / (
            1 + np.exp((elo[second] - elo[first]) / ELO_PER_NAT)
        )
        halves.append(
            pd.DataFrame(
                {
                    "first": names[first],
                    "second": names[second],
                    "result": np.where(won, "first", "second").astype(object),
                    "pair": pair,
                }
            )
        )
    return pd.concat(halves, ignore_index=True).assign(forfeit=None)
