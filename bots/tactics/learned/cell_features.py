"""Describes a cell as it looks to a shooter who knows hits and misses, but not the fleet.

The features of a cell do not depend on where it lies or on the size of the board, so that what was
learned on one board holds on another.
"""

from typing import Any

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


class CellFeatures:
    """The features of the cells of one size of board."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._white = (np.add.outer(np.arange(rows), np.arange(columns)) % 2).astype(np.float64)

    def of(self, hits: Flags, misses: Flags) -> Floats:
        """Return the features of each cell, about 0 to 1 each: cells x features."""
        shape = self._rows, self._columns
        struck = np.pad(hits.reshape(shape), REACH)
        open_ = np.pad(~misses.reshape(shape), REACH)
        lines = [self._line(struck, ahead) for ahead in _AHEAD]
        rooms = [self._line(open_, ahead) for ahead in _AHEAD]
        longest = np.maximum.reduce(lines)
        both = ((lines[0] > 0) & (lines[1] > 0)) | ((lines[2] > 0) & (lines[3] > 0))
        across = (np.maximum(lines[0], lines[1]) > 0) & (np.maximum(lines[2], lines[3]) > 0)
        free, near = [], []
        for length in range(2, REACH + 2):
            ways = [_ways(rooms[way], rooms[way + 1], length) for way in (0, 2)]
            free.append((ways[0] + ways[1]) / (2 * length))
            # Of the ways past a hit that lies beside the cell, along its own axis alone.
            past = [
                ways[axis] * (np.maximum(lines[2 * axis], lines[2 * axis + 1]) > 0)
                for axis in (0, 1)
            ]
            near.append((past[0] + past[1]) / (2 * length))
        neighbours = sum((room > 0).astype(np.float64) for room in rooms) / len(rooms)
        columns = [
            np.ones(shape),
            *(longest == length for length in range(1, REACH + 1)),
            both,
            across,
            *free,
            *near,
            neighbours,
            self._white,
        ]
        stacked: Floats = np.stack([np.asarray(c, dtype=np.float64).ravel() for c in columns], 1)
        return stacked

    def _line(self, marked: Flags, ahead: tuple[int, int]) -> NDArray[Any]:
        """Return how many marked cells lie in an unbroken line ahead of each, REACH at most."""
        going = np.ones((self._rows, self._columns), dtype=np.bool_)
        length = np.zeros((self._rows, self._columns), dtype=np.int64)
        for step in range(1, REACH + 1):
            top, left = REACH + step * ahead[0], REACH + step * ahead[1]
            going = going & marked[top : top + self._rows, left : left + self._columns]
            length += going
        return length


def _ways(behind: NDArray[Any], before: NDArray[Any], length: int) -> NDArray[Any]:
    """Return how many runs of a length cover a cell with so much room on either side of it."""
    room = np.minimum(behind, length - 1) + np.minimum(before, length - 1) + 1
    found: NDArray[Any] = np.maximum(room - length + 1, 0)
    return found
