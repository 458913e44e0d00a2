"""The mean of some games, with its interval."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, stdev

import numpy as np

from arena.records import LAYOUTS_PER_BLOCK
from leaderboards.turns.adjusted import Mean, block_mean
from leaderboards.turns.means import half_width

PerLayout = np.typing.NDArray[np.float64]
"""A number of one bot for each layout."""


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


def adjusted_mean(values: PerLayout) -> Mean:
    """Return the mean of results less luck, layout by layout; its interval goes by block."""
    return block_mean(values, np.arange(len(values)) // LAYOUTS_PER_BLOCK)


def written(mean: Mean, sign: str = "") -> str:
    """Return a mean with half the width of its interval, if it has any."""
    half = f" ± {mean.high - mean.value:.3f}" if mean.high > mean.value else ""
    return f"{mean.value:{sign}.3f}{half}"
