"""Computes intervals for means of few and skewed numbers, which may be alike within blocks.

Student's t covers too seldom where a few dozen skewed numbers are averaged: the mean and its
standard error then depend on each other. Hall, "On the removal of skewness by transformation"
(1992), takes the skewness out by a cubic that can be inverted; Student's quantiles stand in for the
normal ones. Without skewness this is Student's interval.

Games of one block, which one process played, may be alike. The variance of their mean is then a
weighted average of that over blocks and that over single games, the former with the weight
`(blocks - 1) / (blocks - 1 + 10)`: of few blocks a variance is hardest to tell. Its degrees of
freedom are Satterthwaite's (1946) for numbers that are not alike.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.quasi_variances import LEVEL

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

ROUNDING = 1 / np.sqrt(12)
"""The standard deviation of what rounding to whole numbers takes away."""

_FEWEST_FOR_SKEWNESS = 5
_MOST_SKEWNESS = 2.0
"""More, as a single far value makes it, is left in: taken out, it would carry the limits away."""

_BLOCKS_ALIKE = 10
"""With so many blocks more than one, the variances over blocks and over games weigh the same."""


class Error(NamedTuple):
    """The standard error of a mean, and its degrees of freedom."""

    value: float
    degrees: float


def half_width(deviation: float, count: int) -> float:
    """Return half the width of Student's interval of a mean; NaN for a single value.

    The deviation is estimated from the values (``ddof=1``), which are independent.
    """
    if count < 2:  # noqa: PLR2004 - one value says nothing of how far it is off
        return float("nan")
    quantile = float(special.stdtrit(count - 1, (1 + LEVEL) / 2))
    return quantile * deviation / float(np.sqrt(count))


def error_of_mean(values: Floats, blocks: Whole | None = None, least: float = 0.0) -> Error:
    """Return the standard error of the mean of two numbers or more.

    Args:
        blocks: The block of each number; None if all are independent.
        least: What the standard deviation of the numbers is taken for, at least.
    """
    size = len(values)
    variance = max(float(values.var(ddof=1)), least**2) / size
    if blocks is None:
        return Error(float(np.sqrt(variance)), size - 1)
    _, place = np.unique(blocks, return_inverse=True)
    sums = np.bincount(place, values - values.mean())
    free = len(sums) - 1
    weight = free / (free + _BLOCKS_ALIKE)
    by_game = (1 - weight) / (size - 1)
    by_block = by_game + (weight / free if free else 0.0)
    degrees = 1 / (by_block**2 * free + by_game**2 * (size - 1 - free))
    if free:
        over_blocks = max((sums**2).sum() / free * (free + 1) / size**2, least**2 / size)
        variance = weight * over_blocks + (1 - weight) * variance
    return Error(float(np.sqrt(variance)), degrees)


def mean_limits(
    values: Floats, least_deviation: float = 0.0, blocks: Whole | None = None
) -> tuple[float, float, float]:
    """Return the mean of some numbers and its 95% limits, NaN where there are too few.

    Arguments as in `error_of_mean`.
    """
    size = len(values)
    if size < 2:  # noqa: PLR2004 - one number does not vary
        return float(values.mean()) if size else float("nan"), float("nan"), float("nan")
    mean = float(values.mean())
    error, degrees = error_of_mean(values, blocks, least_deviation)
    quantile = float(special.stdtrit(degrees, (1 + LEVEL) / 2))
    skewness = _skewness(values) if values.std(ddof=1) > least_deviation else 0.0
    low, high = (mean - error * _untransformed(x, skewness, size) for x in (quantile, -quantile))
    return mean, float(low), float(high)


def _skewness(values: Floats) -> float:
    size = len(values)
    if size < _FEWEST_FOR_SKEWNESS:
        return 0.0
    away = values - values.mean()
    biased = (away**3).mean() / (away**2).mean() ** 1.5
    skewness = float(biased * np.sqrt(size * (size - 1)) / (size - 2))
    return min(max(skewness, -_MOST_SKEWNESS), _MOST_SKEWNESS)


def _untransformed(quantile: float, skewness: float, size: int) -> float:
    """Return where the studentised mean lies that Hall's cubic takes to a quantile."""
    root = np.sqrt(size)
    if abs(skewness) < 1e-6:  # noqa: PLR2004 - there the cubic is a straight line
        return quantile
    inside = 1 + skewness * (quantile / root - skewness / (6 * size))
    return float(3 * root / skewness * (np.cbrt(inside) - 1))
