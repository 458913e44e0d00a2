"""Both leaderboards as text, Markdown, CSV and plain data.

Numbers are rounded here and nowhere before: Elo to one decimal, means to two, rates to three, so
that noise in the last bits of a float cannot change a byte.
"""

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import pandas as pd
from tabulate import tabulate

from leaderboards.cells import (
    elo_cells,
    elo_notes,
    printable,
    rounded,
    turns_cells,
    turns_notes,
)
from leaderboards.elo_table import TABLE_COLUMNS as ELO_KEYS
from leaderboards.luck import ADJUSTED_COLUMNS
from leaderboards.names import cut_apart
from leaderboards.ratings import FirstSeat, Ratings
from leaderboards.spreadsheet import csv_of

Plain: TypeAlias = str | bool | int | float | None
"""A value as JSON has it; what is missing is None, never NaN."""

TURNS_KEYS = (
    "bot",
    "rank",
    "best_rank",
    "worst_rank",
    "mean_turns",
    "turns_low",
    "turns_high",
    "lead",
    "lead_low",
    "lead_high",
    "mean_shots",
    "shots_low",
    "shots_high",
    "median_shots",
    "hit_rate",
    "games",
    "forfeits",
)

_DECIMALS = {
    **dict.fromkeys(
        ("elo", "low", "high", "compare_low", "compare_high", "lead", "lead_low", "lead_high"), 1
    ),
    "weight": 4,
}
_DECIMALS_OF_TURNS = {
    "hit_rate": 3,
    "luck_errors": 1,
    **{name: 3 for name in ADJUSTED_COLUMNS if name.startswith("adjusted")},
}
_DECIMALS_OF_MEANS = 2
_LONGEST_NAME = 20
_WIDTH = 98


def plain_leaderboards(
    ratings: Ratings | None, turns: pd.DataFrame | None
) -> dict[str, list[dict[str, Plain]] | dict[str, Plain] | None]:
    """Return both leaderboards as data that JSON can hold.

    Args:
        ratings: What `leaderboards.ratings.rate` returned; None where nothing was rated.
        turns: What `leaderboards.turns.mean_turns` returned; None where nothing was searched.

    Returns:
        `elo` and `turns`, lists of rows with the keys `ELO_KEYS` and `TURNS_KEYS`, best first (the
        turns also with `ADJUSTED_COLUMNS` if they were adjusted), and
        `first_seat_elo`, a mapping of `value`, `low` and `high`, or None. What is missing is an
        empty list or None.
    """
    return {
        "elo": [] if ratings is None else _plain_rows(ratings.table, ELO_KEYS),
        "turns": [] if turns is None else _plain_rows(turns, _turns_keys(turns)),
        "first_seat_elo": None if ratings is None else _plain_seat(ratings.first_seat),
    }


def elo_csv(ratings: Ratings) -> str:
    """Return the ratings as CSV with a head line; what is missing is an empty field."""
    return _csv(ratings.table, ELO_KEYS)


def turns_csv(turns: pd.DataFrame) -> str:
    """Return the turns as CSV with a head line; what is missing is an empty field."""
    return _csv(turns, tuple(str(column) for column in turns.columns))


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
    """Return the text escaped so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", printable(text))


def _plain(value: object, column: str, decimals_of: Mapping[str, int]) -> Plain:
    if isinstance(value, float):
        decimals = decimals_of.get(column, _DECIMALS_OF_MEANS)
        return None if math.isnan(value) else rounded(value, decimals)
    return value if isinstance(value, str | bool) else int(str(value))


def _turns_keys(turns: pd.DataFrame) -> tuple[str, ...]:
    return TURNS_KEYS + (ADJUSTED_COLUMNS if "adjusted_turns" in turns else ())


def _plain_rows(table: pd.DataFrame, keys: Sequence[str]) -> list[dict[str, Plain]]:
    # A lead is in Elo in one table, and in turns in the other.
    decimals_of = _DECIMALS if "elo" in keys else _DECIMALS_OF_TURNS
    return [
        {key: _plain(row[key], key, decimals_of) for key in keys}
        for row in table.to_dict("records")
    ]


def _plain_seat(seat: FirstSeat | None) -> dict[str, Plain] | None:
    if seat is None:
        return None
    return {
        "value": rounded(seat.value, 1),
        "low": rounded(seat.low, 1),
        "high": rounded(seat.high, 1),
    }


def _csv(table: pd.DataFrame, columns: Sequence[str]) -> str:
    rows = pd.DataFrame(_plain_rows(table, columns), columns=list(columns), dtype=object)
    return csv_of(rows)
