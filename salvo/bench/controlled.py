"""Means over layouts, made more precise by a shooter that plays them a thousand times faster.

What two shooters take for a layout is alike, so that the mean of a slow one over few layouts is
moved by as much as these few are easier or harder than many to a fast one, times the slope of the
one against the other (double sampling with regression: Cochran, "Sampling Techniques", chapter 12).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from leaderboards.means import half_width

__all__ = ["Measured", "controlled", "difference"]

Doubles = npt.NDArray[np.float64]


class Measured(NamedTuple):
    """A mean, and half its 95% interval."""

    value: float
    half: float

    def written(self, places: int = 2, sign: str = "") -> str:
        """Return it as text."""
        return f"{self.value:{sign}.{places}f} ± {self.half:.{places}f}"


def controlled(values: Sequence[float] | Doubles, easy: Doubles) -> Measured:
    """Return the mean of some values.

    Args:
        values: What a shooter takes for the first layouts.
        easy: What the fast shooter takes for all layouts, those first.
    """
    taken = np.asarray(values, float)
    same = easy[: len(taken)]
    spread = float(same.var())
    slope = float(np.cov(taken, same, bias=True)[0, 1]) / spread if spread else 0.0
    rest = taken - slope * same
    variance = rest.var(ddof=1) / len(taken) + slope**2 * easy.var() / len(easy)
    deviation = float(np.sqrt(variance * len(taken)))
    value = float(rest.mean() + slope * easy.mean())
    return Measured(value, half_width(deviation, len(taken)))


def difference(one: Measured, other: Measured) -> Measured:
    """Return how much greater the first of two independent means is."""
    return Measured(one.value - other.value, float(np.hypot(one.half, other.half)))
