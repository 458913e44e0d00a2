"""Packed bits, and draws from them and from whole numbers: the same as one number at a time."""

from itertools import pairwise

import numpy as np
import pytest

from bots.tactics.posterior.completing import _draw_columns
from bots.tactics.posterior.packed_bits import count_ones, draw_from, draw_ones, unpacked
from bots.tactics.posterior.systematic import draw_systematically, effective_size


@pytest.mark.parametrize("columns", [1, 8, 13, 64, 180])
def test_rows_of_bits_are_counted_and_read_as_they_were_packed(columns: int) -> None:
    rows = np.random.default_rng(columns).random((50, columns)) < 0.4
    packed = np.packbits(rows, axis=1)
    assert (count_ones(packed) == rows.sum(axis=1)).all()
    assert (unpacked(packed)[:, :columns] == rows).all()


@pytest.mark.parametrize("columns", [1, 8, 13, 64, 180])
def test_a_one_is_drawn_by_its_rank_among_those_of_its_row(columns: int) -> None:
    rows = np.random.default_rng(columns).random((500, columns)) < 0.4
    rows[:, -1] = True
    packed = np.packbits(rows, axis=1)
    drawn = draw_ones(packed, np.random.default_rng(1))
    again = draw_from(packed, count_ones(packed), np.arange(500), np.random.default_rng(1))
    points = np.random.default_rng(1).random(500)
    wanted = [
        np.flatnonzero(row)[int(point * row.sum())] for row, point in zip(rows, points, strict=True)
    ]
    assert drawn.tolist() == again.tolist() == wanted


def test_a_row_may_be_drawn_from_again_and_again() -> None:
    rows = np.packbits([[True, False, False], [False, True, True]], axis=1)
    drawn = draw_from(rows, count_ones(rows), np.array([0, 0, *[1] * 50]), np.random.default_rng(1))
    assert drawn[:2].tolist() == [0, 0]
    assert set(drawn[2:].tolist()) == {1, 2}


@pytest.mark.parametrize("columns", [1, 7, 16, 33, 180])
def test_a_column_is_drawn_in_proportion_to_its_number(columns: int) -> None:
    ways = np.random.default_rng(columns).integers(0, 50, (40, columns)).astype(np.float32)
    ways[:, 0] += 1
    rows = np.arange(1000) % 40
    drawn = _draw_columns(ways, ways.sum(axis=1, dtype=float), rows, np.random.default_rng(1))
    points = np.random.default_rng(1).random(1000)
    bounds = np.cumsum(ways.astype(int), axis=1)
    wanted = [
        np.searchsorted(bounds[row], int(point * bounds[row, -1]), side="right")
        for row, point in zip(rows, points, strict=True)
    ]
    assert drawn.tolist() == wanted


@pytest.mark.parametrize("rows", [1, 5, 40, 400])
def test_a_systematic_sample_draws_each_row_as_often_as_its_weight_says(rows: int) -> None:
    weights = np.random.default_rng(rows).random(rows) * (np.arange(rows) % 3 != 1)
    drawn, share = draw_systematically(weights, 100, np.random.default_rng(2))
    times = np.bincount(drawn, minlength=rows)
    assert len(drawn) == 100
    assert all(one <= two for one, two in pairwise(drawn.tolist()))
    assert (np.abs(times - weights / share) < 1).all()


def test_a_row_of_most_of_the_weight_is_drawn_most_often() -> None:
    # Each of four draws stands for a quarter of 16, and the last row begins at 6.
    for seed in range(20):
        drawn, share = draw_systematically(
            np.array([1.0, 2.0, 3.0, 10.0]), 4, np.random.default_rng(seed)
        )
        assert share == 4
        assert drawn[0] in {0, 1, 2}
        assert drawn[1] in {2, 3}
        assert drawn[2:].tolist() == [3, 3]


@pytest.mark.parametrize(
    ("weights", "size"), [([1, 1, 1, 1], 4), ([5, 0, 0], 1), ([3, 1], 1.6), ([1, 2, 3], 36 / 14)]
)
def test_effective_size_is_that_of_draws_of_equal_weight(weights: list[float], size: float) -> None:
    assert effective_size(np.array(weights, float)) == pytest.approx(size)
