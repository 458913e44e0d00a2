"""Looks up the exact posterior of the standard opening: no hit yet, and misses along a line.

The table holds the empty board and the boards after each miss of the lines that the bots take; a
board is stored once for the eight ways in which it can be turned and mirrored. ``python -m
bots.tactics.posterior.opening_table`` makes it again, which takes some minutes.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from bots.tactics.posterior.board_placements import Board, Floats, Indices, board_of
from bots.tactics.posterior.counting import Group, OpenPlacements, count_free
from bots.tactics.tables import beside, rows_of, write_rows

TABLE = beside(__file__, "opening.csv")
SIDE = 10
FLEET = (5, 4, 3, 3, 2)
DEPTH = 14  # misses in a line, at most: in 5% of games no shot has hit by then
AT_ONCE = 2  # placements of the first ship counted at once; more take more memory


def look_up(
    board: Board, lengths: tuple[int, ...], missed: Iterable[int]
) -> tuple[int, Floats] | None:
    """Return how many layouts are left after some misses, and how likely each cell is covered.

    Both are exact; ships of one length count as different. None if it is not in the table.
    """
    if (board.rows, board.columns, lengths) != (SIDE, SIDE, FLEET) or board.touching != "allowed":
        return None
    return _table().get(frozenset(missed))


@lru_cache(maxsize=1)
def _table() -> dict[frozenset[int], tuple[int, Floats]]:
    known = {}
    for missed, layouts, *counts in rows_of(TABLE):
        cells = np.array(counts, float) / float(layouts)
        for turned in symmetries(SIDE):
            key = frozenset(int(turned[int(cell)]) for cell in missed.split())
            turned_cells = np.empty_like(cells)
            turned_cells[turned] = cells
            known[key] = int(layouts), turned_cells
    return known


def symmetries(side: int) -> Iterator[Indices]:
    """Yield where each cell of a square board comes to lie, for its eight turns and mirrors."""
    grid = np.arange(side * side).reshape(side, side)
    for mirrored in (grid, grid.T):
        for turns in range(4):
            yield np.rot90(mirrored, turns).ravel()


def count_unhit(
    board: Board, lengths: tuple[int, ...], missed: Iterable[int]
) -> tuple[int, list[int]]:
    """Count the layouts that avoid some cells, and those of them that cover each cell.

    Exact, as all sums stay below 2**53. Ships of one length count as different.
    """
    left = OpenPlacements(board, board.are_clear(list(missed)))
    first, *others = lengths
    layouts, counts = 0.0, np.zeros(board.cells)
    for start in range(0, len(left.places(first)), AT_ONCE):
        places = left.places(first)[start : start + AT_ONCE]
        fitting = left.fitting([places + board.numbers[first].start], len(places))
        group = Group(np.ones(len(places)), others, fitting, left)
        found, _ = count_free(group, sys.maxsize, 0, np.random.default_rng(0))
        totals, tail = found.tail.totals, found.tail
        layouts += totals.sum()
        own = np.bincount(found.rows, weights=totals, minlength=len(places))
        counts += own @ board.covers[first][places]
        for other, at in found.placed:
            covers = board.covers[other]
            counts += np.bincount(at, weights=totals, minlength=len(covers)) @ covers
        for other, ways in zip(tail.lengths, tail.ways(), strict=True):
            counts += ways.sum(axis=0, dtype=float) @ board.covers[other][left.places(other)]
    return round(layouts), [round(count) for count in counts.tolist()]


def main() -> None:
    """Write the table again: the boards that a shooter of the likeliest cells meets as it misses.

    Every likeliest cell is followed, except those that lead to the same board turned or mirrored.
    """
    board = board_of(SIDE, SIDE, FLEET)
    turns = list(symmetries(SIDE))
    level: set[tuple[int, ...]] = {()}
    rows = []
    for _ in range(DEPTH + 1):
        following = set()
        for missed in sorted(level):
            layouts, counts = count_unhit(board, FLEET, missed)
            rows.append([" ".join(map(str, missed)), *map(str, [layouts, *counts])])
            scores = np.array(counts) / layouts
            scores[list(missed)] = -1
            for cell in np.flatnonzero(scores >= scores.max() - 1e-9).tolist():
                boards = (tuple(sorted(turn[[*missed, cell]].tolist())) for turn in turns)
                following.add(min(boards))
        level = following
    write_rows(TABLE, rows)


if __name__ == "__main__":
    main()
