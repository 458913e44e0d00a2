"""The features of cells: those of a board that can be counted by eye."""

import numpy as np
import pytest

from bots.tactics.learned.cell_features import FEATURES, Flags, features_of

BOARD = (
    "......",
    ".##.#.",
    "..o...",
    "..oo..",
)


def cells(mark: str) -> Flags:
    return np.array([list(row) for row in BOARD]).ravel() == mark


def features(row: int, column: int) -> dict[str, float]:
    found = features_of(len(BOARD), len(BOARD[0])).of(cells("#"), cells("o"))
    return dict(zip(FEATURES, found[row * len(BOARD[0]) + column].tolist(), strict=True))


def test_a_cell_between_hits_lies_beside_the_longer_line_and_in_line() -> None:
    found = features(1, 3)
    assert found["longest line of 1 hits beside it"] == 0
    assert found["longest line of 2 hits beside it"] == 1
    assert found["hits on two sides in line"] == 1
    assert found["lines of hits across each other"] == 0


def test_a_cell_with_hits_above_and_beside_it_lies_across_them() -> None:
    board = cells("#")
    board[0 * 6 + 3] = True
    found = features_of(4, 6).of(board, cells("o"))[1 * 6 + 3]
    assert found[FEATURES.index("lines of hits across each other")] == 1


def test_ways_end_at_misses_and_edges() -> None:
    # From (2, 3), three cells are open to the right and three upwards, of which one is it.
    found = features(2, 3)
    assert found["ways a ship of 2 could cover it"] == pytest.approx(2 / 4)
    assert found["ways a ship of 3 could cover it"] == pytest.approx(2 / 6)
    assert found["ways a ship of 4 could cover it"] == 0
    assert found["open neighbours"] == 2 / 4
    assert found["white of the checkerboard"] == 1


def test_ways_past_a_hit_count_along_its_own_axis() -> None:
    # (1, 0): the row has six open cells, the column four; the hits lie in the row.
    found = features(1, 0)
    assert found["ways a ship of 3 could cover it"] == pytest.approx((1 + 2) / 6)
    assert found["ways a ship of 3 could cover it and a hit"] == pytest.approx(1 / 6)
