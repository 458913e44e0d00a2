"""Cells and placements."""

import pytest

from arena.rules import barred, cells_of, mask_of, placements
from arena.rules.board import Touching


def test_cells_and_masks_are_two_forms_of_one_thing() -> None:
    for mask in (0, 1, 0b1011, 1 << 99, (1 << 4096) - 1):
        assert mask_of(cells_of(mask)) == mask
    assert cells_of(mask_of([7, 3, 99, 3])) == [3, 7, 99]


@pytest.mark.parametrize(
    ("rows", "columns", "length", "expected"),
    [
        (1, 1, 1, [[0]]),
        (1, 3, 2, [[0, 1], [1, 2]]),
        (3, 1, 2, [[0, 1], [1, 2]]),
        (2, 2, 2, [[0, 1], [2, 3], [0, 2], [1, 3]]),
        (2, 3, 3, [[0, 1, 2], [3, 4, 5]]),
        (3, 2, 3, [[0, 2, 4], [1, 3, 5]]),
        (2, 2, 1, [[0], [1], [2], [3]]),
        (2, 2, 3, []),
    ],
)
def test_placements_are_all_straight_runs(
    rows: int, columns: int, length: int, expected: list[list[int]]
) -> None:
    assert [cells_of(mask) for mask in placements(rows, columns, length)] == expected


@pytest.mark.parametrize(("length", "count"), [(5, 120), (4, 140), (3, 160), (2, 180), (1, 100)])
def test_the_standard_board_has_so_many(length: int, count: int) -> None:
    assert len(set(placements(10, 10, length))) == count


@pytest.mark.parametrize(
    ("ship", "touching", "cells"),
    [
        ([5, 6], "allowed", [5, 6]),
        ([5, 6], "corners", [1, 2, 4, 5, 6, 7, 9, 10]),
        ([5, 6], "never", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
        ([0], "corners", [0, 1, 4]),
        ([0], "never", [0, 1, 4, 5]),
        ([3, 7], "corners", [2, 3, 6, 7, 11]),
        ([3, 7], "never", [2, 3, 6, 7, 10, 11]),
        ([4, 8], "never", [0, 1, 4, 5, 8, 9]),
        ([11], "corners", [7, 10, 11]),
    ],
)
def test_cells_around_a_ship_are_barred_where_ships_may_not_touch(
    ship: list[int], touching: Touching, cells: list[int]
) -> None:
    assert cells_of(barred(3, 4, mask_of(ship), touching)) == cells
