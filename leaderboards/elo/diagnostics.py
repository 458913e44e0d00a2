"""Compares the games with the model, and warns where they contradict it."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.estimate import Estimate
from leaderboards.elo.game_counts import Field
from leaderboards.elo.influence import LEANING_ELO, influence_of
from leaderboards.elo.misfits import compared_pairings, sure_cycles, surprising

_NAMED = 5  # how many bots a warning names before it counts the rest


def pairings_of(field: Field, estimate: Estimate, prior: float | None) -> pd.DataFrame:
    """Return the record of every two bots that met, seen from each side; see `Ratings.pairings`."""
    by_seat, by_bot = field.table().sum(axis=2), field.by_bot()
    one, other = np.nonzero(by_bot.sum(axis=2))
    won, drawn, lost = (by_bot[one, other, outcome] for outcome in range(3))
    games = won + drawn + lost
    expected = by_seat[one, other] * estimate.score[one, other] + by_seat[other, one] * (
        1 - estimate.score[other, one]
    )
    names = np.array(field.bots, dtype=object)
    influence = influence_of(field, estimate, prior)
    moved, low, high = (
        table[one, other] * ELO_PER_NAT
        for table in (influence.moved, influence.low, influence.high)
    )
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
            "moved": moved,
            "moved_low": low,
            "moved_high": high,
            "leans": np.maximum(low, -high) > LEANING_ELO,
        }
    )


def warnings_of(field: Field, estimate: Estimate, pairings: pd.DataFrame) -> tuple[str, ...]:
    """Return what a reader must know, in whole sentences."""
    return (
        *_apart(field),
        *_unrated(field, estimate),
        *_one_sided(field, estimate),
        *_incomplete_pairs(field),
        *_seats(estimate),
        *_misfits(field, estimate, pairings),
        *_leaning(pairings),
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
        yield "The games do not show what the first seat is worth: it is taken to be worth nothing."


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


def _incomplete_pairs(field: Field) -> Iterator[str]:
    if incomplete := int((field.incomplete_pairs * field.counts).sum()):
        pairs = int((field.pairs * field.counts).sum())
        yield (
            f"{incomplete} of {pairs} pairs lack a game in one of the seats: "
            "their games count, but do not cancel what the first seat is worth."
        )


def _seats(estimate: Estimate) -> Iterator[str]:
    if estimate.seats_differ:
        yield (
            "What the first seat is worth differs from pairing to pairing by more than luck: its "
            "interval is widened accordingly."
        )


def _misfits(field: Field, estimate: Estimate, pairings: pd.DataFrame) -> Iterator[str]:
    if estimate.joint is None:
        return
    compared = compared_pairings(field, estimate.joint.fit, estimate.score)
    for cycle in sure_cycles(field, compared):
        bots = [field.bots[index] for index in cycle]
        chain = ", ".join(
            f"{winner} beats {loser}"
            for winner, loser in zip(bots, [*bots[1:], bots[0]], strict=True)
        )
        yield f"A circle: {chain}. One number a bot cannot show that; see who beats whom."
    told = pairings.set_index(["bot", "opponent"])
    for index in np.flatnonzero(surprising(compared)).tolist():
        two = [field.bots[side[index]] for side in (compared.one, compared.other)]
        bot, opponent = two if compared.surplus[index] > 0 else two[::-1]
        row = told.loc[(bot, opponent)]
        yield (
            f"{bot} scores {row['score']:.0%} against {opponent} where its rating predicts "
            f"{row['predicted']:.0%}: one number a bot does not describe this pairing."
        )


def _leaning(pairings: pd.DataFrame) -> Iterator[str]:
    leaning = pairings[pairings["leans"]]
    farthest = leaning["moved"].abs().groupby(leaning["bot"]).idxmax()
    for row in leaning.loc[farthest].to_dict("records"):
        limits = sorted(abs(row[end]) for end in ("moved_low", "moved_high"))
        yield (
            f"The rating of {row['bot']} leans on {row['opponent']}: by its other games it would "
            f"stand {abs(row['moved']):.0f} Elo {'lower' if row['moved'] > 0 else 'higher'} "
            f"(95%: {limits[0]:.0f} to {limits[1]:.0f})."
        )


def _names(field: Field, indices: Sequence[int]) -> str:
    named = ", ".join(field.bots[index] for index in indices[:_NAMED])
    return f"{named} and {len(indices) - _NAMED} more" if len(indices) > _NAMED else named
