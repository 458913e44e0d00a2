"""Draws systematic samples, spread evenly over some weights, and measures weighted ones."""

from random import Random

import numpy as np

from bots.tactics.posterior.board_placements import Floats, Indices


def effective_size(weights: Floats) -> float:
    """Return how many draws of equal weight say as much as those of some weights."""
    return float(weights.sum() ** 2 / (weights**2).sum())


def draw_systematically(
    weights: Floats, number: int, random: np.random.Generator | Random
) -> tuple[Indices, float]:
    """Return the rows of a systematic sample by weight, and the weight that each draw stands for.

    Each row is drawn as often as its weight says, to within one, in ascending order (Kitagawa,
    1996).
    """
    bounds = weights.cumsum()
    share = bounds[-1] / number
    points = (np.arange(number) + random.random()) * share
    if number > len(bounds):
        # Of few rows, their ends are found among the points: that takes fewer steps.
        ends = points.searchsorted(bounds)
        ends[-1] = number
        times = ends.copy()
        times[1:] -= ends[:-1]
        return np.arange(len(bounds)).repeat(times), share
    rows = bounds.searchsorted(points, side="right")
    return np.minimum(rows, len(bounds) - 1), share
