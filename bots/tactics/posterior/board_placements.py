"""Lists the placements of each length on a board, and which of them can lie side by side."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arena.rules import cells_of, placements

Bits = npt.NDArray[np.uint8]  # eight to a byte, as ``np.packbits`` packs them
Bools = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.signedinteger[Any]]

Touching = Literal["allowed", "corners", "never"]
"""Where two ships may touch: anywhere, at corners only, or nowhere."""

MAX_CELLS = 400  # the largest board: its tables grow with the square of its cells


class Board:
    """The placements of some lengths on one board; ``board_of`` returns one.

    Attributes:
        touching: Where two ships may touch.
        lengths: The different lengths of the fleet, the longest first.
        covers: For each length, whether a placement covers a cell, (placements, cells).
        covers_32: The same as floats.
        numbers: For each length, where its placements stand among those of all lengths.
        starts: The first of these numbers for each length.
        kinds: For each of these numbers, the place of its length in ``lengths``.
        all_covers: The same as ``covers`` for all lengths, (all placements, cells).
        all_covers_32: The same as floats.
        all_pairs: The numbers of placements and the cells that they cover, pair by pair.
        all_hits: ``all_covers`` the other way round, with a column for no placement at the end.
        reach: For each length, whether a placement denies a cell to other ships: its own cells, and
            those that may not touch them, (placements, cells).
        through: For each length and cell, the placements that cover it.
        all_through: For each cell, the numbers of all placements that cover it.
        fits: For each two lengths, 1.0 where a placement of the one and a placement of the other
            can both be in a layout, 0.0 elsewhere, (placements, placements).
        fits_bits: The same as bits, (placements, bytes).
        all_fits_bits: The same for all lengths, those of each length beginning with a byte, and a
            row of ones for no placement at the end, (all placements + 1, bytes).
        bytes_of: For each length, which of these bytes are of its placements.
        bits: For each placement of any length, its place among these bits.
        fits_or_free: The same as booleans for all lengths, with a column of ones for no placement
            at the end, (all placements, all placements + 1).
    """

    def __init__(self, rows: int, columns: int, lengths: Sequence[int], touching: Touching) -> None:
        self.rows, self.columns, self.cells, self.touching = rows, columns, rows * columns, touching
        self.lengths = sorted(set(lengths), reverse=True)
        self.covers: dict[int, Bools] = {}
        self.covers_32: dict[int, Counts] = {}
        self.reach: dict[int, Bools] = {}
        self.through: dict[int, list[Indices]] = {}
        self.fits: dict[tuple[int, int], Counts] = {}
        self.fits_bits: dict[tuple[int, int], Bits] = {}
        self.numbers: dict[int, slice] = {}
        start = 0
        for length in self.lengths:
            places = placements(rows, columns, length)
            covers = np.zeros((len(places), self.cells), bool)
            for number, place in enumerate(places):
                covers[number, cells_of(place)] = True
            self.covers[length] = covers
            self.covers_32[length] = covers.astype(np.float32)
            self.reach[length] = self._reach(covers, touching)
            self.through[length] = [np.flatnonzero(covers[:, cell]) for cell in range(self.cells)]
            self.numbers[length] = slice(start, start + len(places))
            start += len(places)
        self.all_covers: Bools = np.concatenate(list(self.covers.values()))
        self.all_covers_32: Counts = self.all_covers.astype(np.float32)
        self.all_through = [np.flatnonzero(covered) for covered in self.all_covers.T]
        self.starts = np.array([self.numbers[length].start for length in self.lengths])
        counts = [len(self.covers[length]) for length in self.lengths]
        self.kinds = np.arange(len(self.lengths)).repeat(counts)
        self.fits_or_free: Bools = np.ones((start, start + 1), bool)
        self.all_pairs = np.nonzero(self.all_covers)
        self.all_hits = np.pad(self.all_covers.T, ((0, 0), (0, 1))).astype(np.int16)
        for one in self.lengths:
            reach = self.reach[one].astype(np.float32)
            for two in self.lengths:
                meet = reach @ self.covers_32[two].T
                fits = meet == 0
                self.fits[one, two] = fits.astype(np.float32)
                self.fits_bits[one, two] = np.packbits(fits, axis=1)
                self.fits_or_free[self.numbers[one], self.numbers[two]] = fits
        blocks = [[self.fits_bits[one, two] for two in self.lengths] for one in self.lengths]
        self.all_fits_bits: Bits = np.pad(np.block(blocks), ((0, 1), (0, 0)), constant_values=255)
        widths = [bits.shape[1] for bits in blocks[0]]
        ends = np.cumsum(widths).tolist()
        self.bytes_of = {
            length: slice(end - width, end)
            for length, width, end in zip(self.lengths, widths, ends, strict=True)
        }
        firsts = [8 * self.bytes_of[length].start for length in self.lengths]
        self.bits = np.arange(start) + (firsts - self.starts).take(self.kinds)

    def are_clear(self, cells: Sequence[int] | Indices) -> Bools:
        """Return whether each placement of any length covers none of some cells."""
        return np.logical_not(self.all_covers[:, cells].any(axis=1))

    def _reach(self, covers: Bools, touching: Touching) -> Bools:
        if touching == "allowed":
            return covers
        edges = ((-1, 0), (1, 0), (0, -1), (0, 1))
        corners = ((-1, -1), (-1, 1), (1, -1), (1, 1))
        grid = np.pad(covers.reshape(-1, self.rows, self.columns), ((0, 0), (1, 1), (1, 1)))
        reach = grid.copy()
        for down, right in edges + (corners if touching == "never" else ()):
            reach |= np.roll(grid, (down, right), (1, 2))
        return reach[:, 1:-1, 1:-1].reshape(covers.shape)


@lru_cache(maxsize=16)
def board_of(
    rows: int, columns: int, lengths: tuple[int, ...], touching: Touching = "allowed"
) -> Board:
    """Return the board of a game; of equal games the same one."""
    return Board(rows, columns, lengths, touching)
