"""Writes the cells of both leaderboards for a person to read."""

import math
from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from leaderboards.elo.ratings import Ratings
from leaderboards.turns.mean_turns import ranked_by

_NOTHING = "-"
_NO_WIDTH_ELO = 1e-6
_MATCH = 2  # bots of a match
MARK = "*"
"""Stands beside a one-sided bound."""


def elo_cells(ratings: Ratings) -> list[dict[str, str]]:
    """Return the rows of the Elo leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    table = ratings.table
    forfeited = bool(table["forfeits"].any())
    drawn, apart = bool(table["draws"].any()), bool((table["group"] > 1).any())
    ranked = has_ranks(table)
    leaning = bool((table["leans_on"] != "").any())
    return [
        {
            **({"group": str(row["group"])} if apart else {}),
            "#": str(row["rank"]),
            "bot": str(row["bot"]),
            "Elo": number(row["elo"], 0),
            **({"ranks": span(row["best_rank"], row["worst_rank"])} if ranked else {}),
            "95% interval": "fixed" if is_fixed(row) else interval(row["low"], row["high"], 0),
            "games": str(row["games"]),
            "won": str(row["wins"]),
            **({"drawn": str(row["draws"])} if drawn else {}),
            "lost": str(row["losses"]),
            **({"forfeits": str(row["forfeits"])} if forfeited else {}),
            **({"leans on": str(row["leans_on"]) or _NOTHING} if leaning else {}),
        }
        for row in table.to_dict("records")
    ]


def has_ranks(table: pd.DataFrame) -> bool:
    """Return whether the Elo leaderboard shows ranks: of two bots its verdict says all."""
    return len(table) > _MATCH


def is_fixed(row: Mapping[Hashable, Any]) -> bool:
    """Return whether a bot is the anchor, whose Elo the games have no say in."""
    return bool(row["high"] - row["low"] < _NO_WIDTH_ELO)


def turns_cells(turns: pd.DataFrame) -> list[dict[str, str]]:
    """Return the rows of the turns leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    forfeited = bool(turns["forfeits"].any())
    mean, low, high = ranked_by(turns)
    adjusted = mean == "adjusted_turns"
    return [
        {
            "#": _NOTHING if row["rank"] is None else str(row["rank"]),
            "bot": str(row["bot"]),
            "turns": number(row["mean_turns"], 2),
            **(_adjusted(row) if adjusted else {}),
            **({"ranks": span(row["best_rank"], row["worst_rank"])} if len(turns) > 1 else {}),
            "95% interval": interval(row[low], row[high], 3 if adjusted else 2),
            "shots": number(row["mean_shots"], 2),
            "hits": f"{row['hit_rate']:.1%}",
            "games": str(row["games"]),
            **({"forfeits": str(row["forfeits"])} if forfeited else {}),
        }
        for row in turns.to_dict("records")
    ]


def _adjusted(row: Mapping[Hashable, Any]) -> dict[str, str]:
    return {"adjusted": "withheld" if row["withheld"] else number(row["adjusted_turns"], 3)}


def number(value: float, decimals: int) -> str:
    """Return a number rounded to some decimals; a dash where there is none."""
    return _NOTHING if math.isnan(value) else f"{rounded(value, decimals):.{decimals}f}"


def rounded(value: float, decimals: int) -> float:
    """Return a number rounded, and never a negative zero."""
    return round(value, decimals) + 0.0


def interval(low: float, high: float, decimals: int) -> str:
    """Return an interval, or a one-sided bound with its mark, or a dash."""
    if math.isnan(low) and math.isnan(high):
        return _NOTHING
    if math.isnan(low):
        return f"at most {number(high, decimals)} {MARK}"
    if math.isnan(high):
        return f"at least {number(low, decimals)} {MARK}"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def span(best: int | None, worst: int | None) -> str:
    """Return the ranks that a bot may have; a dash where it has none."""
    if best is None:
        return _NOTHING
    return str(best) if best == worst else f"{best}-{worst}"
