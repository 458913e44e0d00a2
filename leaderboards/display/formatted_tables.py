"""Formats both leaderboards as text, Markdown, CSV, and HTML for a notebook."""

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from tabulate import tabulate

from leaderboards.display.cells import elo_cells, elo_notes, printable, turns_cells, turns_notes
from leaderboards.display.plain import plain_rows
from leaderboards.display.short_names import cut_apart
from leaderboards.display.spreadsheet import csv_of
from leaderboards.elo.ratings import Ratings

_LONGEST_NAME = 20
_WIDTH = 98


Leaderboard = Ratings | pd.DataFrame
"""The result of `leaderboards.rate` or of `leaderboards.mean_turns`."""


def leaderboard_csv(board: Leaderboard) -> str:
    """Return a leaderboard as CSV with a head line; what is missing is an empty field."""
    elo = isinstance(board, Ratings)
    return table_csv(board.table if isinstance(board, Ratings) else board, elo=elo)


def table_csv(table: pd.DataFrame, *, elo: bool) -> str:
    """Return a table, such as differences in Elo or in turns, as CSV with a head line."""
    rows = plain_rows(table, elo=elo)
    return csv_of(pd.DataFrame(rows, columns=table.columns, dtype=object))


def leaderboard_text(board: Leaderboard) -> str:
    """Return a leaderboard as a table for a terminal, with what a reader must know under it."""
    cells, notes = _cells_and_notes(board)
    shown = cut_apart((printable(row["bot"]) for row in cells), _LONGEST_NAME)
    rows = [{**row, "bot": shown[printable(row["bot"])]} for row in cells]
    return "\n".join([*_tabulated(rows, "simple"), *_paragraphs(notes)])


def leaderboard_markdown(board: Leaderboard) -> str:
    """Return a leaderboard as Markdown, with what a reader must know under it."""
    cells, notes = _cells_and_notes(board)
    rows = [{head: _escaped(cell) for head, cell in row.items()} for row in cells]
    return "\n".join([*_tabulated(rows, "pipe"), notes_markdown(notes)])


def notes_text(notes: Sequence[str]) -> str:
    """Return notes of one's own as a terminal shows those of the leaderboards."""
    return "\n".join(_paragraphs(notes))


def notes_markdown(notes: Sequence[str]) -> str:
    """Return notes of one's own as Markdown."""
    return "\n".join(f"- {_escaped(note)}" for note in notes)


def leaderboards_html(boards: Iterable[Leaderboard], notes: Sequence[str] = ()) -> str:
    """Return leaderboards as an HTML fragment, with further notes below."""
    parts = []
    for board in boards:
        cells, own = _cells_and_notes(board)
        parts += [_html_table(cells), _html_notes(own)]
    return "\n".join(part for part in [*parts, _html_notes(notes)] if part)


def _cells_and_notes(board: Leaderboard) -> tuple[list[dict[str, str]], list[str]]:
    if isinstance(board, Ratings):
        return elo_cells(board), elo_notes(board)
    return turns_cells(board), turns_notes(board)


def _paragraphs(notes: Sequence[str]) -> list[str]:
    return [textwrap.fill(printable(note), _WIDTH, break_on_hyphens=False) for note in notes]


def _tabulated(rows: list[dict[str, str]], style: str) -> list[str]:
    if not rows:
        return []
    sides = ["left" if head == "bot" else "right" for head in rows[0]]
    table = tabulate(rows, headers="keys", tablefmt=style, colalign=sides, disable_numparse=True)
    return [str(table), ""]


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", printable(text))


def _html_table(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return ""
    heads = _html_row("th", {head: head for head in rows[0]})
    body = "\n".join(_html_row("td", row) for row in rows)
    return f"<table>\n<thead>{heads}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _html_row(tag: str, row: Mapping[str, str]) -> str:
    cells = []
    for head, cell in row.items():
        side = "left" if head == "bot" else "right"
        cells.append(f'<{tag} style="text-align: {side}">{_in_html(cell)}</{tag}>')
    return f"<tr>{''.join(cells)}</tr>"


def _html_notes(notes: Sequence[str]) -> str:
    return "\n".join(f"<p><small>{_in_html(note)}</small></p>" for note in notes)


def _in_html(text: str) -> str:
    return html.escape(printable(text))
