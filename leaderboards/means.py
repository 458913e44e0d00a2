"""The interval of a mean."""

from math import sqrt

from scipy import special

__all__ = ["half_width"]


def half_width(deviation: float, count: int, level: float = 0.95) -> float:
    """Return half the width of Student's interval of a mean; NaN for a single value.

    Args:
        deviation: The standard deviation of the values, estimated from them (``ddof=1``).
        count: How many there are; they are taken for independent.
        level: In how many of all samples the interval is to hold the true mean.
    """
    if count < 2:  # noqa: PLR2004 - one value says nothing of how far it is off
        return float("nan")
    return float(special.stdtrit(count - 1, (1 + level) / 2)) * deviation / sqrt(count)
