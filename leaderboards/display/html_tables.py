"""Both leaderboards as HTML, for a notebook: the cells and notes that a terminal shows."""

import html
from collections.abc import Mapping, Sequence

import pandas as pd

from leaderboards.display.cells import elo_cells, elo_notes, printable, turns_cells, turns_notes
from leaderboards.elo.ratings import Ratings


def leaderboards_html(
    ratings: Ratings | None, turns: pd.DataFrame | None, notes: Sequence[str] = ()
) -> str:
    """Return both leaderboards as an HTML fragment.

    Args:
        ratings: What `leaderboards.elo.ratings.rate` returned; None leaves Elo out.
        turns: What `leaderboards.turns.solo.mean_turns` returned; None leaves turns out.
        notes: What else is to be said, in whole sentences.
    """
    parts = []
    if ratings is not None:
        parts += [_table(elo_cells(ratings)), _notes(elo_notes(ratings))]
    if turns is not None:
        parts += [_table(turns_cells(turns)), _notes(turns_notes(turns))]
    return "\n".join(part for part in [*parts, _notes(notes)] if part)


def _table(rows: Sequence[Mapping[str, str]]) -> str:
    if not rows:
        return ""
    heads = "".join(f"<th{_side(head)}>{_safe(head)}</th>" for head in rows[0])
    body = "\n".join(
        f"<tr>{''.join(f'<td{_side(head)}>{_safe(cell)}</td>' for head, cell in row.items())}</tr>"
        for row in rows
    )
    return f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _side(head: str) -> str:
    return f' style="text-align: {"left" if head == "bot" else "right"}"'


def _notes(notes: Sequence[str]) -> str:
    return "\n".join(f"<p><small>{_safe(note)}</small></p>" for note in notes)


def _safe(text: str) -> str:
    return html.escape(printable(text))
