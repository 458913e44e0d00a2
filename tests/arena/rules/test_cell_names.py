"""Cells by the names that people give them."""

import pytest

from arena.rules import cell_name, read_cell, row_name


@pytest.mark.parametrize(
    ("row", "name"),
    [(0, "A"), (9, "J"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (63, "BL"), (702, "AAA")],
)
def test_rows_are_letters(row: int, name: str) -> None:
    assert row_name(row) == name
    assert read_cell(f"{name}1", 1000, 3) == 3 * row


def test_every_cell_is_read_back_by_its_name() -> None:
    for cell in range(64 * 7):
        name = cell_name(cell, 7)
        assert read_cell(name, 64, 7) == read_cell(name.lower(), 64, 7) == cell
    assert [cell_name(cell, 7) for cell in (0, 6, 7, 447)] == ["A1", "A7", "B1", "BL7"]


@pytest.mark.parametrize("name", ["A0", "A4", "c1", "AA1", "A999", "ZZZ999"])
def test_cell_outside_the_board_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name.upper()} is not on the board: rows A to B, col"):
        read_cell(name, 2, 3)


@pytest.mark.parametrize("name", ["", "A", "1", "1A", "A 1", "A-1", "AAAA1", "A1000", "Ä1", "A1."])
def test_what_is_no_name_of_a_cell_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a cell: type a letter and a number, such as A2"):
        read_cell(name, 64, 64)
