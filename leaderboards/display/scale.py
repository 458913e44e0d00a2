"""Chooses the scale of a chart so that bots that are close can be told apart.

One hopeless bot would stretch a scale until all others lie on one spot. So bots beyond a wide gap
are left off the scale, and the chart marks them at its edge.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import NamedTuple

HOW_TO_READ = (
    "Bars are each bot's own 95% interval. Ranks decide who is better, not whether bars overlap. "
    "Shaded bots may be first."
)

_LONGEST = 2.0  # medians of all halves of intervals that one interval may add to the scale
_MARGIN = 0.04


class Estimated(NamedTuple):
    """A value with the ends of its interval, which are NaN where nothing bounds it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The part of an axis that a chart shows."""

    low: float
    high: float

    def side(self, value: float) -> int:
        """Return -1 for a value below the scale, 1 for one above it, and else 0."""
        return (value > self.high) - (value < self.low)

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1; one off the scale lies at its edge."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)


def scale_of(estimates: Sequence[Estimated]) -> Scale:
    """Return the scale that shows most bots well; values must be numbers.

    Where a gap between neighbours is wider than all that the larger part of the bots spans, its
    smaller part is off the scale, and so on with those that are left. An interval that is far
    longer than most is cut.
    """
    near: Sequence[Estimated] = sorted(estimates)
    longest = _LONGEST * _typical_half(near)
    while len(kept := _without_far(near, longest)) < len(near):
        near = kept
    low, high = _reach(near, longest)
    margin = _MARGIN * (high - low) or 1.0
    return Scale(low - margin, high + margin)


def _typical_half(estimates: Sequence[Estimated]) -> float:
    halves = [abs(end - one.value) for one in estimates for end in one[1:] if not math.isnan(end)]
    return median(halves) if halves else 0.0


def _reach(near: Sequence[Estimated], longest: float) -> tuple[float, float]:
    lows = [one.value - min(_length(one.value - one.low), longest) for one in near]
    highs = [one.value + min(_length(one.high - one.value), longest) for one in near]
    return min(lows, default=0.0), max(highs, default=0.0)


def _length(half: float) -> float:
    return 0.0 if math.isnan(half) else half


def _without_far(near: Sequence[Estimated], longest: float) -> Sequence[Estimated]:
    """Return the larger part of some bots where the widest gap parts them; else all."""
    if len(near) <= 2:  # noqa: PLR2004 - of two neither is far from most
        return near
    gaps = [high.value - low.value for low, high in pairwise(near)]
    split = gaps.index(max(gaps)) + 1
    below, above = near[:split], near[split:]
    if len(below) == len(above):
        return near
    larger = max(below, above, key=len)
    low, high = _reach(larger, longest)
    gap = above[0].value - high if larger is below else low - below[-1].value
    return larger if gap > high - low else near
