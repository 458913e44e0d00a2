"""Holds a set of layouts, and what it says of each cell and ship."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rules import mask_of, placements
from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.solver.endgame import Afloat
from bots.tactics.value.agreeing_layouts import Drawn

NOWHERE = -1
Owners = npt.NDArray[np.int8]
Weigh = Callable[[Sequence[int], Indices], Floats]
"""Returns how likely layouts are, given the lengths in their slots and their places."""


class LayoutSet(NamedTuple):
    """Layouts that agree with all answers so far, and which of their cells are still to be hit."""

    board: Board
    drawn: Drawn
    hit: Bools
    untried: Bools
    # The slot of the ship on each untried cell, NOWHERE where there is none, (cells, layouts)
    owner: Owners
    left: Indices  # how many cells of the ship in each slot are not hit, (slots, layouts)
    lengths: tuple[int, ...]  # the length of the ship in each slot

    @classmethod
    def of(
        cls, board: Board, lengths: tuple[int, ...], drawn: Drawn, hit: Bools, untried: Bools
    ) -> "LayoutSet":
        """Return a set of layouts, at least one; ``lengths`` are those of their slots."""
        number = drawn.places.shape[1]
        owner = np.full((board.cells, number), NOWHERE, np.int8)
        left = np.empty(drawn.places.shape, np.intp)
        flat, every = owner.reshape(-1), np.arange(number)
        open_cells = hit.astype(np.float32)
        for slot, length in enumerate(lengths):
            places = drawn.places[slot]
            # One cell of each ship at a time, in one dimension: numpy writes these fastest.
            for cells in _cells(board, length).T:
                flat[cells.take(places) * number + every] = slot
            left[slot] = (length - board.covers_32[length] @ open_cells).astype(np.intp)[places]
        owner[~untried] = NOWHERE
        return cls(board, drawn, hit, untried, owner, left, lengths)

    @property
    def alike(self) -> bool:
        """Return whether each layout stands for one: then sums are whole numbers."""
        return bool((self.drawn.weights == 1).all())

    @property
    def occupied(self) -> Counts:
        """Return which untried cells of each layout hold a ship, as floats, (layouts, cells)."""
        return np.asarray((self.owner != NOWHERE).T, np.float32)

    @property
    def cells(self) -> Floats:
        """Return the share of the layouts that have a ship on each untried cell, (cells,)."""
        weights = self.drawn.weights.astype(np.float32)
        return np.asarray(weights @ self.occupied / weights.sum(), float)

    def weighed(self, weigh: Weigh) -> "LayoutSet":
        """Return the same layouts, weighted by how likely their lengths and places are."""
        return self._replace(drawn=weighed(self.drawn, self.lengths, weigh))

    def afloat(self) -> list[list[Afloat]]:
        """Return the ships afloat in each layout."""
        masks = {
            length: placements(self.board.rows, self.board.columns, length)
            for length in self.board.lengths
        }
        unhit = ~mask_of(np.flatnonzero(self.hit).tolist())
        return [
            [
                Afloat(cells, length)
                for length, place in zip(self.lengths, places, strict=True)
                if (cells := masks[length][place] & unhit)
            ]
            for places in self.drawn.places.T.tolist()
        ]

    @property
    def smallest(self) -> int:
        """Return the length of the smallest ship afloat in any layout."""
        afloat = [n for slot, n in enumerate(self.lengths) if self.left[slot].any()]
        return min(afloat, default=1)


def weighed(drawn: Drawn, lengths: Sequence[int], weigh: Weigh) -> Drawn:
    """Return the same layouts, weighted by how likely their lengths and places are."""
    return drawn._replace(weights=drawn.weights * weigh(lengths, drawn.places))


@lru_cache(maxsize=64)
def _cells(board: Board, length: int) -> Indices:
    """Return the cells of each placement, (placements, length)."""
    return np.nonzero(board.covers[length])[1].reshape(-1, length)
