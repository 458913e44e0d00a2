"""Holds layouts by the placement of each of their ships."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from bots.tactics.posterior.board_placements import Board, Bools, Counts, Indices


class ShipLayouts(NamedTuple):
    """Some layouts, whose ships do not overlap: many times smaller than the cells they cover."""

    covers: Counts  # 1.0 where a placement covers a cell, (placements, cells)
    ships: Indices  # the placement of each ship, (ships, layouts)

    @classmethod
    def of(cls, board: Board, ships: Indices) -> Self:
        """Return layouts by the number of each ship's placement among those of all lengths."""
        return cls(board.all_covers_32, ships)

    @classmethod
    def of_cells(cls, layouts: Bools) -> Self:
        """Return layouts of which only the cells are known, (layouts, cells).

        Every cell counts as a ship; layouts with fewer cells than others have ships that are
        nowhere.
        """
        number, cells = layouts.shape
        row, cell = np.nonzero(layouts)
        covered = np.bincount(row, minlength=number)
        ships = np.full((covered.max(initial=0), number), cells)
        first = covered.cumsum() - covered
        ships[np.arange(len(row)) - first.take(row), row] = cell
        return cls(np.eye(cells + 1, cells, dtype=np.float32), ships)

    @property
    def number(self) -> int:
        """Return how many layouts there are."""
        return int(self.ships.shape[1])

    def compacted(self) -> "ShipLayouts":
        """Return the same with the placements that occur alone, most often a small part."""
        occurs = np.bincount(self.ships.ravel(), minlength=len(self.covers)) > 0
        number = np.cumsum(occurs) - 1
        return ShipLayouts(self.covers.compress(occurs, axis=0), number.take(self.ships))

    def hits(self) -> Counts:
        """Return how many layouts cover each cell, (cells,): exactly, as whole numbers are."""
        times = np.bincount(self.ships.ravel(), minlength=len(self.covers))
        return np.asarray(times.astype(np.float32) @ self.covers, np.float32)

    def cells(self) -> Bools:
        """Return whether each layout covers each cell, (layouts, cells)."""
        covers = self.covers > 0
        layouts = np.zeros((self.ships.shape[1], covers.shape[1]), bool)
        for places in self.ships:
            layouts |= covers.take(places, axis=0)
        return layouts


def numbers_of(board: Board, lengths: Sequence[int], places: Indices) -> Indices:
    """Return placements by their numbers among those of all lengths, (slots, layouts).

    ``places`` number those of the length in each slot.
    """
    first = np.array([board.numbers[length].start for length in lengths])
    return np.asarray(places + first[:, None], np.intp)
