"""Computes intervals for means of few and skewed numbers.

Student's t covers too seldom where a few dozen skewed numbers are averaged: the mean and its
standard error then depend on each other. Hall, "On the removal of skewness by transformation"
(1992), takes the skewness out by a cubic that can be inverted; Student's quantiles stand in for the
normal ones. Without skewness this is Student's interval.
"""

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.quasi_variances import LEVEL

Floats = npt.NDArray[np.float64]

_FEWEST_FOR_SKEWNESS = 5


def half_width(deviation: float, count: int) -> float:
    """Return half the width of Student's interval of a mean; NaN for a single value.

    The deviation is estimated from the values (``ddof=1``), which are independent.
    """
    if count < 2:  # noqa: PLR2004 - one value says nothing of how far it is off
        return float("nan")
    quantile = float(special.stdtrit(count - 1, (1 + LEVEL) / 2))
    return quantile * deviation / float(np.sqrt(count))


def mean_limits(values: Floats, least_deviation: float = 0.0) -> tuple[float, float, float]:
    """Return the mean and its 95% limits of independent numbers, NaN where there are too few.

    Their standard deviation is taken for no less than `least_deviation`.
    """
    size = len(values)
    if size < 2:  # noqa: PLR2004 - one number does not vary
        return float(values.mean()) if size else float("nan"), float("nan"), float("nan")
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    quantile = float(special.stdtrit(size - 1, (1 + LEVEL) / 2))
    skewness = _skewness(values) if deviation > least_deviation else 0.0
    error = max(deviation, least_deviation) / np.sqrt(size)
    low, high = (mean - error * _untransformed(x, skewness, size) for x in (quantile, -quantile))
    return mean, float(low), float(high)


def _skewness(values: Floats) -> float:
    size = len(values)
    if size < _FEWEST_FOR_SKEWNESS:
        return 0.0
    away = values - values.mean()
    biased = (away**3).mean() / (away**2).mean() ** 1.5
    return float(biased * np.sqrt(size * (size - 1)) / (size - 2))


def _untransformed(quantile: float, skewness: float, size: int) -> float:
    """Return where the studentised mean lies that Hall's cubic takes to a quantile."""
    root = np.sqrt(size)
    if abs(skewness) < 1e-6:  # noqa: PLR2004 - there the cubic is a straight line
        return quantile
    inside = 1 + skewness * (quantile / root - skewness / (6 * size))
    return float(3 * root / skewness * (np.cbrt(inside) - 1))
