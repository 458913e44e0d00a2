"""Both leaderboards as text, Markdown, CSV and plain data.

Numbers are rounded here and nowhere before: Elo to one decimal, means to two, rates to three, so
that noise in the last bits of a float cannot change a byte.
"""

import math
import re
import textwrap
from collections.abc import Hashable, Sequence
from typing import TypeAlias

import pandas as pd
from tabulate import tabulate

from leaderboards.ratings import FirstSeat, Ratings
from leaderboards.spreadsheet import csv_of

Plain: TypeAlias = str | int | float | None
"""A value as JSON has it; what is missing is None, never NaN."""

ELO_KEYS = (
    "bot",
    "rank",
    "elo",
    "low",
    "high",
    "bound",
    "games",
    "wins",
    "draws",
    "losses",
    "forfeits",
)
TURNS_KEYS = (
    "bot",
    "rank",
    "mean_turns",
    "turns_low",
    "turns_high",
    "mean_shots",
    "shots_low",
    "shots_high",
    "median_shots",
    "games",
)

_DECIMALS = {"elo": 1, "low": 1, "high": 1, "hit_rate": 3}
_DECIMALS_OF_MEANS = 2
_LONGEST_NAME = 20
_WIDTH = 98
_NOTHING = "-"
_MARK = "*"

_ELO_NOTE = (
    "Elo by a joint fit of all games, the mean of the field at 1500. Intervals hold the truth 19 "
    "times in 20, and allow for the two games of a pair being alike. Ranks are those a bot may "
    "have, all of them right at once 19 times in 20."
)
_TURNS_NOTE = (
    "Turns and shots to sink the fleet, fewest turns first; best, worst and median count shots, "
    "hits are per shot. Intervals are Student's, 95%, over layouts."
)


