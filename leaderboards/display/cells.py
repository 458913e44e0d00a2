"""Writes the cells of both leaderboards, and the notes under them, for a person to read."""

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from leaderboards.elo.elo_table import WORST_QUASI_ERROR
from leaderboards.elo.ratings import Ratings
from leaderboards.elo.verdicts import undecided, verdict
from leaderboards.turns.luck_check import MOST_FALSE, suspects

_NOTHING = "-"
_MARK = "*"
_LEAST_ERROR = 0.01
_LOPSIDED = 1.25  # an interval whose one side is longer by this factor wants explaining
_NAMED = 3  # how many undecided neighbours are spelt out
_TURNS_NOTE = (
    "Turns and shots to sink the fleet, fewest turns first; hits are per shot. Intervals are 95%, "
    "over layouts, and allow for skewed numbers of turns."
)
_ADJUSTED_NOTE = (
    "Adjusted: the mean turns less what luck cost, answer by answer; it expects the same and "
    "scatters less. Its intervals are 95%, Student's over blocks of layouts."
)


def elo_cells(ratings: Ratings) -> list[dict[str, str]]:
    """Return the rows of the Elo leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    table = ratings.table
    forfeited = bool(table["forfeits"].any())
    drawn, apart = bool(table["draws"].any()), bool((table["group"] > 1).any())
    leaning = bool((table["leans_on"] != "").any())
    compared = bool((table["compare_low"].notna() | (table["bound"] != "")).any())
    return [
        {
            **({"group": str(row["group"])} if apart else {}),
            "#": str(row["rank"]),
            "bot": str(row["bot"]),
            "Elo": number(row["elo"], 0),
            **({"to compare": _to_compare(row)} if compared else {}),
            "lead": _lead(row, 0),
            "ranks": _span(row["best_rank"], row["worst_rank"]),
            "games": str(row["games"]),
            "won": str(row["wins"]),
            **({"drawn": str(row["draws"])} if drawn else {}),
            "lost": str(row["losses"]),
            **({"forfeits": str(row["forfeits"])} if forfeited else {}),
            **({"leans on": str(row["leans_on"]) or _NOTHING} if leaning else {}),
        }
        for row in table.to_dict("records")
    ]


def turns_cells(turns: pd.DataFrame) -> list[dict[str, str]]:
    """Return the rows of the turns leaderboard as text by head, best first, for a person to read.

    Bots' names are as given: whoever shows them must escape them.
    """
    forfeited = bool(turns["forfeits"].any())
    return [
        {
            "#": _NOTHING if row["rank"] is None else str(row["rank"]),
            "bot": str(row["bot"]),
            "turns": number(row["mean_turns"], 2),
            "95% interval": interval(row["turns_low"], row["turns_high"], 2),
            **(_adjusted(row) if "adjusted_turns" in row else {}),
            "lead": _lead(row, 2),
            "ranks": _span(row["best_rank"], row["worst_rank"]),
            "shots": number(row["mean_shots"], 2),
            "hits": f"{row['hit_rate']:.1%}",
            "games": str(row["games"]),
            **({"forfeits": str(row["forfeits"])} if forfeited else {}),
        }
        for row in turns.to_dict("records")
    ]


def _adjusted(row: Mapping[Hashable, Any]) -> dict[str, str]:
    return {
        "adjusted": "withheld" if row["withheld"] else number(row["adjusted_turns"], 3),
        "its interval": interval(row["adjusted_turns_low"], row["adjusted_turns_high"], 3),
    }


def elo_notes(ratings: Ratings) -> list[str]:
    """Return what a reader of the Elo leaderboard must know, a sentence or two each."""
    if ratings.table.empty:
        return ["No two-player games were played."]
    return [
        *_how_to_read(ratings),
        *_undecided(ratings),
        _reference_note(ratings),
        *_seat_notes(ratings),
        *(f"Note: {warning}" for warning in ratings.warnings),
    ]


def _how_to_read(ratings: Ratings) -> Iterator[str]:
    table = ratings.table
    several = bool(table["lead"].notna().any() or table["lead_low"].notna().any())
    if several:
        yield (
            "How to read it: a bot's lead over the next one is sure (95%) where the range in "
            "brackets lies above 0"
            + (
                "; any two bots whose ranges to compare do not touch differ (at the 5% level)."
                if table["compare_low"].notna().any()
                else "."
            )
            + " Ranks are those a bot may have, all of them right at once with 95% confidence."
        )
    if ratings.compare_error > WORST_QUASI_ERROR:
        yield (
            "Ranges that compare any two bots would be up to "
            f"{ratings.compare_error:.0%} too long or too short here: leads alone are shown."
        )
    elif ratings.compare_error > _LEAST_ERROR:
        yield f"Ranges to compare are at most {ratings.compare_error:.0%} too long or too short."
    if _lopsided(table):
        yield (
            "Some ranges reach further to one side: whoever wins nearly always is surely better, "
            "but by how much is hard to say."
        )
    bounded = int((table["bound"] != "").sum())
    if bounded == 1:
        yield (
            f"{_MARK} This bot lost every game that counts, or won every one: the games give a "
            "one-sided 95% bound alone, and only the prior keeps its rating from being boundless."
        )
    elif bounded:
        yield (
            f"{_MARK} These bots lost every game that counts against all others, or won every "
            "one: the games give one-sided 95% bounds alone, and only the prior keeps their "
            "ratings from being boundless."
        )


def _lopsided(table: pd.DataFrame) -> bool:
    above, below = table["lead_high"] - table["lead"], table["lead"] - table["lead_low"]
    ratio = np.maximum(above / below, below / above)
    return bool((ratio > _LOPSIDED).any())


def _undecided(ratings: Ratings) -> Iterator[str]:
    pairs = undecided(ratings)
    for better, worse in pairs[:_NAMED]:
        yield verdict(ratings, better, worse).sentence()
    more = len(pairs) - _NAMED
    if more > 0:
        them = "neighbours in the table are" if more > 1 else "pair of neighbours in the table is"
        yield f"{more} more {them} undecided too."


def _reference_note(ratings: Ratings) -> str:
    if ratings.anchor is None:
        where = (
            "about the mean of the field, which stands at 1500 and weighs each bot by how well it "
            "is known"
        )
    else:
        where = f"with {ratings.anchor[0]} at {ratings.anchor[1]:g}"
    pairs = ratings.prior_pairs
    prior = (
        "No prior: ratings are plain maximum likelihood."
        if pairs is None
        else f"Prior: each bot is taken to have halved {pairs:g} pairs of games with a virtual "
        "opponent at the mean of the field."
    )
    return f"Elo by a joint fit of all games, {where}. {prior}"


def _seat_notes(ratings: Ratings) -> Iterator[str]:
    if (seat := ratings.first_seat) is not None:
        told = interval(seat.low, seat.high, 0)
        yield f"The first seat is worth {number(seat.value, 0)} Elo ({told})."


def turns_notes(turns: pd.DataFrame) -> list[str]:
    """Return what a reader of the turns leaderboard must know, a sentence or two each."""
    if turns.empty:
        return ["No solo games were played."]
    notes = [_TURNS_NOTE]
    if turns["lead"].notna().any():
        notes.append(
            "A bot's lead over the next one, in turns, is sure (95%) where the range in brackets "
            f"lies above 0. {_how_compared(turns)} Ranks are those a bot may have, all of them "
            "right at once with 95% confidence."
        )
    if "adjusted_turns" in turns:
        notes.append(_ADJUSTED_NOTE)
    if found := suspects(turns):
        notes.append(
            f"Withheld: {', '.join(found)}. Chance brings such luck to any bot of this table in "
            f"fewer than one of {1 / MOST_FALSE:,.0f} runs: the bot knew layouts, in all games or "
            "in some, or they were not drawn uniformly."
        )
    if turns["forfeits"].any():
        notes.append("A forfeited game counts as a search of the whole board, without a hit.")
    return notes


def _how_compared(turns: pd.DataFrame) -> str:
    paired = [bool(each) for each in turns["paired"] if each is not None]
    if all(paired):
        return "All bots searched the same layouts, and are compared layout by layout."
    if not any(paired):
        return "Each bot searched layouts of its own, so the leads are differences of two means."
    return (
        "Bots that searched the same layouts are compared layout by layout, others by their means."
    )


def printable(text: str) -> str:
    """Return the text with characters that a terminal or browser would obey, or hide, escaped."""
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in text
    )


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
        return f"at most {number(high, decimals)} {_MARK}"
    if math.isnan(high):
        return f"at least {number(low, decimals)} {_MARK}"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def _to_compare(row: Mapping[Hashable, Any]) -> str:
    if row["bound"]:
        return interval(row["low"], row["high"], 0)
    return interval(row["compare_low"], row["compare_high"], 0)


def _lead(row: Mapping[Hashable, Any], decimals: int) -> str:
    told = interval(row["lead_low"], row["lead_high"], decimals)
    both = not math.isnan(row["lead_low"]) and not math.isnan(row["lead_high"])
    return f"{number(row['lead'], decimals)} ({told})" if both else told


def _span(best: int | None, worst: int | None) -> str:
    if best is None:
        return _NOTHING
    return str(best) if best == worst else f"{best}-{worst}"
