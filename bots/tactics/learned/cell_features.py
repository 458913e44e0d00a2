"""Describes a cell as it looks to a shooter who knows hits and misses, but not the fleet.

The features of a cell do not depend on where it lies or on the size of the board, so that what was
learned on one board holds on another.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

REACH = 4  # cells looked at along rows and columns: the longest standard ship, less one

FEATURES = (
    "constant",
    *(f"longest line of {length} hits beside it" for length in range(1, REACH + 1)),
    "hits on two sides in line",
    "lines of hits across each other",
    *(f"ways a ship of {length} could cover it" for length in range(2, REACH + 2)),
    *(f"ways a ship of {length} could cover it and a hit" for length in range(2, REACH + 2)),
    "open neighbours",
    "white of the checkerboard",
)
"""The features, in the order of the columns."""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_AHEAD = ((-1, 0), (1, 0), (0, -1), (0, 1))
_LENGTHS = np.arange(2, REACH + 2)  # of ships
_ROOMS = REACH + 1  # how many different numbers of open cells there can be ahead of a cell

# With how many ones the bits of a byte begin, as far as they are looked at.
_UNBROKEN = np.array([f"{byte:08b}0".index("0") for byte in range(256)]).clip(max=REACH)


def _count_ways() -> NDArray[np.intp]:
    """Return how many runs of each length cover a cell, (rooms, lengths).

    The row is ``_ROOMS`` times the room behind the cell, plus the room before it.
    """
    behind, before = np.divmod(np.arange(_ROOMS**2)[:, None], _ROOMS)
    room = np.minimum(behind, _LENGTHS - 1) + np.minimum(before, _LENGTHS - 1) + 1
    return np.maximum(room - _LENGTHS + 1, 0)


_WAYS = _count_ways()


class CellFeatures:
    """The features of the cells of one size of board."""

    def __init__(self, rows: int, columns: int) -> None:
        self._cells = rows * columns
        # The cells ahead of each, the nearest first; ``cells`` stands for those beyond the edge.
        board = np.arange(self._cells).reshape(rows, columns)
        board = np.pad(board, REACH, constant_values=self._cells)
        shifted = [
            [np.roll(board, (-step * down, -step * right), (0, 1)) for step in range(1, REACH + 1)]
            for down, right in _AHEAD
        ]
        inside = np.array(shifted)[:, :, REACH:-REACH, REACH:-REACH]
        self._ahead = inside.reshape(len(_AHEAD), REACH, -1).swapaxes(1, 2)
        white = np.add.outer(np.arange(rows), np.arange(columns)) % 2
        self._features = np.ones((self._cells, len(FEATURES)))
        self._features[:, -1] = white.ravel()

    def of(self, hits: Flags, misses: Flags) -> Floats:
        """Return the features of each cell, about 0 to 1 each: cells x features."""
        marked = np.zeros((2, self._cells + 1), np.bool_)
        marked[0, :-1] = hits
        np.logical_not(misses, out=marked[1, :-1])
        ahead = np.packbits(marked.take(self._ahead, axis=1), axis=-1)[..., 0]
        lines, rooms = _UNBROKEN.take(ahead)  # ways x cells, of hits and of open cells
        beside = lines > 0
        along = beside[::2] | beside[1::2]  # axes x cells
        ways = _WAYS.take(_ROOMS * rooms[::2] + rooms[1::2], axis=0)  # axes x cells x lengths
        # Of the ways past a hit that lies beside the cell, along its own axis alone.
        past = ways * along[:, :, None]
        features = self._features.copy()
        features[:, 1:5] = lines.max(axis=0)[:, None] == np.arange(1, REACH + 1)
        features[:, 5] = (beside[::2] & beside[1::2]).any(axis=0)
        features[:, 6] = along[0] & along[1]
        features[:, 7:11] = (ways[0] + ways[1]) / (2 * _LENGTHS)
        features[:, 11:15] = (past[0] + past[1]) / (2 * _LENGTHS)
        features[:, 15] = (rooms > 0).sum(axis=0) / len(_AHEAD)
        return features


@lru_cache(maxsize=4)
def features_of(rows: int, columns: int) -> CellFeatures:
    """Return the features of a size of board; of equal boards the same."""
    return CellFeatures(rows, columns)
