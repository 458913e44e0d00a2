"""Formats both leaderboards as text, Markdown, CSV, and HTML for a notebook."""

import html
import re
import textwrap
from collections.abc import Mapping, Sequence

import pandas as pd
from tabulate import tabulate

from leaderboards.display.cells import (
    elo_cells,
    elo_notes,
    printable,
    turns_cells,
    turns_notes,
)
from leaderboards.display.plain import plain_rows
from leaderboards.display.short_names import cut_apart
from leaderboards.display.spreadsheet import csv_of
from leaderboards.elo.ratings import Ratings

_LONGEST_NAME = 20
_WIDTH = 98


def elo_csv(ratings: Ratings) -> str:
    """Return the ratings as CSV with a head line; what is missing is an empty field."""
    return _csv(ratings.table, elo=True)


def turns_csv(turns: pd.DataFrame) -> str:
    """Return the turns as CSV with a head line; what is missing is an empty field."""
    return _csv(turns, elo=False)


def differences_csv(differences: pd.DataFrame, *, elo: bool) -> str:
    """Return what `elo_differences` or `turns_differences` returned as CSV with a head line."""
    return _csv(differences, elo=elo)


def elo_text(ratings: Ratings) -> str:
    """Return the ratings as a table for a terminal, with what a reader must know under it."""
    return _text(elo_cells(ratings), elo_notes(ratings))


def turns_text(turns: pd.DataFrame) -> str:
    """Return the turns as a table for a terminal, with what a reader must know under it."""
    return _text(turns_cells(turns), turns_notes(turns))


def elo_markdown(ratings: Ratings) -> str:
    """Return the ratings as Markdown, with what a reader must know under them."""
    return _markdown(elo_cells(ratings), elo_notes(ratings))


def turns_markdown(turns: pd.DataFrame) -> str:
    """Return the turns as Markdown, with what a reader must know under them."""
    return _markdown(turns_cells(turns), turns_notes(turns))


def notes_text(notes: Sequence[str]) -> str:
    """Return notes of one's own as a terminal shows those of the leaderboards."""
    return "\n".join(_paragraphs(notes))


def notes_markdown(notes: Sequence[str]) -> str:
    """Return notes of one's own as Markdown."""
    return "\n".join(f"- {_escaped(note)}" for note in notes)


def leaderboards_html(
    ratings: Ratings | None, turns: pd.DataFrame | None, notes: Sequence[str] = ()
) -> str:
    """Return those leaderboards that there are as an HTML fragment, with further notes below."""
    parts = []
    if ratings is not None:
        parts += [_html_table(elo_cells(ratings)), _html_notes(elo_notes(ratings))]
    if turns is not None:
        parts += [_html_table(turns_cells(turns)), _html_notes(turns_notes(turns))]
    return "\n".join(part for part in [*parts, _html_notes(notes)] if part)


def _text(cells: list[dict[str, str]], notes: list[str]) -> str:
    shown = cut_apart((printable(row["bot"]) for row in cells), _LONGEST_NAME)
    rows = [{**row, "bot": shown[printable(row["bot"])]} for row in cells]
    return "\n".join([*_tabulated(rows, "simple"), *_paragraphs(notes)])


def _paragraphs(notes: Sequence[str]) -> list[str]:
    return [textwrap.fill(printable(note), _WIDTH, break_on_hyphens=False) for note in notes]


def _markdown(cells: list[dict[str, str]], notes: list[str]) -> str:
    rows = [{head: _escaped(cell) for head, cell in row.items()} for row in cells]
    return "\n".join([*_tabulated(rows, "pipe"), *(f"- {_escaped(note)}" for note in notes)])


def _tabulated(rows: list[dict[str, str]], style: str) -> list[str]:
    if not rows:
        return []
    sides = ["left" if head == "bot" else "right" for head in rows[0]]
    table = tabulate(rows, headers="keys", tablefmt=style, colalign=sides, disable_numparse=True)
    return [str(table), ""]


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", printable(text))


def _csv(table: pd.DataFrame, *, elo: bool) -> str:
    rows = plain_rows(table, elo=elo)
    return csv_of(pd.DataFrame(rows, columns=table.columns, dtype=object))


def _html_table(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return ""
    heads = _html_row("th", {head: head for head in rows[0]})
    body = "\n".join(_html_row("td", row) for row in rows)
    return f"<table>\n<thead>{heads}</thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _html_row(tag: str, row: Mapping[str, str]) -> str:
    cells = (f"<{tag}{_side(head)}>{_in_html(cell)}</{tag}>" for head, cell in row.items())
    return f"<tr>{''.join(cells)}</tr>"


def _side(head: str) -> str:
    return f' style="text-align: {"left" if head == "bot" else "right"}"'


def _html_notes(notes: Sequence[str]) -> str:
    return "\n".join(f"<p><small>{_in_html(note)}</small></p>" for note in notes)


def _in_html(text: str) -> str:
    return html.escape(printable(text))
