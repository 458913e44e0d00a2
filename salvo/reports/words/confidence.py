"""Describes where one bot stands among the others, and how sure that is."""

import math
from typing import Any

import pandas as pd

from leaderboards import Ratings, Verdict
from leaderboards.display.cells import interval, is_fixed, number
from leaderboards.sprt import Hypotheses, State


def describe_rank(ratings: Ratings, name: str) -> str:
    """Return the rank and the rating of a bot, each with how sure it is."""
    [row] = ratings.table[ratings.table["bot"] == name].to_dict("records")
    best, worst = row["best_rank"], row["worst_rank"]
    sure = "and no other, with 95% confidence" if best == worst else f"may be {best} to {worst}"
    games = "one game" if row["games"] == 1 else f"{row['games']} games"
    if is_fixed(row):
        within = "fixed"
    elif math.isnan(row["low"]) and math.isnan(row["high"]):
        within = "too few games for an interval"
    else:
        within = f"95%: {interval(row['low'], row['high'], 0).removesuffix(' *')}"
    return (
        f"{name} is number {row['rank']} of {len(ratings.table)} ({sure}), "
        f"Elo {number(row['elo'], 0)} ({within}) by {games}."
    )


def describe_turns(turns: pd.DataFrame, name: str) -> str:
    """Return how many turns a bot took alone, and its rank by them."""
    [row] = turns[turns["bot"] == name].to_dict("records")
    games = "one game" if row["games"] == 1 else f"{row['games']} games"
    told = (
        f"Alone it took {number(row['mean_turns'], 2)} turns on average to sink the fleet, in "
        f"{games}"
    )
    if row.get("withheld"):
        return f"{told}; chance cannot explain its luck, so it has no rank."
    if "adjusted_turns" in row:
        told += f", {number(row['adjusted_turns'], 2)} adjusted for luck"
    return f"{told}: number {row['rank']} of {turns['rank'].notna().sum()}."


def plain_verdict(found: Verdict) -> dict[str, Any]:
    """Return a verdict as data that JSON can hold; what is missing is None."""
    return {
        "better": found.better,
        "other": found.other,
        "difference": _rounded(found.lead.value),
        "low": _rounded(found.lead.low),
        "high": _rounded(found.lead.high),
        "p_value": _rounded(found.lead.p_value, 4),
        "decided": found.decided,
        "games": found.games,
        "detectable_elo": _rounded(found.detectable_elo),
        "games_needed": _rounded(found.games_needed, 0),
        "any_time": found.extended,
    }


def plain_test(state: State, first: str, second: str, hypotheses: Hypotheses) -> dict[str, Any]:
    """Return a sequential test as data that JSON can hold."""
    return {
        "first": first,
        "second": second,
        "elo0": hypotheses.elo0,
        "elo1": hypotheses.elo1,
        "accepted": state.answer.value if state.decided else None,
        "pairs": state.pairs,
        "log_likelihood_ratio": _rounded(state.ratio, 3),
        "bound": _rounded(state.bound, 3),
        "score": _rounded(state.score, 4),
    }


def _rounded(value: float, decimals: int = 1) -> float | None:
    return round(value, decimals) + 0.0 if math.isfinite(value) else None
