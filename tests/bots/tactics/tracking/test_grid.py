"""Neighbours on the board, and the cells opposite them."""

import pytest

from bots.tactics.tracking import neighbours, opposites


@pytest.mark.parametrize(
    ("rows", "columns", "cell", "beside"),
    [
        (3, 3, 4, {1, 3, 5, 7}),
        (3, 3, 0, {1, 3}),
        (3, 3, 5, {2, 4, 8}),
        (1, 3, 1, {0, 2}),
        (3, 1, 2, {1}),
        (1, 1, 0, set()),
    ],
)
def test_neighbours(rows: int, columns: int, cell: int, beside: set[int]) -> None:
    assert set(neighbours(rows, columns)[cell]) == beside


def test_opposites_lie_on_the_other_side() -> None:
    assert set(opposites(3, 3)[4]) == {(1, 7), (7, 1), (3, 5), (5, 3)}


def test_opposite_may_be_off_the_board() -> None:
    assert set(opposites(3, 3)[2]) == {(1, -1), (5, -1)}
