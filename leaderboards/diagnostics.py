"""What the games say against the model, and what a reader of the ratings must know."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from leaderboards.estimate import Estimate
from leaderboards.field import Field

_SURPRISE = 4.0
"""How many standard deviations off a pairing's score must be to be warned of."""

_LEAST_VARIANCE = 2.0
"""Variance of the points below which their deviation has no normal law."""

_NAMED = 5
"""How many bots a warning names before it counts the rest."""


def pairings_of(field: Field, estimate: Estimate) -> pd.DataFrame:
    """Return the record of every two bots that met, seen from each side.

    Args:
        field: The games.
        estimate: What they tell.

    Returns:
        One row for each bot and opponent, by name: `bot`, `opponent`, `games`, `wins`, `draws`,
        `losses`, `score` and `predicted` (points per game, 0 to 1; NaN where there is no rating).
    """
    by_seat, by_bot = field.table().sum(axis=2), field.by_bot()
    one, other = np.nonzero(by_bot.sum(axis=2))
    won, drawn, lost = (by_bot[one, other, outcome] for outcome in range(3))
    games = won + drawn + lost
    expected = by_seat[one, other] * estimate.score[one, other] + by_seat[other, one] * (
        1 - estimate.score[other, one]
    )
    names = np.array(field.bots, dtype=object)
    return pd.DataFrame(
        {
            "bot": names[one],
            "opponent": names[other],
            "games": games,
            "wins": won,
            "draws": drawn,
            "losses": lost,
            "score": (won + drawn / 2) / games,
            "predicted": expected / games,
        }
    )


def warnings_of(field: Field, estimate: Estimate, pairings: pd.DataFrame) -> tuple[str, ...]:
    """Return what a reader must know, in whole sentences."""
    return (
        *_apart(field),
        *_unrated(field, estimate),
        *_one_sided(field, estimate),
        *_torn_pairs(field),
        *_surprises(pairings),
    )


def _apart(field: Field) -> Iterator[str]:
    groups = field.components()
    if len(groups) > 1:
        named = "; ".join(_names(field, group) for group in groups)
        yield (
            f"No games link these groups of bots: {named}. Each group is rated by itself, about a "
            "mean of its own: ratings of different groups do not compare."
        )


def _unrated(field: Field, estimate: Estimate) -> Iterator[str]:
    if unrated := np.flatnonzero(np.isnan(estimate.strength)).tolist():
        yield (
            f"Without a prior there is no finite rating for {_names(field, unrated)}: nobody, or "
            "only each other, did they both beat and lose to along some chain of games."
        )
    if estimate.advantage is None and len(field.bots) > len(unrated):
        yield "The games do not tell what the first seat is worth: it is taken to be worth nothing."


def _one_sided(field: Field, estimate: Estimate) -> Iterator[str]:
    ordinary = [
        index
        for index, strength in enumerate(estimate.strength)
        if not estimate.bound[index] and not np.isnan(strength)
    ]
    inner = field.restricted(ordinary)
    for group in inner.components():
        cores = [core for core in inner.cores() if core[0] in group]
        if len(cores) > 1:
            named = "; ".join(_names(field, [ordinary[index] for index in core]) for core in cores)
            yield (
                f"Between these bots all points went one way: {named}. How far apart they are "
                "rests on the prior."
            )


def _torn_pairs(field: Field) -> Iterator[str]:
    games = field.outcomes.sum(axis=2)
    if torn := int(field.counts[games.min(axis=1) < games.max(axis=1)].sum()):
        yield (
            f"{torn} of {int(field.counts.sum())} pairs lack a game in one of the seats: their "
            "games count, but do not cancel what the first seat is worth."
        )


def _surprises(pairings: pd.DataFrame) -> Iterator[str]:
    variance = pairings["games"] * pairings["predicted"] * (1 - pairings["predicted"])
    off = pairings["games"] * (pairings["score"] - pairings["predicted"])
    far = (variance > _LEAST_VARIANCE) & (off > _SURPRISE * np.sqrt(variance))
    for row in pairings[far].itertuples():
        yield (
            f"{row.bot} scores {row.score:.0%} against {row.opponent} where its rating predicts "
            f"{row.predicted:.0%}: one number a bot does not tell this pairing's story."
        )


def _names(field: Field, indices: Sequence[int]) -> str:
    named = ", ".join(field.bots[index] for index in indices[:_NAMED])
    return f"{named} and {len(indices) - _NAMED} more" if len(indices) > _NAMED else named