def plain_leaderboards(
    ratings: Ratings | None, turns: pd.DataFrame | None
) -> dict[str, list[dict[str, Plain]] | dict[str, Plain] | None]:
    """Return both leaderboards as data that JSON can hold.

    Args:
        ratings: What `leaderboards.ratings.rate` returned; None where nothing was rated.
        turns: What `leaderboards.turns.mean_turns` returned; None where nothing was searched.

    Returns:
        `elo` and `turns`, lists of rows with the keys `ELO_KEYS` and `TURNS_KEYS`, best first, and
        `first_seat_elo`, a mapping of `value`, `low` and `high`, or None. What is missing is an
        empty list or None.
    """
    return {
        "elo": [] if ratings is None else _plain_rows(ratings.table, ELO_KEYS),
        "turns": [] if turns is None else _plain_rows(turns, TURNS_KEYS),
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


def elo_cells(ratings: Ratings) -> list[dict[str, str]]:
    """Return the rows of the Elo leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    span = {str(row["bot"]): row for row in ratings.ranks.to_dict("records")}
    drawn = bool(ratings.table["draws"].any())
    return [
        {
            "#": str(row["rank"]),
            "bot": str(row["bot"]),
            "Elo": _number(row["elo"], 1),
            "95% interval": _interval(row["low"], row["high"], 1),
            "ranks": _ranks(span[str(row["bot"])]),
            "games": str(row["games"]),
            "won": str(row["wins"]),
            **({"drawn": str(row["draws"])} if drawn else {}),
            "lost": str(row["losses"]),
            "forfeits": str(row["forfeits"]),
        }
        for row in ratings.table.to_dict("records")
    ]


def turns_cells(turns: pd.DataFrame) -> list[dict[str, str]]:
    """Return the rows of the turns leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    return [
        {
            "#": str(row["rank"]),
            "bot": str(row["bot"]),
            "turns": _number(row["mean_turns"], 2),
            "95% interval": _interval(row["turns_low"], row["turns_high"], 2),
            "shots": _number(row["mean_shots"], 2),
            "median": _number(row["median_shots"], 1),
            "best": str(row["best_shots"]),
            "worst": str(row["worst_shots"]),
            "hits": f"{row['hit_rate']:.1%}",
            "games": str(row["games"]),
            "forfeits": str(row["forfeits"]),
        }
        for row in turns.to_dict("records")
    ]


def elo_notes(ratings: Ratings) -> list[str]:
    """Return what a reader of the Elo leaderboard must know, a sentence or two each."""
    if ratings.table.empty:
        return ["No two-player games were played."]
    notes = [
        _ELO_NOTE,
        _prior_note(ratings.prior_pairs),
    ]
    if (seat := ratings.first_seat) is not None:
        interval = _interval(seat.low, seat.high, 1)
        notes.append(f"The first seat is worth {_number(seat.value, 1)} Elo ({interval}).")
    if (ratings.table["bound"] != "").any():
        notes.append(
            f"{_MARK} This bot lost every game that counts, or won every one: the games give a "
            "one-sided 95% bound alone, and only the prior keeps its rating from being boundless."
        )
    return [*notes, *(f"Note: {warning}" for warning in ratings.warnings)]


def turns_notes(turns: pd.DataFrame) -> list[str]:
    """Return what a reader of the turns leaderboard must know, a sentence or two each."""
    if turns.empty:
        return ["No solo games were played."]
    notes = [_TURNS_NOTE]
    if turns["forfeits"].any():
        notes.append("A forfeited game counts as a search of the whole board.")
    return notes


def notes_text(notes: Sequence[str]) -> str:
    """Return notes of one's own as a terminal shows those of the leaderboards."""
    return "\n".join(_paragraphs(notes))


def notes_markdown(notes: Sequence[str]) -> str:
    """Return notes of one's own as Markdown."""
    return "\n".join(f"- {_escaped(note)}" for note in notes)


def printable(text: str) -> str:
    """Return the text with what a terminal or a browser would obey, or not show, written out."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


def _prior_note(pairs: float | None) -> str:
    if pairs is None:
        return "No prior: ratings are plain maximum likelihood."
    return (
        f"Prior: each bot is taken to have halved {pairs:g} pairs of games with a virtual opponent "
        "at the mean of the field."
    )


def _number(value: float, decimals: int) -> str:
    return _NOTHING if math.isnan(value) else f"{_rounded(value, decimals):.{decimals}f}"


def _interval(low: float, high: float, decimals: int) -> str:
    if math.isnan(low) and math.isnan(high):
        return _NOTHING
    if math.isnan(low):
        return f"at most {_number(high, decimals)} {_MARK}"
    if math.isnan(high):
        return f"at least {_number(low, decimals)} {_MARK}"
    return f"{_number(low, decimals)} to {_number(high, decimals)}"


def _ranks(span: dict[Hashable, int]) -> str:
    best, worst = span["best"], span["worst"]
    return str(best) if best == worst else f"{best}-{worst}"


def _text(cells: list[dict[str, str]], notes: list[str]) -> str:
    rows = [{**row, "bot": _shortened(printable(row["bot"]))} for row in cells]
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


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}\u2026"


def _escaped(text: str) -> str:
    """Return the text such that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]<>#|~$&])", r"\\\1", printable(text))


def _rounded(value: float, decimals: int) -> float:
    # Adding zero makes a negative zero positive.
    return round(value, decimals) + 0.0


def _plain(value: object, column: str) -> Plain:
    if isinstance(value, float):
        decimals = _DECIMALS.get(column, _DECIMALS_OF_MEANS)
        return None if math.isnan(value) else _rounded(value, decimals)
    return value if isinstance(value, str) else int(str(value))


def _plain_rows(table: pd.DataFrame, keys: Sequence[str]) -> list[dict[str, Plain]]:
    return [{key: _plain(row[key], key) for key in keys} for row in table.to_dict("records")]


def _plain_seat(seat: FirstSeat | None) -> dict[str, Plain] | None:
    if seat is None:
        return None
    return {
        "value": _rounded(seat.value, 1),
        "low": _rounded(seat.low, 1),
        "high": _rounded(seat.high, 1),
    }


def _csv(table: pd.DataFrame, columns: Sequence[str]) -> str:
    rows = pd.DataFrame(_plain_rows(table, columns), columns=list(columns), dtype=object)
    return csv_of(rows)
