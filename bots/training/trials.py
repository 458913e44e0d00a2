"""Holds trials: cells that were drawn by chance, and what came of them."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bots.tactics.learned.placement_network import Evidence, Floats, Integers


class Trials(NamedTuple):
    """Shots that chance chose, one a row."""

    known: Evidence  # what was known before each
    posterior: Floats  # how likely each cell had a ship
    cells: Integers  # the cells that might be drawn, and others, (trials, some)
    chances: NDArray[np.floating[Any]]  # how likely each of these was drawn
    drawn: Integers  # the number of the one that was, among these
    came: NDArray[np.floating[Any]]  # by how many turns it went worse than was expected before

    def some(self, rows: Any) -> "Trials":  # noqa: ANN401 - whatever numpy takes as an index
        """Return some of the trials."""
        return Trials(self.known.some(rows), *(column[rows] for column in self[1:]))

    @classmethod
    def joined(cls, parts: Iterable["Trials"]) -> "Trials":
        """Return all trials of some parts."""
        known, *others = zip(*parts, strict=True)
        return cls(Evidence.joined(known), *map(np.concatenate, others))

    def turned(self, order: Integers) -> "Trials":
        """Return the same trials with the cells of their boards in another order."""
        places = np.argsort(order)
        return self._replace(
            known=self.known.some_cells(order),
            posterior=self.posterior[:, order],
            cells=places[self.cells],
        )
