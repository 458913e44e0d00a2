"""Writes a table as lines of text, in the form that was asked for."""

import csv
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from leaderboards.display.spreadsheet import safe_cell

_PADDING = 2  # a column is this much wider than its head


class Table(NamedTuple):
    """Rows under heads; a cell without a value is None.

    The rows are gone through once for data, and twice for the eye, since a column is as wide as its
    widest cell: whatever yields them anew each time need not hold them all.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[object]]


def table_lines(table: Table, format_: str = "table") -> Iterator[str]:
    """Yield a table as lines of text, row by row."""
    match format_:
        case "json":
            return _json(table)
        case "csv":
            return _csv(table)
        case "markdown":
            return _aligned(table, _MARKDOWN)
        case _:
            return _aligned(table, _SIMPLE)


def _json(table: Table) -> Iterator[str]:
    yield "["
    for row, following in itertools.pairwise(itertools.chain(table.rows, [None])):
        assert row is not None
        cells = dict(zip(table.columns, row, strict=True))
        yield msgspec.json.encode(cells).decode() + ("," if following else "")
    yield "]"


class _Line:
    """Takes what a CSV writer writes, and keeps the last line."""

    text = ""

    def write(self, text: str) -> None:
        self.text = text


def _csv(table: Table) -> Iterator[str]:
    line = _Line()
    writer = csv.writer(line, lineterminator="\n")  # which it also quotes in a cell
    for row in itertools.chain([table.columns], table.rows):
        writer.writerow([safe_cell(cell) for cell in row])
        yield line.text.removesuffix("\n")


class _Style(NamedTuple):
    """The text before, between and after the cells of a line, and of the line under the heads."""

    line: tuple[str, str, str]
    rule: tuple[str, str, str]
    escaped: tuple[tuple[str, str], ...] = ()

    def text(self, cell: object) -> str:
        text = "" if cell is None else str(cell)
        for sign, code in self.escaped:
            text = text.replace(sign, code)
        return text


_SIMPLE = _Style(("", "  ", ""), ("", "  ", ""))
_MARKDOWN = _Style(("| ", " | ", " |"), ("|-", "-|-", "-|"), (("|", r"\|"), ("<", "&lt;")))


class _Column:
    """Measures a column; one of numbers is aligned to the right."""

    def __init__(self, number: int, head: str) -> None:
        self.number = number
        self.width = len(head) + _PADDING
        self.is_empty = self.is_numeric = True

    def add(self, cell: object, text: str) -> None:
        if cell is not None:
            self.is_empty = False
            self.width = max(self.width, len(text))
            self.is_numeric = self.is_numeric and isinstance(cell, int | float)

    def pad(self, text: str) -> str:
        right = self.is_numeric and not self.is_empty
        return text.rjust(self.width) if right else text.ljust(self.width)


def _aligned(table: Table, style: _Style) -> Iterator[str]:
    """Yield a table with columns as wide as their cells; those without any value are left out."""
    columns = [_Column(number, head) for number, head in enumerate(table.columns)]
    for row in table.rows:
        for column, cell in zip(columns, row, strict=True):
            column.add(cell, style.text(cell))
    columns = [column for column in columns if not column.is_empty] or columns
    rule = ["-" * column.width for column in columns]
    for row in itertools.chain([table.columns], table.rows):
        yield _joined(
            (column.pad(style.text(row[column.number])) for column in columns), style.line
        )
        if row is table.columns:
            yield _joined(rule, style.rule)


def _joined(cells: Iterable[str], signs: tuple[str, str, str]) -> str:
    before, between, after = signs
    return f"{before}{between.join(cells)}{after}".rstrip()
