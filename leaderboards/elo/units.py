"""Estimates how far the games of one unit depend on each other.

A unit is a pair of games, or a block of pairs. Its *surplus* is the derivative of the
log-likelihood: points made beyond those expected.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.likelihood import ADVANTAGE, TIE, Chances, Evidence, chances

_SCORES = np.array([0.5, 0.0, -0.5])
"""Points of the first seat about an even game: won, drawn, lost."""


_MOST_LEVERAGE = 0.9  # beyond it next to nothing is left of a surplus to learn from


@dataclass(frozen=True, slots=True)
class Trust:
    """Says how far the correlation within units that games show is trusted.

    Attributes:
        pooling: The weight of the field's correlation against that of a bot's own, in units.
        doubted: Uncorrelated units that are added to the field's: a few show little but noise.
        degrees: Degrees of freedom that standard errors have before any unit.
    """

    pooling: float
    doubted: float
    degrees: float


_OF_PAIRS = Trust(pooling=100, doubted=5, degrees=5)
_OF_BLOCKS = Trust(pooling=10, doubted=0.5, degrees=1.5)  # bots may well learn within blocks


def trust_of(units_a_pair: float) -> Trust:
    """Return how far correlation is trusted: units are blocks where there are fewer than pairs."""
    return _OF_PAIRS if units_a_pair == 1 else _OF_BLOCKS


def leverage(field: Field, evidence: Evidence, parameters: Floats, naive: Floats) -> Floats:
    """Return how far a fit follows each kind of unit (K,): 0 for not at all, 1 for all the way.

    That is the share of a unit in all that is known of the difference of its two bots, by their
    covariance `naive` (P, P). A surplus left over is so much smaller than it was before the fit.
    """
    spread = chances(parameters, evidence.drawable).variance
    told = np.zeros(len(field.counts))
    for first, second, games in _by_seat(field):
        told += games.sum(axis=1) * spread[first, second]
    one, other = field.one, field.other
    variance = naive[one, one] + naive[other, other] - 2 * naive[one, other]
    return np.asarray(np.minimum(told * variance, _MOST_LEVERAGE))


def surplus_variance(
    field: Field, evidence: Evidence, parameters: Floats, followed: Floats
) -> Floats:
    """Return the variance (P, P) of the derivatives of the log-likelihood, as units show it.

    What a fit followed, by `leverage` (K,), is made up for (Bell and McCaffrey, "Bias reduction in
    standard errors for linear regression with multi-stage samples", 2002).
    """
    surplus = _surplus_by_kind(field, evidence, parameters, np.sqrt(1 - followed))
    return np.asarray((surplus.T @ (surplus * field.counts[:, None])).toarray(), dtype=np.float64)


def _surplus_by_kind(
    field: Field, evidence: Evidence, parameters: Floats, left: Floats
) -> "sparse.csr_array[np.float64]":
    moments = chances(parameters, evidence.drawable)
    strength, advantage, tie = np.zeros((3, len(field.counts)))
    for sign, (first, second, games) in zip((1, -1), _by_seat(field), strict=True):
        number = games.sum(axis=1)
        surplus = games @ _SCORES - number * moments.score[first, second]
        strength += sign * surplus
        advantage += surplus
        if evidence.drawable.any():
            tie += games[:, 1] - number * moments.draw[first, second]
    places = np.full((len(strength), 4), len(parameters))
    places[:, 0], places[:, 1] = field.one, field.other
    places[:, 2:] += (ADVANTAGE, TIE)
    values = np.column_stack([strength, -strength, advantage, tie]) / left[:, None]
    rows = np.arange(0, values.size + 1, values.shape[1])
    shape = len(strength), len(parameters)
    return sparse.csr_array((values.ravel(), places.ravel(), rows), shape=shape)


def shared_within_units(
    field: Field, evidence: Evidence, parameters: Floats, followed: Floats, doubted: float
) -> Floats:
    """Return what correlation within units adds to the variance (P, P) of the derivatives.

    One number stands for the whole field: which share of the greatest possible covariance the games
    of a unit have (Frechet's bounds, for the chances that the model gives them). What a fit
    followed, by `leverage` (K,), is made up for, and so many `doubted` uncorrelated units are added
    to those of the field.
    """
    moments = chances(parameters, evidence.drawable)
    left = 1 - followed
    seen = float((_covariance_seen(field, moments, left) * field.counts).sum())
    same, swapped = _greatest_covariance(field, moments, alike=seen > 0)
    possible = float((np.abs(same + swapped) * field.counts).sum())
    full = float(((field.outcomes.sum(axis=(1, 2)) > 1) * left * field.counts).sum())
    share = min(abs(seen) / possible, 1.0) if possible > 0 else 0.0
    share *= full / (full + doubted)
    strengths = share * (same + swapped) * field.counts
    result = np.zeros((len(parameters), len(parameters)))
    for index in (field.one, field.other):
        np.add.at(result, (index, index), strengths)
    np.add.at(result, (field.one, field.other), -strengths)
    np.add.at(result, (field.other, field.one), -strengths)
    result[ADVANTAGE, ADVANTAGE] = share * ((same - swapped) * field.counts).sum()
    return result


def _by_seat(field: Field) -> tuple[tuple[Integers, Integers, Integers], ...]:
    return (
        (field.one, field.other, field.outcomes[:, 0]),
        (field.other, field.one, field.outcomes[:, 1]),
    )


def _covariance_seen(field: Field, moments: Chances, left: Floats) -> Floats:
    total = np.zeros(len(field.counts))
    squares = np.zeros(len(field.counts))
    for sign, (first, second, games) in zip((1, -1), _by_seat(field), strict=True):
        surplus = _SCORES[None, :] - moments.score[first, second][:, None]
        total += sign * (games * surplus).sum(axis=1)
        squares += (games * surplus**2).sum(axis=1)
    return total**2 / left - squares


def _greatest_covariance(field: Field, moments: Chances, *, alike: bool) -> tuple[Floats, Floats]:
    """Return the covariance farthest from zero that a bot's points in a unit can have, summed.

    The first (K,) is over every two games in the same seat, the second over different seats.
    """
    number = field.outcomes.sum(axis=2)
    ours, theirs = moments.score[field.one, field.other], -moments.score[field.other, field.one]
    ours, theirs = ours + 0.5, theirs + 0.5
    here = moments.variance[field.one, field.other]
    there = moments.variance[field.other, field.one]
    # Draws leave points less variance than wins and losses alone would.
    spread = np.sqrt(here * there)
    if alike:
        most = np.clip(np.minimum(ours, theirs) - ours * theirs, -spread, spread)
        same = (number * (number - 1) * np.stack([here, there], axis=1)).sum(axis=1)
        return np.asarray(same, float), 2 * number.prod(axis=1) * most
    most = np.clip(np.maximum(ours + theirs - 1, 0) - ours * theirs, -spread, spread)
    # A game can be the opposite of one game, not of all others of its unit.
    return np.zeros(len(field.counts)), 2 * number.min(axis=1) * most
