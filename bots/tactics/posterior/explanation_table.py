"""Stores explanations, as ``explanations.py`` defines them, one in each row of a table."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bots.tactics.posterior.board_placements import Board, Bools, Floats, Indices
from bots.tactics.posterior.systematic import draw_systematically

FREE = -1  # the placement of a ship that was not hit, and the sinking of a ship afloat

SETTLED = -1  # stands for the cells that were not hit of a ship that is free or sunk

FORESEEN = 8.0
"""How many times likelier an explanation is drawn for each hit that it foresees.

Each counts that much less for it, so that the sample stays without bias.
"""


class Table(NamedTuple):
    """Some explanations, one in each row of every column."""

    places: Indices  # the placement in each slot, or FREE, (rows, slots)
    # The same by its number among the placements of all lengths, the last number if FREE
    numbers: Indices
    # The number of the salvo that sank the ship in each slot, or FREE, (rows, slots)
    sunk_at: Indices
    # How many cells of the ship in each slot were not hit yet, (rows, slots); SETTLED unless it was
    # hit and is afloat
    unhit: Indices
    covered: Bools  # whether the ships placed cover a cell, (rows, cells)
    weights: Floats

    def take(self, rows: Indices) -> "Table":
        """Return a copy of some rows."""
        return Table._make(column.take(rows, axis=0) for column in self)

    def count_explained(self, hits: Sequence[int], board: Board) -> Indices:
        """Return how many of some hits the ship in each slot explains, (rows, slots)."""
        if not hits:
            return np.zeros_like(self.unhit)
        explained = board.all_hits[list(hits)].sum(axis=0, dtype=np.int16)
        return np.asarray(explained.take(self.numbers), np.int16)

    def draw(self, number: int, hit: Bools, random: np.random.Generator) -> "Table":
        """Return a systematic sample of the rows, each counting what it stands for, without bias.

        Rows that foresee more of the cells that ``hit`` are preferred.
        """
        foreseen = self.covered[:, hit].sum(axis=1)
        likely = FORESEEN ** (foreseen - foreseen.max())
        rows, share = draw_systematically(self.weights * likely, number, random)
        drawn, times = np.unique(rows, return_counts=True)
        return self.take(drawn)._replace(weights=times * share / likely[drawn])


def table_of_no_hits(slots: int, board: Board) -> Table:
    """Return the one explanation of no hits: every ship is free."""
    free = np.full((1, slots), FREE, np.int16)
    return Table(
        places=free,
        numbers=np.full((1, slots), len(board.all_covers)),
        sunk_at=free.copy(),
        unhit=np.full_like(free, SETTLED),
        covered=np.zeros((1, board.cells), bool),
        weights=np.ones(1),
    )


def rows_alike(is_free: Bools) -> list[Indices]:
    """Return the rows of each combination of free slots, by combination and in order."""
    if len(is_free) == 1:
        return [np.zeros(1, np.intp)]
    # Each row as one number: there are no more than 64 ships.
    keys = is_free @ (np.uint64(1) << np.arange(is_free.shape[1], dtype=np.uint64)[::-1])
    order = keys.argsort(kind="stable")
    ends = np.flatnonzero(np.diff(keys.take(order))) + 1
    return np.split(order, ends)
