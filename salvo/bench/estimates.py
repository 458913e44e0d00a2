"""The mean of some games, with its interval."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, stdev

from leaderboards.means import half_width

__all__ = ["Estimate", "estimate"]


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval.

    Attributes:
        value: The mean.
        half: Half the width of its 95% interval.
        deviation: The standard deviation of one game.
    """

    value: float
    half: float
    deviation: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ± {self.half:.3f}"

    @property
    def low(self) -> float:
        """Return the lower end of the interval."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """Return the upper end of the interval."""
        return self.value + self.half


def estimate(values: Iterable[float]) -> Estimate:
    """Return the mean of some games, with Student's interval."""
    values = [float(value) for value in values]
    deviation = stdev(values) if len(values) > 1 else 0.0
    return Estimate(fmean(values), half_width(deviation, len(values)), deviation)
