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


def by_eye(rows: int, columns: int, hits: Flags, misses: Flags) -> list[list[float]]:
    """Return the features of each cell, counted one by one."""

    def run(row: int, column: int, way: tuple[int, int], marks: Flags) -> int:
        length = 0
        while length < 4:
            row, column = row + way[0], column + way[1]
            if not (0 <= row < rows and 0 <= column < columns and marks[row * columns + column]):
                break
            length += 1
        return length

    def ways(back: int, ahead: int, length: int) -> int:
        return sum(before <= back and length - 1 - before <= ahead for before in range(length))

    found = []
    for row in range(rows):
        for column in range(columns):
            up, down, left, right = (
                (run(row, column, way, hits), run(row, column, way, ~misses))
                for way in ((-1, 0), (1, 0), (0, -1), (0, 1))
            )
            axes = ((up, down), (left, right))
            longest = max(line for axis in axes for line, _ in axis)
            beside = [one[0] > 0 or two[0] > 0 for one, two in axes]
            counts = [[ways(one[1], two[1], length) for one, two in axes] for length in range(2, 6)]
            found.append(
                [
                    1,
                    *(longest == length for length in range(1, 5)),
                    any(one[0] and two[0] for one, two in axes),
                    all(beside),
                    *(sum(number) / (2 * length) for length, number in enumerate(counts, 2)),
                    *(
                        sum(one for one, near in zip(number, beside, strict=True) if near)
                        / (2 * length)
                        for length, number in enumerate(counts, 2)
                    ),
                    sum(room > 0 for axis in axes for _, room in axis) / 4,
                    (row + column) % 2,
                ]
            )
    return found


@pytest.mark.parametrize(("rows", "columns"), [(7, 5), (1, 12), (10, 10), (3, 1)])
@pytest.mark.parametrize("share", [0.2, 0.6])
def test_features_are_those_counted_one_by_one(rows: int, columns: int, share: float) -> None:
    drawn = np.random.default_rng(rows).random(rows * columns)
    hits, misses = drawn < share, drawn > 0.9
    found = features_of(rows, columns).of(hits, misses)
    assert found == pytest.approx(np.array(by_eye(rows, columns, hits, misses), float))
