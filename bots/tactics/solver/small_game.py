"""Lists the layouts of a small game; sets of layouts are bit masks over that list.

Where each cell is reported and sinkings are silent, what is known is which cells hold no ship and
which hold one, shot or inferred. That and the set of remaining layouts determine each other, so the
pair of masks, turned and mirrored to its smallest value, is the key under which results for the set
are stored.
"""

from collections import Counter
from functools import lru_cache
from typing import Literal, NamedTuple

from arena.rules import RulesView, barred, placements, unusual
from arena.rules.rule_features import SINKINGS, TOUCHING

MAX_LAYOUTS = 4096  # the most combinations of placements, legal or not, of a game that is examined

Touching = Literal["allowed", "corners", "never"]

_UNDERSTOOD = (
    SINKINGS | TOUCHING | {"shots", "turn_limit", "countdown", "end=equal-turns", "sunk_cells"}
)

CHUNK = 13  # how many bits of a mask are looked up at once

LOWEST = (1 << CHUNK) - 1


class Remaining(NamedTuple):
    """The cells as a set of layouts shows them."""

    layouts: int
    number: int  # how many layouts are in the set
    empty: int  # the mask of the cells on which none of them has a ship
    certain: int  # the mask of those on which all of them have one
    # For each other cell how many have a ship there, which, and the cell
    unsure: list[tuple[int, int, int]]


class Game(NamedTuple):
    """A game with few layouts; ``game_of`` makes one."""

    rows: int
    columns: int
    lengths: tuple[int, ...]  # the lengths of the fleet, the longest first
    touching: Touching
    shots: int
    # The mask of the cells of each layout, one for each way to name the ships
    layouts: tuple[int, ...]
    holds: tuple[int, ...]  # for each cell, the set of the layouts that have a ship there
    alike: int  # how many layouts at most cover the same cells

    @property
    def cells(self) -> int:
        """Return the number of cells of the board."""
        return self.rows * self.columns

    @property
    def ship_cells(self) -> int:
        """Return the number of cells of the fleet."""
        return sum(self.lengths)

    @property
    def everything(self) -> int:
        """Return the set of all layouts."""
        return (1 << len(self.layouts)) - 1

    def examine(self, layouts: int) -> Remaining:
        """Return what a set of layouts says about each cell."""
        number = layouts.bit_count()
        empty = certain = 0
        unsure = []
        for cell, holds in enumerate(self.holds):
            here = layouts & holds
            count = here.bit_count()
            if not count:
                empty |= 1 << cell
            elif count == number:
                certain |= 1 << cell
            else:
                unsure.append((count, here, cell))
        return Remaining(layouts, number, empty, certain, unsure)

    def key(self, left: Remaining) -> int:
        """Return a key that a set shares only with its turned and mirrored copies."""
        names = []
        for tables in _tables(self.rows, self.columns):
            empty, certain = left.empty, left.certain
            turned_empty = turned_certain = 0
            for table in tables:
                turned_empty |= table[empty & LOWEST]
                turned_certain |= table[certain & LOWEST]
                empty >>= CHUNK
                certain >>= CHUNK
            names.append(turned_empty << self.cells | turned_certain)
        return min(names)


def game_of(rules: RulesView) -> Game | None:
    """Return the game of some rules, None if it has too many layouts or is of another kind.

    Each cell is reported truly and nothing else, and ships stay. Only the sinking of
    a single ship may be reported as well: then the game is over.
    """
    fleet = rules.opponent_fleet or ()
    if not unusual(rules) <= _UNDERSTOOD or (rules.sinkings != "silent" and len(fleet) > 1):
        return None
    assert isinstance(rules.shots, int)
    lengths = tuple(sorted((ship.length for ship in fleet), reverse=True))
    return _game(rules.rows, rules.columns, lengths, rules.touching, rules.shots)


@lru_cache(maxsize=8)
def _game(
    rows: int, columns: int, lengths: tuple[int, ...], touching: Touching, shots: int
) -> Game | None:
    ways = 1
    for length in lengths:
        ways *= len(placements(rows, columns, length))
        if ways > MAX_LAYOUTS:
            return None
    begun = [(0, 0)]
    for length in lengths:
        places = placements(rows, columns, length)
        begun = [
            (cells | place, closed | barred(rows, columns, place, touching))
            for cells, closed in begun
            for place in places
            if not place & closed
        ]
    layouts = tuple(cells for cells, _ in begun)
    holds = tuple(
        sum(1 << number for number, cells in enumerate(layouts) if cells >> cell & 1)
        for cell in range(rows * columns)
    )
    alike = max(Counter(layouts).values())
    return Game(rows, columns, lengths, touching, shots, layouts, holds, alike)


@lru_cache(maxsize=8)
def _tables(rows: int, columns: int) -> list[list[list[int]]]:
    """Return the ways to turn and mirror a board, each as one table for each part of a mask."""
    return [
        [_table(turn[low : low + CHUNK]) for low in range(0, rows * columns, CHUNK)]
        for turn in turns_of(rows, columns)
    ]


def _table(cells: tuple[int, ...]) -> list[int]:
    """Return for each mask of the first cells the mask of the ``cells`` where they end up."""
    table = [0]
    for cell in cells:
        table += [mask | 1 << cell for mask in table]
    return table


@lru_cache(maxsize=8)
def turns_of(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return for each way to turn and mirror a board where each cell ends up."""
    grid = [list(range(row * columns, (row + 1) * columns)) for row in range(rows)]
    flipped = [grid, [list(column) for column in zip(*grid, strict=True)]]
    return sorted(
        {
            tuple(cell for row in both for cell in row)
            for board in (flipped if rows == columns else flipped[:1])
            for upright in (board, board[::-1])
            for both in (upright, [row[::-1] for row in upright])
        }
    )


class TooLargeError(Exception):
    """A game is too large to be solved with the allowed work."""


class Work:
    """The number of sets of layouts that a search may examine; ``None`` for no limit."""

    def __init__(self, allowed: int | None = None) -> None:
        self.allowed = allowed
        self.done = 0

    def count_one(self) -> None:
        """Count one set of layouts as examined.

        Raises:
            TooLargeError: If that is more than is allowed.
        """
        self.done += 1
        if self.allowed is not None and self.done > self.allowed:
            raise TooLargeError(f"more than {self.allowed} sets of layouts to examine")
