"""Represents cells, and sets of cells as bit masks.

A cell is an index in row-major order: ``row * columns + column``, both from 0. A set of cells is
an integer with bit ``1 << cell`` set for each of them, so that union, difference and overlap are
fast integer operations.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

MAX_SIDE = 64
"""The most rows or columns of a board."""


Touching = Literal["allowed", "corners", "never"]
"""Contact that ships may have: any, at corners only, or none."""


class Ship(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ship.

    ``shots`` is what it gives per turn while afloat, under rules with shots "by-ship".
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    length: Annotated[int, Meta(ge=1, le=MAX_SIDE)]
    shots: Annotated[int, Meta(ge=0, le=MAX_SIDE)] = 1


def mask_of(cells: Iterable[int]) -> int:
    """Return the bit mask of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> list[int]:
    """Return the cells of a bit mask, in ascending order."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return cells


@lru_cache(maxsize=256)
def placements(rows: int, columns: int, length: int) -> tuple[int, ...]:
    """Return the mask of every straight run of ``length`` cells on a board of rows x columns.

    Runs along rows come first, then runs along columns; a run of one cell counts once.
    """
    along_rows = [
        mask_of(range(start, start + length))
        for row in range(rows)
        for start in range(row * columns, row * columns + columns - length + 1)
    ]
    if length == 1:
        return tuple(along_rows)
    along_columns = [
        mask_of(range(row * columns + column, (row + length) * columns + column, columns))
        for row in range(rows - length + 1)
        for column in range(columns)
    ]
    return tuple(along_rows + along_columns)


@lru_cache(maxsize=256)
def placement_set(rows: int, columns: int, length: int) -> frozenset[int]:
    """Return ``placements`` to look masks up in."""
    return frozenset(placements(rows, columns, length))


@lru_cache(maxsize=4096)
def barred(rows: int, columns: int, mask: int, touching: Touching) -> int:
    """Return the mask of the cells that other ships must avoid if one lies at ``mask``.

    These are its own cells and, depending on ``touching``, those next to them.
    """
    if touching == "allowed":
        return mask
    board = (1 << rows * columns) - 1
    first = mask_of(range(0, rows * columns, columns))
    last = first << (columns - 1)
    sideways = mask | (mask & ~last) << 1 | (mask & ~first) >> 1
    upright = sideways if touching == "never" else mask
    return (sideways | upright << columns | upright >> columns) & board
