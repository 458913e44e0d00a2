"""Formats both leaderboards as text, Markdown, CSV, and HTML for a notebook."""

import html
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd
from tabulate import tabulate

from leaderboards.display.cells import elo_cells, turns_cells
from leaderboards.display.explanations import (
    elo_explanations,
    elo_notes,
    turns_explanations,
    turns_notes,
)
from leaderboards.display.field_verdicts import elo_verdict, turns_verdict
from leaderboards.display.plain import plain_rows
from leaderboards.display.short_names import cut_apart
from leaderboards.display.spreadsheet import csv_of
from leaderboards.display.templating import printable
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


@dataclass(frozen=True, slots=True)
class Shown:
    """A leaderboard as a person reads it: a verdict, a table, and what is said of them."""

    verdict: Sequence[str]
    cells: Sequence[Mapping[str, str]]
    notes: Sequence[str]
    explanations: Sequence[str]


def shown_leaderboard(board: Leaderboard, verdict: Sequence[str] | None = None) -> Shown:
    """Return all that is said of a leaderboard, under its own verdict or under another."""
    if isinstance(board, Ratings):
        own = elo_verdict(board) if verdict is None else verdict
        return Shown(own, elo_cells(board), elo_notes(board), elo_explanations(board))
    own = turns_verdict(board) if verdict is None else verdict
    return Shown(own, turns_cells(board), turns_notes(board), turns_explanations(board))


def with_column(shown: Shown, head: str, cells: Mapping[str, str]) -> Shown:
    """Return a leaderboard with one more column, given its cells by bot."""
    return replace(shown, cells=[{**row, head: cells.get(row["bot"], "")} for row in shown.cells])


def leaderboard_text(shown: Shown, *, explain: bool = False) -> str:
    """Return a leaderboard for a terminal, with how sure it is if that is to be explained."""
    names = cut_apart((printable(row["bot"]) for row in shown.cells), _LONGEST_NAME)
    rows = [{**row, "bot": names[printable(row["bot"])]} for row in shown.cells]
    below = [*shown.notes, *(shown.explanations if explain else ())]
    parts = _paragraphs(shown.verdict), _tabulated(rows, "simple"), _paragraphs(below)
    return "\n\n".join("\n".join(part) for part in parts if part)


def leaderboard_markdown(shown: Shown, *, explain: bool = False) -> str:
    """Return a leaderboard as Markdown, with how sure it is if that is to be explained."""
    rows = [{head: _escaped(cell) for head, cell in row.items()} for row in shown.cells]
    below = [*shown.notes, *(shown.explanations if explain else ())]
    verdict, notes = notes_markdown(shown.verdict), notes_markdown(below)
    return "\n\n".join(filter(None, [verdict, "\n".join(_tabulated(rows, "pipe")), notes]))


def notes_text(notes: Sequence[str]) -> str:
    """Return notes of one's own as a terminal shows those of the leaderboards."""
    return "\n".join(_paragraphs(notes))


def notes_markdown(notes: Sequence[str]) -> str:
    """Return notes of one's own as Markdown."""
    return "\n".join(f"- {_escaped(note)}" for note in notes)


def leaderboards_html(boards: Iterable[Shown], notes: Sequence[str] = ()) -> str:
    """Return leaderboards as an HTML fragment, with further notes below."""
    parts = []
    explanations: list[str] = []
    for shown in boards:
        parts += [_html_verdict(shown.verdict), _html_table(shown.cells), _html_notes(shown.notes)]
        explanations += shown.explanations
    parts.append(_html_notes(notes))
    if explanations:
        how = _html_notes(list(dict.fromkeys(explanations)))
        parts.append(f"<details><summary>How sure is this?</summary>\n{how}\n</details>")
    return "\n".join(filter(None, parts))


def _paragraphs(notes: Sequence[str]) -> list[str]:
    return [textwrap.fill(printable(note), _WIDTH, break_on_hyphens=False) for note in notes]


def _tabulated(rows: Sequence[Mapping[str, str]], style: str) -> list[str]:
    if not rows:
        return []
    sides = ["left" if head == "bot" else "right" for head in rows[0]]
    cells = [[*row.values()] for row in rows]
    table = tabulate(
        cells, headers=[*rows[0]], tablefmt=style, colalign=sides, disable_numparse=True
    )
    return [str(table)]


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


def _html_verdict(lines: Sequence[str]) -> str:
    return f"<p>{'<br>'.join(map(_in_html, lines))}</p>" if lines else ""


def _html_notes(notes: Sequence[str]) -> str:
    return "\n".join(f"<p><small>{_in_html(note)}</small></p>" for note in notes)


def _in_html(text: str) -> str:
    return html.escape(printable(text))
