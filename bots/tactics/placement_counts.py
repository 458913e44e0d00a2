"""Counts for each cell the placements of ships that cover it, for all cells at once.

The board is one integer with a lane of 16 bits for each cell. Shifting it by a lane moves the whole
board by one cell, so a single ``&`` finds where a run may go on and a single ``+`` counts it, for
all cells at once: a ship of length L takes about 4 L such operations, however large the board is.

Measured in whole moves of ``probability_density``, by processor time in one run, a loop over the
placements takes 1.8 times as long in the classic game and 3.2 times on a 20x20 board with ten
ships; a numpy product takes 1.3 and 2.8 times as long.
"""

import sys
from collections.abc import Mapping
from functools import lru_cache

from arena.rules import cells_of, placements

HIT_WEIGHT = 5
"""How many times more a placement counts for each open hit that it covers.

Beside a hit with room around it, L - 1 placements of a ship of length L cover the hit and the cell;
at most 2 L placements cover a cell of open water. 5 is the least whole number with which the former
outweigh the latter for every L > 1. Larger ones play no better one shot at a time, and worse in
salvos, where they keep all shots at the hits.
"""

LANE_BITS = 16  # enough for the largest game: 64 ships times 128 placements, 2**13
LANE_DIGITS = LANE_BITS // 4  # hexadecimal digits of a lane
Run = tuple[int, tuple[int, ...]]  # a placement, as a mask and as cells


def count_placements(rows: int, columns: int, free: int, ships: Mapping[int, int]) -> list[int]:
    """Return for each cell how many placements cover it, each ship counted as if it were alone.

    ``free`` is the mask of the cells on which ships may lie, ``ships`` the number of each length.
    """
    board = _lanes(free)
    total = 0
    for length, number in ships.items():
        along_rows = _coverage(board, length, LANE_BITS, _row_starts(rows, columns, length))
        # Runs down a column need no special starts: beyond the last row nothing is free.
        along_columns = _coverage(board, length, LANE_BITS * columns, board) if length > 1 else 0
        total += number * (along_rows + along_columns)
    lanes = total.to_bytes(rows * columns * LANE_BITS // 8, sys.byteorder)
    counts = memoryview(lanes).cast("H").tolist()
    return counts if sys.byteorder == "little" else counts[::-1]


def _coverage(board: int, length: int, step: int, starts: int) -> int:
    """Return in each lane how many runs of ``length`` cells cover it, ``step`` bits a cell."""
    total = 0
    for distance in range(0, step * length, step):
        starts &= board >> distance
    for distance in range(0, step * length, step):
        total += starts << distance
    return total


@lru_cache
def _row_starts(rows: int, columns: int, length: int) -> int:
    """Return the lanes in which a run along a row may begin without leaving the row."""
    row = (1 << max(columns - length + 1, 0)) - 1
    return _lanes(sum(row << number * columns for number in range(rows)))


def _lanes(mask: int) -> int:
    """Return the integer whose lane of each cell is 1 for the cells of ``mask``, 0 elsewhere."""
    # Written in binary, each cell is a digit; written in hexadecimal, a lane is some digits.
    digits = f"{mask:b}".replace("0", "0" * LANE_DIGITS)
    return int(digits.replace("1", "1".zfill(LANE_DIGITS)), 16)


@lru_cache(maxsize=4096)
def runs_through(rows: int, columns: int, length: int, cell: int) -> tuple[Run, ...]:
    """Return every placement of ``length`` cells that covers ``cell``."""
    places = placements(rows, columns, length)
    return tuple((place, tuple(cells_of(place))) for place in places if place >> cell & 1)
