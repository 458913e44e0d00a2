"""Estimates what the first seat is worth, and tests whether all pairings agree on it."""

from collections.abc import Sequence

import numpy as np
from scipy import special

from leaderboards.elo.fit import Fit, constraints_of, evidence_of, fitted
from leaderboards.elo.game_counts import Field, Floats
from leaderboards.elo.intervals import limits
from leaderboards.elo.likelihood import ADVANTAGE, chances, information

_SMALLEST_SHARE = 1e-9
"""Information below this share of the largest counts as none: its parameter is not estimated."""

_LARGEST_VARIANCE = 1e4
"""A variance beyond this, in nats squared, is that of an estimate on its way to infinity."""

_LEAST_VARIANCE = 2.0  # variance of the points below which their deviation is far from normal
_SURELY = 0.001
"""The first seat is surely worth more in some pairings than in others below this p-value."""


def advantage_of(joint: Field, fit: Fit) -> tuple[tuple[float, float, float], bool]:
    """Return the first seat's advantage, its limits, and whether pairings surely differ in it.

    Where they do, the limits are as much wider as pairings differ by more than luck.
    """
    direction = np.zeros((1, len(fit.maximum.parameters)))
    direction[0, ADVANTAGE] = 1
    [low], [high] = limits(fit, direction)
    value, size = float(fit.maximum.parameters[ADVANTAGE]), len(joint.bots)
    moments = chances(fit.maximum.parameters, fit.maximum.evidence.drawable)
    misfit, p_value = _misfit(
        joint,
        moments.score[:size, :size] + 0.5,
        moments.variance[:size, :size],
        float(fit.adjustment(direction)[0]),
    )
    differ = p_value < _SURELY
    wider = np.sqrt(misfit) if differ else 1.0
    return (value, value - (value - low) * wider, value + (high - value) * wider), differ


def seats_tell(field: Field, groups: Sequence[Sequence[int]]) -> bool:
    """Return whether the first seat's advantage has a finite estimate without a prior."""
    constraints = constraints_of(field, groups)
    evidence = evidence_of(field, 0)
    flat = information(evidence, np.zeros(constraints.shape[1])) + constraints.T @ constraints
    spectrum = np.linalg.eigvalsh(flat)
    if spectrum[0] < _SMALLEST_SHARE * spectrum[-1]:
        return False
    try:
        fit = fitted(field, 0, constraints)
    except (FloatingPointError, np.linalg.LinAlgError):
        return False
    return bool(np.diag(fit.naive).max() < _LARGEST_VARIANCE)


def _misfit(field: Field, score: Floats, variance: Floats, inflation: float) -> tuple[float, float]:
    """Test whether the first seat is worth the same in every pairing; return statistic and p-value.

    The points of the first seats of a pairing beyond those expected, squared over their variance,
    are summed over pairings: chi-squared where one number for the first seat fits all. The
    statistic is that sum per degree of freedom, and 1 with fewer than two pairings.
    """
    games = field.table().astype(np.float64)
    number = games.sum(axis=2)
    surplus = games[:, :, 0] + games[:, :, 1] / 2 - number * score
    own = number * variance * inflation
    one, other = np.nonzero(np.triu(np.minimum(number, number.T) > 0, 1))
    surplus, own = surplus + surplus.T, own + own.T
    known = own[one, other] > _LEAST_VARIANCE
    one, other = one[known], other[known]
    degrees = len(one) - 1
    if degrees < 1:
        return 1.0, 1.0
    total = float((surplus[one, other] ** 2 / own[one, other]).sum())
    return total / degrees, float(special.chdtrc(degrees, total))
