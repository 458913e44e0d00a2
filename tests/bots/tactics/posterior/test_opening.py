"""The table of the opening, held to closed totals and to itself."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from arena.rules import mask_of, placements
from bots.tactics.posterior import opening_table
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.explanations import Explanations
from bots.tactics.posterior.opening_table import FLEET, TABLE, count_unhit, look_up, symmetries
from bots.tactics.posterior.posterior import Effort, estimate
from bots.tactics.tables import rows_of

BOARD = board_of(10, 10, FLEET)


def rows() -> list[tuple[list[int], int, list[int]]]:
    return [
        ([int(cell) for cell in missed.split()], int(layouts), [int(count) for count in counts])
        for missed, layouts, *counts in rows_of(TABLE)
    ]


def test_empty_board_has_the_known_number_of_layouts() -> None:
    missed, layouts, counts = rows()[0]
    assert missed == []
    assert layouts == 30_093_975_536
    assert counts[0] / layouts == pytest.approx(0.0800, abs=5e-5)
    assert counts[44] / layouts == pytest.approx(0.2136, abs=5e-5)


def test_every_layout_covers_seventeen_cells() -> None:
    for missed, layouts, counts in rows():
        assert sum(counts) == 17 * layouts
        assert not any(counts[cell] for cell in missed)


def test_each_miss_takes_away_the_layouts_that_cover_it() -> None:
    by_cells = {frozenset(missed): (layouts, counts) for missed, layouts, counts in rows()}
    turns = [turn.tolist() for turn in symmetries(10)]
    linked = 0
    for missed, (layouts, counts) in by_cells.items():
        for cell in range(100):
            for turn in turns:
                after = by_cells.get(frozenset(turn[one] for one in [*missed, cell]))
                if cell not in missed and after:
                    assert after[0] == layouts - counts[cell]
                    linked += 1
    assert linked


def test_last_row_is_counted_again() -> None:
    missed, layouts, counts = rows()[-1]
    assert count_unhit(BOARD, FLEET, missed) == (layouts, counts)


def test_table_is_turned_and_mirrored() -> None:
    for cell in (44, 45, 54, 55):
        found = look_up(BOARD, FLEET, [cell])
        assert found is not None
        _, cells = found
        assert cells[cell] == 0
        assert cells.sum() == pytest.approx(17)


def test_other_boards_are_not_in_the_table() -> None:
    assert look_up(board_of(9, 9, FLEET), FLEET, []) is None
    assert look_up(board_of(10, 10, FLEET, "never"), FLEET, []) is None
    assert look_up(BOARD, FLEET, [0]) is None


def layouts_of(
    rows: int, columns: int, fleet: tuple[int, ...], missed: tuple[int, ...] = ()
) -> list[int]:
    """Return the cells of each layout that avoids some cells."""
    each = product(*(placements(rows, columns, length) for length in fleet))
    # Masks that share no cell have the union's cells in their sum.
    layouts = [sum(layout) for layout in each if sum(layout).bit_count() == sum(fleet)]
    closed = mask_of(missed)
    return [union for union in layouts if union < 1 << rows * columns and not union & closed]


def counts_of(layouts: list[int], cells: int) -> list[int]:
    return [sum(union >> cell & 1 for union in layouts) for cell in range(cells)]


@pytest.mark.parametrize(
    ("rows", "columns", "fleet", "missed"),
    [
        (1, 5, (3, 2), ()),
        (1, 7, (3,), (0,)),
        (2, 2, (2, 2), ()),
        (3, 3, (2, 2), (4,)),
        (4, 4, (2, 3), (0, 15)),
        (4, 5, (3, 2, 2), ()),
        (3, 4, (3, 2, 1, 1), (1, 6)),
        (10, 10, (5, 4), ()),
    ],
)
def test_counts_of_other_boards(
    rows: int, columns: int, fleet: tuple[int, ...], missed: tuple[int, ...]
) -> None:
    layouts = layouts_of(rows, columns, fleet, missed)
    found = count_unhit(board_of(rows, columns, fleet), fleet, missed)
    assert found == (len(layouts), counts_of(layouts, rows * columns))


def test_table_follows_every_likeliest_cell_up_to_turns_and_mirrors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "opening.csv"
    small = {"SIDE": 3, "FLEET": (2,), "DEPTH": 3, "TABLE": str(table)}
    for name, value in small.items():
        monkeypatch.setattr(opening_table, name, value)
    opening_table.main()
    turns = [turn.tolist() for turn in symmetries(3)]
    level, expected = {()}, []
    for _ in range(4):
        following = set()
        for missed in sorted(level):
            layouts = layouts_of(3, 3, (2,), missed)
            counts = counts_of(layouts, 9)
            expected.append([" ".join(map(str, missed)), *map(str, [len(layouts), *counts])])
            for cell in range(9):
                if counts[cell] == max(counts):
                    boards = (sorted(turn[one] for one in (*missed, cell)) for turn in turns)
                    following.add(tuple(min(boards)))
        level = following
    assert rows_of(str(table)) == expected
    assert len(expected) == 9


def test_posterior_of_more_layouts_than_floats_of_32_bits_count_is_exact() -> None:
    fleet = (3, 3, 2, 2)
    board = board_of(8, 8, fleet)
    known = Explanations(board, fleet, np.random.default_rng(1))
    found = estimate(known, np.random.default_rng(1), Effort(limit=10**6))
    layouts, counts = count_unhit(board, fleet, ())
    assert found.exact
    assert found.layouts == layouts > 2**24
    assert found.cells * layouts == pytest.approx(counts, rel=1e-12)
