"""Which cells lie beside each other."""

from functools import lru_cache

NOWHERE = -1
"""Stands for a cell beyond the edge of the board."""


@lru_cache(maxsize=64)
def opposites(rows: int, columns: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return for each cell the pairs (a neighbour, the cell on the other side).

    There is one pair for each neighbour on the board; the other side is ``NOWHERE`` if it is off
    the board. A line of hits that comes from the other side goes on at the neighbour.
    """

    def cell_at(row: int, column: int) -> int:
        if 0 <= row < rows and 0 <= column < columns:
            return row * columns + column
        return NOWHERE

    return tuple(
        tuple(
            (ahead, cell_at(row - down, column - right))
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
            if (ahead := cell_at(row + down, column + right)) != NOWHERE
        )
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache(maxsize=64)
def neighbours(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell those beside it along its row and its column."""
    return tuple(tuple(ahead for ahead, _ in pairs) for pairs in opposites(rows, columns))
