"""Estimates the mean of some games, with its interval."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

import numpy as np

from arena.records import LAYOUTS_PER_BLOCK
from leaderboards.turns.means import half_width

PerLayout = np.typing.NDArray[np.float64]
"""A number of one bot for each layout."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval.

    It is written with three decimals, or by a format for both numbers: ``f"{found:+.2f}"``.
    """

    value: float  # the mean
    half: float  # half the width of its 95% interval; NaN if there is none
    deviation: float = 0.0  # the standard deviation of one game

    def __format__(self, spec: str) -> str:
        spec = spec or ".3f"
        half = "" if isnan(self.half) else f" ± {self.half:{spec.removeprefix('+')}}"
        return f"{self.value:{spec}}{half}"

    def __str__(self) -> str:
        return format(self)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half


def estimate(values: Iterable[float]) -> Estimate:
    """Return the mean of independent values, with Student's interval."""
    found = np.array(list(values), float)
    deviation = float(found.std(ddof=1)) if len(found) > 1 else 0.0
    return Estimate(float(found.mean()), half_width(deviation, len(found)), deviation)


def adjusted_mean(values: PerLayout) -> Estimate:
    """Return the mean of results less luck, all of it, of layouts that were played in order.

    Its interval is Student's over blocks of layouts; there is none of one block.
    """
    mean = float(values.mean())
    off = np.bincount(np.arange(len(values)) // LAYOUTS_PER_BLOCK, values - mean)
    if len(off) == 1:
        return Estimate(mean, float("nan"))
    deviation = np.sqrt((off**2).sum() / (len(off) - 1)) * len(off) / len(values)
    return Estimate(mean, half_width(float(deviation), len(off)))
