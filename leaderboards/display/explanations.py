"""Says what a reader of the leaderboards must know, and explains how sure they are."""

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pandas as pd

from leaderboards.display.cells import MARK, has_ranks, interval, number
from leaderboards.display.field_verdicts import detectable_elo
from leaderboards.elo.elo_table import FARTHEST_ELO, is_telling
from leaderboards.elo.ratings import Ratings
from leaderboards.turns.luck_check import MOST_FALSE, suspects

_LOPSIDED = 1.25  # an interval whose one side is longer by this factor wants explaining
_NAMED = 4  # of how many bots it is said who is better though ranks overlap
_RANKS = (
    "Ranks are the places that a bot may have, all of them right at once with 95% confidence: two "
    "bots whose ranks do not overlap surely differ."
)
_INTERVALS = (
    "An interval is the bot's own, with 95% confidence. Whether two of them overlap does not say "
    "whether two bots differ, since what one wins another loses: ranks say that."
)
_MORE_GAMES = (
    "For more games, begin a new tournament: in one that is extended after a look at the result, "
    "ranks are wider, since whoever looks often enough finds luck."
)
_ERRORS = (
    "Some rank is wrong in one of twenty tournaments, and one of twenty intervals misses. "
    "docs/statistics.md has every formula, and what simulations found."
)
_TURNS_NOTE = (
    "Turns and shots to sink the fleet; hits are per shot. Intervals are 95%, over layouts, and "
    "allow for skewed numbers of turns."
)
_ADJUSTED_NOTE = "Order, ranks and intervals are those of the turns adjusted for luck."
_ADJUSTED = (
    "Adjusted: the mean turns less what luck cost, answer by answer, as far as a bot's turns "
    "followed its luck in other games. On average that changes nothing. The interval is narrower "
    "for strong bots, and as wide as without for weak ones and for a single block of games."
)
_COMPARED = (
    "Bots that searched the same layouts are compared layout by layout, others by their means."
)
_FORFEITED = "A forfeited game counts as a search of the whole board, without a hit."


def elo_notes(ratings: Ratings) -> list[str]:
    """Return what a reader of the Elo leaderboard must know, a sentence or two each."""
    if ratings.table.empty:
        return ["No two-player games were played."]
    return [*_bound_notes(ratings), *(f"Note: {warning}" for warning in ratings.warnings)]


def _bound_notes(ratings: Ratings) -> Iterator[str]:
    table = ratings.table
    unlimited = table["low"].isna() & table["high"].isna()
    if ((table["bound"] != "") & ~unlimited).any():
        prior = (
            "" if ratings.prior_pairs is None else ", and the Elo beside it rests on a weak prior"
        )
        yield (
            f"{MARK} Lost, or won, every game that counts: there is only a one-sided bound "
            f"(95%){prior}."
        )
    if unlimited.any():
        yield "Where there is no interval, the games are too few for one."


def elo_explanations(ratings: Ratings) -> list[str]:
    """Return how sure the Elo leaderboard is, and by which method, a sentence or two each."""
    if ratings.table.empty:
        return []
    return [
        *([_RANKS] if has_ranks(ratings.table) else []),
        _INTERVALS,
        *_lopsided(ratings.table),
        *_overlapping(ratings),
        *_power(ratings),
        _MORE_GAMES,
        _reference(ratings),
        *_first_seat(ratings),
        _ERRORS,
    ]


def _lopsided(table: pd.DataFrame) -> Iterator[str]:
    above, below = table["high"] - table["elo"], table["elo"] - table["low"]
    if (np.maximum(above / below, below / above) > _LOPSIDED).any():
        yield (
            "Some intervals reach further to one side: whoever wins nearly always is surely "
            "better, but by how much is hard to say."
        )


def _overlapping(ratings: Ratings) -> Iterator[str]:
    """Yield which bots are surely better than others though their ranks overlap."""
    sure = ratings.sure.to_numpy()
    best, worst = (ratings.table[f"{end}_rank"].to_numpy() for end in ("best", "worst"))
    hidden = sure & (worst[:, None] >= best[None, :])
    names = ratings.table["bot"].tolist()
    told = [
        f"{', '.join(itertools.compress(names, hidden[:, column]))} than {names[column]}"
        for column in np.flatnonzero(hidden.any(axis=0))
    ]
    if told:
        rest = len(told) - _NAMED
        more = f"; and so on for {rest} more bot{'' if rest == 1 else 's'}" if rest > 0 else ""
        yield f"Surely better though ranks overlap: {'; '.join(told[:_NAMED])}{more}."


def _power(ratings: Ratings) -> Iterator[str]:
    table = ratings.table
    pairs = [
        (str(one["bot"]), str(other["bot"]))
        for one, other in itertools.pairwise(table.to_dict("records"))
        if one["group"] == other["group"]
    ]
    seen = sorted(elo for pair in pairs if not math.isnan(elo := detectable_elo(ratings, *pair)))
    if seen and seen[-1] <= FARTHEST_ELO:
        least, most = number(seen[0], 0), number(seen[-1], 0)
        span = least if least == most else f"{least} to {most}"
        yield (
            f"What these games could show: between neighbours in the table, a lead of {span} Elo "
            "would have come out sure in 80% of such contests."
        )


def _reference(ratings: Ratings) -> str:
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
    return f"Elo by a joint fit of all games (Bradley-Terry), {where}. {prior}"


def _first_seat(ratings: Ratings) -> Iterator[str]:
    seat = ratings.first_seat
    if seat is not None and is_telling(seat.value, seat.low, seat.high):
        told = interval(seat.low, seat.high, 0)
        yield f"The first seat is worth {number(seat.value, 0)} Elo ({told})."


def turns_notes(turns: pd.DataFrame) -> list[str]:
    """Return what a reader of the turns leaderboard must know, a sentence or two each."""
    if turns.empty:
        return ["No solo games were played."]
    notes = [_ADJUSTED_NOTE] if "adjusted_turns" in turns else []
    if found := suspects(turns):
        notes.append(
            f"Withheld: {', '.join(found)}. Chance brings such luck to any bot of this table in "
            f"fewer than one of {1 / MOST_FALSE:,.0f} runs: the bot knew layouts, in all games or "
            "in some, or they were not drawn uniformly. So it has no rank."
        )
    if turns["forfeits"].any():
        notes.append(_FORFEITED)
    return notes


def turns_explanations(turns: pd.DataFrame) -> list[str]:
    """Return how sure the turns leaderboard is, and by which method, a sentence or two each."""
    if turns.empty:
        return []
    several = [_RANKS, _COMPARED] if len(turns) > 1 else []
    return [_TURNS_NOTE, *several, *([_ADJUSTED] if "adjusted_turns" in turns else [])]
