"""Compares two distributions of layouts, from games at layouts of both.

A layout drawn from either of two distributions with equal chances stands for both: with the odds o
of the second against the first, it counts 2 / (1 + o) for the first and 2 o / (1 + o) for the
second. So every game tells of both means, and where the distributions are close, what layouts and
luck scatter cancels in the difference (importance sampling from a mixture: Owen and Zhou, "Safe and
effective importance sampling", 2000).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.games.estimates import Estimate, estimate
from leaderboards.turns.means import half_width

Doubles = npt.NDArray[np.float64]


class Compared(NamedTuple):
    """The mean under the first distribution, under the second, and how much greater that is."""

    first: Estimate
    second: Estimate
    gain: Estimate


def less(one: Estimate, other: Estimate) -> Estimate:
    """Return how much greater the first of two independent means is."""
    return Estimate(one.value - other.value, float(np.hypot(one.half, other.half)))


def compared(values: Sequence[float] | Doubles, odds: Doubles) -> Compared:
    """Return the means of both distributions, and their difference.

    Args:
        values: What was found at some layouts, as many of the first distribution as of the second.
        odds: How many times likelier the second distribution draws each.
    """
    found = np.asarray(values, float)
    weights = 2 / (1 + odds)
    away = []
    for weight in (weights, odds * weights):
        mean = float(weight @ found / weight.sum())
        away.append((mean, weight * (found - mean)))
    (one, off_one), (two, off_two) = away
    parts = ((one, off_one), (two, off_two), (two - one, off_two - off_one))
    return Compared(
        *(Estimate(mean, half_width(float(off.std(ddof=1)), len(off))) for mean, off in parts)
    )


def share_won(scores: Sequence[float] | Doubles, own: Doubles, others: Doubles) -> Estimate:
    """Return the share that a layout of the second distribution wins against one of the first.

    Two layouts a and b, one of each distribution but either of them the first, are as likely to be
    (a, b) as o(a) + o(b) is to the odds that they would have as second and first, o(a), or as first
    and second, o(b); so the score of a counts (o(a) - o(b)) / (o(a) + o(b)) times.

    Args:
        scores: What the owner of a won, from 0 to 1, both seats alike.
    """
    weight = (own - others) / (own + others)
    return estimate(0.5 + weight * (np.asarray(scores, float) - 0.5))
