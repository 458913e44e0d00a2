"""Converts all that the leaderboards say to data that JSON can hold.

Numbers are rounded here and nowhere before: Elo to one decimal, means to two, rates to three, so
that noise in the last bits of a float cannot change a byte.
"""

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pandas as pd

from leaderboards.display.cells import rounded
from leaderboards.display.explanations import (
    elo_explanations,
    elo_notes,
    turns_explanations,
    turns_notes,
)
from leaderboards.display.field_verdicts import elo_verdict, turns_verdict
from leaderboards.elo.ratings import Ratings
from leaderboards.inputs import checked_solo
from leaderboards.turns.differences import difference, searches_by_bot
from leaderboards.turns.mean_turns import ADJUSTED_COLUMNS

VERSION = 2
"""The version of what `plain_leaderboards` returns: raised when a key goes or changes its meaning,
not when one is added."""

Plain: TypeAlias = str | bool | int | float | None
"""A value as JSON has it; what is missing is None, never NaN."""

_DECIMALS = {
    **dict.fromkeys(
        (
            *("elo", "low", "high", "lead", "lead_low", "lead_high"),
            *("moved", "moved_low", "moved_high"),
        ),
        1,
    ),
    **dict.fromkeys(("weight", "p_value"), 4),
    **dict.fromkeys(("score", "predicted"), 3),
}
_DECIMALS_OF_TURNS = {
    "hit_rate": 3,
    "luck_chance": 6,
    **{name: 3 for name in ADJUSTED_COLUMNS if name.startswith("adjusted")},
}
_DECIMALS_OF_MEANS = 2


def plain_leaderboards(
    ratings: Ratings | None, turns: pd.DataFrame | None, solo: pd.DataFrame | None = None
) -> dict[str, Any]:
    """Return both leaderboards as data that JSON can hold.

    Returns:
        What is missing is an empty list or None:

        - `version`: `VERSION`.
        - `elo`, `turns`: the rows of `Ratings.table` and of `mean_turns`, best first.
        - `differences`, `turns_differences`: what `elo_differences` and `turns_differences` return.
        - `first_seat_elo`: a mapping of `value`, `low` and `high`, or None.
        - `prior_pairs`, `anchor` (a mapping of `bot` and `elo`): the scale.
        - `pairings`: for each bot and opponent the score, what the ratings predict, and by how much
          these games move the bot's rating.
        - `elo_verdict`, `turns_verdict`: who is best, in words, line by line.
        - `warnings`, `notes`, `explanations`: what a reader must know, all that is printed under
          the tables, and how sure they are.
    """
    seat = None if ratings is None else ratings.first_seat
    anchor = None if ratings is None else ratings.anchor
    return {
        "version": VERSION,
        "elo": [] if ratings is None else plain_rows(ratings.table, elo=True),
        "turns": [] if turns is None else plain_rows(turns, elo=False),
        "first_seat_elo": None
        if seat is None
        else {key: rounded(getattr(seat, key), 1) for key in ("value", "low", "high")},
        "prior_pairs": None if ratings is None else ratings.prior_pairs,
        "anchor": None if anchor is None else {"bot": anchor[0], "elo": rounded(anchor[1], 1)},
        "differences": [] if ratings is None else plain_rows(elo_differences(ratings), elo=True),
        "turns_differences": []
        if turns is None or solo is None
        else plain_rows(turns_differences(turns, solo), elo=False),
        "pairings": [] if ratings is None else plain_rows(ratings.pairings, elo=True),
        "warnings": [] if ratings is None else list(ratings.warnings),
        "elo_verdict": [] if ratings is None else elo_verdict(ratings),
        "turns_verdict": [] if turns is None else turns_verdict(turns),
        "notes": _said(ratings, elo_notes, turns, turns_notes),
        "explanations": _said(ratings, elo_explanations, turns, turns_explanations),
    }


def _said(
    ratings: Ratings | None,
    of_elo: Callable[[Ratings], list[str]],
    turns: pd.DataFrame | None,
    of_turns: Callable[[pd.DataFrame], list[str]],
) -> list[str]:
    return [
        *([] if ratings is None else of_elo(ratings)),
        *([] if turns is None else of_turns(turns)),
    ]


def elo_differences(ratings: Ratings) -> pd.DataFrame:
    """Return how far apart every two bots are that games link.

    Returns:
        One row for each two, in the order of the table: `bot`, `other`, `lead` (of the first over
        the second, in Elo), `lead_low`, `lead_high` (its 95% interval, or a one-sided bound),
        `p_value` (one-sided: how probable a result at least this good for `bot` is if it is no
        better than `other`), `sure` (whether `bot` is surely better, all such claims right at once
        with 95% confidence, as in the ranks).
    """
    table = ratings.table
    names, group = table["bot"].tolist(), table["group"].tolist()
    linked = [
        (one, other)
        for one, other in itertools.combinations(range(len(names)), 2)
        if group[one] == group[other]
    ]
    value, low, high = ratings.leads([(names[one], names[other]) for one, other in linked])
    p_values, sure = ratings.p_values.to_numpy(), ratings.sure.to_numpy()
    return pd.DataFrame(
        {
            "bot": [names[one] for one, _ in linked],
            "other": [names[other] for _, other in linked],
            "lead": value,
            "lead_low": low,
            "lead_high": high,
            "p_value": [float(p_values[pair]) for pair in linked],
            "sure": [bool(sure[pair]) for pair in linked],
        }
    )


def turns_differences(turns: pd.DataFrame, solo: pd.DataFrame) -> pd.DataFrame:
    """Return by how many turns every two bots differ.

    Returns:
        One row for each two, in the order of the table: `bot`, `other`, `lead` (how many turns
        fewer the first takes), `lead_low`, `lead_high` (its 95% interval), `layouts` (that both
        searched), `correlation` on them, and `paired` (whether the lead is a mean over these).
    """
    rows = []
    searches = searches_by_bot(checked_solo(solo), "turns")
    for bot, other in itertools.combinations(turns["bot"].tolist(), 2):
        found = difference(searches.get(other), searches.get(bot))
        rows.append(
            {
                "bot": bot,
                "other": other,
                "lead": found.value,
                "lead_low": found.low,
                "lead_high": found.high,
                "layouts": found.layouts,
                "correlation": found.correlation,
                "paired": found.paired,
            }
        )
    columns = ["bot", "other", "lead", "lead_low", "lead_high", "layouts", "correlation", "paired"]
    return pd.DataFrame(rows, columns=columns)


def plain_rows(table: pd.DataFrame, *, elo: bool) -> list[dict[str, Plain]]:
    """Return the rows of a table as data that JSON can hold, with leads in Elo or in turns."""
    decimals_of = _DECIMALS if elo else _DECIMALS_OF_TURNS
    return [
        {str(key): _plain(value, str(key), decimals_of) for key, value in row.items()}
        for row in table.to_dict("records")
    ]


def _plain(value: object, column: str, decimals_of: Mapping[str, int]) -> Plain:
    if isinstance(value, float):
        decimals = decimals_of.get(column, _DECIMALS_OF_MEANS)
        return None if math.isnan(value) else rounded(value, decimals)
    return value if value is None or isinstance(value, str | bool) else int(str(value))
