"""What the first seat is worth, and whether the games show it."""

from collections.abc import Sequence

import numpy as np

from leaderboards.elo.field import Field
from leaderboards.elo.fit import Fit, constraints_of, evidence_of, fitted
from leaderboards.elo.intervals import limits
from leaderboards.elo.likelihood import ADVANTAGE, chances, information
from leaderboards.elo.misfit import seat_misfit

_SMALLEST_SHARE = 1e-9
"""Information below this share of the largest counts as none: its parameter is not estimated."""

_LARGEST_VARIANCE = 1e4
"""A variance beyond this, in nats squared, is that of an estimate on its way to infinity."""

_SURELY = 0.001
"""The first seat is surely worth more in some pairings than in others below this p-value."""


def advantage_of(joint: Field, fit: Fit) -> tuple[tuple[float, float, float], bool]:
    """Return the first seat's advantage, its limits, and whether pairings surely differ in it.

    Where they do, the limits are as much wider as pairings differ by more than luck.
    """
    direction = np.zeros((1, len(fit.summit.parameters)))
    direction[0, ADVANTAGE] = 1
    [low], [high] = limits(fit, direction)
    value, size = float(fit.summit.parameters[ADVANTAGE]), len(joint.bots)
    moments = chances(fit.summit.parameters, fit.summit.evidence.drawable)
    misfit, p_value = seat_misfit(
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
