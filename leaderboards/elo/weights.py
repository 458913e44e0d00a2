"""How much each bot weighs in the mean of its group."""

from collections.abc import Sequence

import numpy as np

from leaderboards.elo.field import Field, Floats
from leaderboards.elo.fit import constraints_of, fitted
from leaderboards.elo.quasi_variances import quasi_variances, worst_error


def weights_of(
    joint: Field,
    prior: float,
    groups: Sequence[Sequence[int]],
    weighing: Sequence[Sequence[int]],
    *,
    seats_matter: bool,
) -> Floats:
    """Return the share of each bot in the reference of its group: by inverse quasi-variances."""
    even = fitted(joint, prior, constraints_of(joint, groups, seats_matter=seats_matter))
    quasi, _ = quasi_of(even.differences(), weighing)
    weights = np.zeros(len(quasi))
    for group, inside in zip(groups, weighing, strict=True):
        # Where all have bounds, or one alone has none, the mean is that of all.
        known = list(inside if len(inside) > 1 else group)
        share = 1 / quasi[known] if len(inside) > 1 else np.ones(len(known))
        weights[known] = share / share.sum()
    return weights


def quasi_of(differences: Floats, groups: Sequence[Sequence[int]]) -> tuple[Floats, float]:
    """Return the quasi-variances, each group's apart, and the largest error of any."""
    quasi, error = np.full(len(differences), np.nan), 0.0
    for group in groups:
        if len(group) > 1:
            inside = differences[np.ix_(group, group)]
            quasi[list(group)] = quasi_variances(inside)
            error = max(error, worst_error(quasi[list(group)], inside))
    return quasi, error
