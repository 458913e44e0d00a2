"""Holds a set of layouts, and what it says of each cell and ship."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from arena.rules import mask_of, placements
from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.ship_layouts import numbers_of
from bots.tactics.solver.endgame import Afloat
from bots.tactics.value.agreeing_layouts import Drawn

NOWHERE = -1
Owners = npt.NDArray[np.int8]
Weigh = Callable[[Sequence[int], Indices], Floats]
"""Returns how likely layouts are, given the lengths in their slots and their places."""


class LayoutSet(Struct, frozen=True, dict=True):
    """Layouts that agree with all answers so far, at least one, and what was hit of them."""

    board: Board
    lengths: tuple[int, ...]  # the length of the ship in each slot
    drawn: Drawn
    hit: Bools
    untried: Bools

    # What comes next is known where it is asked for: salvos are valued without it.

    @cached_property
    def owner(self) -> Owners:
        """Return the slot of the ship on each untried cell, or NOWHERE, (cells, layouts)."""
        number = self.drawn.places.shape[1]
        owner = np.full((self.board.cells, number), NOWHERE, np.int8)
        flat, every = owner.reshape(-1), np.arange(number)
        for slot, length in enumerate(self.lengths):
            # One cell of each ship at a time, in one dimension: numpy writes these fastest.
            for cells in _cells(self.board, length).T:
                flat[cells.take(self.drawn.places[slot]) * number + every] = slot
        owner[~self.untried] = NOWHERE
        return owner

    @cached_property
    def left(self) -> Indices:
        """Return how many cells of the ship in each slot are not hit, (slots, layouts)."""
        return np.asarray(self.unhit.astype(np.intp).take(self.ships))

    @cached_property
    def ships(self) -> Indices:
        """Return the placement in each slot among those of all lengths, (slots, layouts)."""
        return numbers_of(self.board, self.lengths, self.drawn.places)

    @cached_property
    def unhit(self) -> Counts:
        """Return how many cells of a ship at each placement of any length are not hit."""
        covers = self.board.all_covers_32
        return np.asarray(covers @ (~self.hit).astype(np.float32), np.float32)

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
        same = replace(self, drawn=weighed(self.drawn, self.lengths, weigh))
        same.__dict__.update(owner=self.owner, left=self.left)  # their ships lie where they lay
        return same

    def joined(self, others: Drawn, share: float) -> "LayoutSet":
        """Return these layouts and some others, which have a share of all the weight."""
        if not len(others.weights):
            return self
        return replace(self, drawn=joined(self.drawn, others, share))

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


def joined(drawn: Drawn, others: Drawn, share: float) -> Drawn:
    """Return layouts and some others, which have a share of all the weight; its mean is 1."""
    number = len(drawn.weights) + len(others.weights)
    own = drawn.weights * ((1 - share) * number / drawn.weights.sum())
    more = others.weights * (share * number / others.weights.sum())
    places = np.concatenate([drawn.places, others.places], axis=1)
    return drawn._replace(places=places, weights=np.concatenate([own, more]))


@lru_cache
def _cells(board: Board, length: int) -> Indices:
    """Return the cells of each placement, (placements, length)."""
    return np.nonzero(board.covers[length])[1].reshape(-1, length)
