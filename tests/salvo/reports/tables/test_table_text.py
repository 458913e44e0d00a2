"""Tables as lines of text."""

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator, Sequence

import pytest
from tabulate import tabulate

from salvo.reports.tables.table_text import Table, table_lines

SMALL = Table(
    ("bot", "games", "a long head", "none", "idea"),
    [("one|two", 3, 1.5, None, "=1+1"), ("x", -12, None, None, 'a "quoted" <b>, ä')],
)


class Made:
    """Rows that are made one by one, each time anew."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked = 0

    def __iter__(self) -> Iterator[Sequence[object]]:
        for number in range(self.number):
            self.asked += 1
            yield f"game {number}", number, "every ship of the other side is sunk"


@pytest.mark.parametrize(("format_", "style"), [("table", "simple"), ("markdown", "github")])
def test_columns_are_as_wide_as_their_cells_and_those_without_a_value_are_left_out(
    format_: str, style: str
) -> None:
    kept = [0, 1, 2, 4]
    rows = [["" if row[n] is None else str(row[n]) for n in kept] for row in SMALL.rows]
    if format_ == "markdown":
        rows = [[cell.replace("|", r"\|").replace("<", "&lt;") for cell in row] for row in rows]
    expected = tabulate(
        rows,
        [SMALL.columns[n] for n in kept],
        tablefmt=style,
        disable_numparse=True,
        colalign=("left", "right", "right", "left"),
    )
    assert "\n".join(table_lines(SMALL, format_)) == expected


def test_json_has_null_where_there_is_no_value() -> None:
    told = json.loads("\n".join(table_lines(SMALL, "json")))
    assert told == [dict(zip(SMALL.columns, row, strict=True)) for row in SMALL.rows]


def test_line_break_in_a_cell_of_csv_ends_no_row() -> None:
    table = Table(("a", "b"), [("x\n", "y"), ("z", "w")])
    text = "".join(f"{line}\n" for line in table_lines(table, "csv"))
    assert [*csv.reader(io.StringIO(text, newline=""))] == [["a", "b"], ["x\n", "y"], ["z", "w"]]


def test_csv_is_read_back_and_runs_nothing() -> None:
    [heads, *rows] = csv.reader(table_lines(SMALL, "csv"))
    assert heads == list(SMALL.columns)
    assert rows == [["one|two", "3", "1.5", "", "'=1+1"], ["x", "-12", "", "", 'a "quoted" <b>, ä']]


@pytest.mark.parametrize(
    ("format_", "lines"),
    [("json", ["[", "]"]), ("csv", ["a,b"]), ("table", ["a    b", "---  ---"])],
)
def test_table_without_rows_has_its_heads(format_: str, lines: list[str]) -> None:
    assert list(table_lines(Table(("a", "b"), []), format_)) == lines


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_data_are_written_before_the_next_row_is_asked_for(format_: str) -> None:
    rows = Made(100)
    lines = table_lines(Table(("game", "pair", "reason"), rows), format_)
    [next(lines) for _ in range(3)]
    assert rows.asked <= 4


@pytest.mark.parametrize("format_", ["table", "markdown", "json", "csv"])
def test_many_rows_take_no_more_memory_than_few(format_: str) -> None:
    def peak(number: int) -> int:
        tracemalloc.start()
        for _ in table_lines(Table(("game", "pair", "reason"), Made(number)), format_):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(200)
    assert peak(5_000) < peak(1_000) + 50_000
