"""Layouts drawn from the posterior independently of each other, each with a weight.

An explanation of the hits is drawn by its weight. The ships that it leaves free are placed one
after another, the longest first, each on one of the placements that are open to it, all equally
likely. So a layout is drawn the more often, the fewer placements were open on the way; the product
of their numbers is its weight, by which every layout counts the same on average (sequential
importance sampling).
"""

from typing import NamedTuple

import numpy as np

from bots.tactics.posterior.board import Bools, Floats
from bots.tactics.posterior.explanations import Explanations
from bots.tactics.posterior.table import FREE


class Draws(NamedTuple):
    """Layouts with weights: weighted means over them estimate means over the posterior.

    Attributes:
        layouts: Whether a ship lies on a cell, (draws, cells).
        weights: What each counts, (draws,). If every explanation was kept, their mean is an
            estimate without bias of the number of layouts left, ships of one length counting as
            different. A draw that came to a dead end weighs 0 and its layout is not complete.
    """

    layouts: Bools
    weights: Floats

    @property
    def cells(self) -> Floats:
        """Return the estimated probability that a ship lies on each cell, (cells,)."""
        return np.asarray(self.weights @ self.layouts / self.weights.sum(), float)

    @property
    def effective(self) -> float:
        """Return the effective size: how many draws of equal weight say as much."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())


def draw_independently(known: Explanations, number: int, random: np.random.Generator) -> Draws:
    """Draw layouts from the posterior, independently where no explanation was dropped.

    Args:
        known: The explanations of the hits so far. If they are a sample themselves
            (``known.exact`` is false), all draws share what that sample lacks.
        number: How many layouts are drawn.
        random: Draws them.
    """
    board = known.board
    total = np.cumsum(known.weights)
    chosen = np.searchsorted(total, random.random(number) * total[-1], side="right")
    chosen = np.minimum(chosen, len(total) - 1)
    places = known.places[chosen]
    layouts = known.covered[chosen]
    closed = np.repeat(~known.untried[None], number, axis=0)
    for slot, length in enumerate(known.lengths):
        lies = np.flatnonzero(places[:, slot] != FREE)
        closed[lies] |= board.reach[length][places[lies, slot]]
    weights = np.full(number, total[-1])
    for slot, length in enumerate(known.lengths):
        free = np.flatnonzero(places[:, slot] == FREE)
        meet = closed[free].astype(np.float32) @ board.covers_32[length].T
        options = np.cumsum(meet == 0, axis=1)
        count = options[:, -1]
        weights[free] *= count
        point = random.random(len(free)) * count
        place = (options > point[:, None]).argmax(axis=1)
        layouts[free] |= board.covers[length][place]
        closed[free] |= board.reach[length][place]
    return Draws(layouts, weights)
