"""Counting all placements at once comes to the same as counting one by one."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import cells_of, placements
from bots.tactics.placement_counts import count_placements, runs_through


@settings(deadline=None)
@given(
    rows=st.integers(1, 9),
    columns=st.integers(1, 9),
    lengths=st.lists(st.integers(1, 10), max_size=6),
    taken=st.integers(0, 2**81 - 1),
)
def test_counts_as_one_by_one(rows: int, columns: int, lengths: list[int], taken: int) -> None:
    expected: Counter[int] = Counter()
    for length in lengths:
        for place in placements(rows, columns, length):
            if not place & taken:
                expected.update(cells_of(place))
    free = (1 << rows * columns) - 1 & ~taken
    counts = count_placements(rows, columns, free, Counter(lengths))
    assert counts == [expected[cell] for cell in range(rows * columns)]


def test_lanes_hold_the_most_that_the_rules_allow() -> None:
    counts = count_placements(64, 64, (1 << 64 * 64) - 1, {32: 64})
    assert max(counts) == 64 * 2 * 32


def test_runs_through_a_cell_cover_it() -> None:
    runs = runs_through(4, 5, 3, 7)
    assert {cells for _, cells in runs} == {
        (5, 6, 7),
        (6, 7, 8),
        (7, 8, 9),
        (2, 7, 12),
        (7, 12, 17),
    }
    assert all(cells_of(mask) == list(cells) for mask, cells in runs)
