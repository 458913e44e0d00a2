"""The placements of a ship through one cell."""

from functools import lru_cache

from arena.rules import cells_of, placements

Run = tuple[int, tuple[int, ...]]
"""A placement, as a mask and as cells."""


@lru_cache(maxsize=4096)
def runs_through(rows: int, columns: int, length: int, cell: int) -> tuple[Run, ...]:
    """Return every placement of ``length`` cells that covers ``cell``."""
    places = placements(rows, columns, length)
    return tuple((place, tuple(cells_of(place))) for place in places if place >> cell & 1)
