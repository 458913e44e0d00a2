"""Says in two to four lines who is best in a leaderboard, who is last, and what is undecided.

All of it follows from the ranks that bots may have (`best_rank` to `worst_rank`), so that it never
says another thing than the table. Bots that may be first are those that nobody surely beats.

How many games would settle something: a lead comes out sure in 80% of contests when it is 0.84
standard errors larger than what counts as sure (Cohen, "Statistical power analysis for the
behavioral sciences", 1988), and standard errors fall with the root of the number of games. For
means of turns, what counts as sure is approximated by Bonferroni's correction for all pairs.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from leaderboards.elo.quasi_variances import LEVEL
from leaderboards.elo.ratings import Ratings
from leaderboards.elo.verdicts import IF_SO, MOST_TIMES, POWER, round_number, times_needed, verdict
from leaderboards.turns.mean_turns import ranked_by

_NAMED = 4  # how many bots a line names before it counts them
_MOST_LINES = 4
_MATCH = 2  # bots of a match
_FEW_TIMES = 1.5  # times as many games, up to which a number would be too exact
_QUANTILE = float(special.ndtri((1 + LEVEL) / 2))


@dataclass(frozen=True, slots=True)
class _Field:
    """Bots that games link, best first, with the ranks that each may have."""

    bots: Sequence[str]
    best: Sequence[int]
    worst: Sequence[int]
    leaders: Sequence[str]  # the first, and whoever has the same rating
    # How many times as many games would probably tell two of the bots apart; NaN where unknown.
    times: Callable[[str, str], float]
    amount: int  # how many games there are
    unit: str  # what is counted by that
    where: str = ""  # how the best is better, as the beginning of a sentence

    @property
    def may_be_first(self) -> list[str]:
        return [bot for bot, rank in zip(self.bots, self.best, strict=True) if rank == 1]

    @property
    def may_be_last(self) -> list[str]:
        size = len(self.bots)
        return [bot for bot, rank in zip(self.bots, self.worst, strict=True) if rank == size]

    def open_place(self) -> tuple[int, list[str]]:
        """Return the first place that several bots may have, and these; none where all are sure."""
        for place in range(1, len(self.bots) + 1):
            spans = zip(self.bots, self.best, self.worst, strict=True)
            rivals = [bot for bot, best, worst in spans if best <= place <= worst]
            if len(rivals) > 1:
                return place, rivals
        return 0, []


def elo_verdict(ratings: Ratings) -> list[str]:
    """Return who is best by the two-player games, one line each, for a person to read."""
    table = ratings.table
    groups = [rows for _, rows in table.groupby("group", sort=True)]
    if len(groups) <= 1:
        return [line for rows in groups for line in _verdict_of_group(ratings, rows)]
    lines = [f"The bots form {len(groups)} groups that never met, so there is no best of them all."]
    for rows in groups[: _MOST_LINES - 1]:
        [line, *_] = _verdict_of_group(ratings, rows)
        lines.append(line)
    return lines


def _verdict_of_group(ratings: Ratings, rows: pd.DataFrame) -> list[str]:
    bots = [str(bot) for bot in rows["bot"]]
    if len(bots) == _MATCH:  # a comparison of two says more
        return verdict(ratings, *bots).lines()
    return _lines(_elo_field(ratings, rows, bots), _lost_all(rows))


def _elo_field(ratings: Ratings, rows: pd.DataFrame, bots: list[str]) -> _Field:
    a_pairing = ratings.pairings.loc[ratings.pairings["bot"].isin(bots), "games"]
    # Commands are asked for games a pairing where all meet, and else for those of a bot.
    even = len(a_pairing) == len(bots) * (len(bots) - 1) and len(set(a_pairing)) == 1
    return _Field(
        bots,
        rows["best_rank"].tolist(),
        rows["worst_rank"].tolist(),
        leaders=rows.loc[rows["rank"] == 1, "bot"].tolist(),
        times=lambda one, other: _times_elo(ratings, one, other),
        amount=int(a_pairing.min()) if even else int(rows["games"].min()),
        unit="games a pairing" if even else "games a bot",
    )


def _times_elo(ratings: Ratings, one: str, other: str) -> float:
    elo = ratings.table["elo"].to_numpy()
    names = ratings.table["bot"].tolist()
    lead = abs(float(elo[names.index(one)] - elo[names.index(other)]))
    needed = ratings.needed_errors(one, other)
    return times_needed(lead, _error(ratings, one, other), needed, ratings.normal_deviate(needed))


def detectable_elo(ratings: Ratings, one: str, other: str) -> float:
    """Return what lead of one bot over another would have come out sure in 80% of contests.

    NaN where that is not known.
    """
    reach = ratings.needed_errors(one, other) + float(special.ndtri(POWER))
    return reach * _error(ratings, one, other)


def _error(ratings: Ratings, one: str, other: str) -> float:
    """Return the standard error of the difference of two bots; NaN where there is none."""
    both = ratings.covariance.loc[[one, other], [one, other]].to_numpy(dtype=np.float64)
    variance = float(both[0, 0] + both[1, 1] - 2 * both[0, 1])
    return math.sqrt(variance) if variance > 0 else math.nan


def _lost_all(rows: pd.DataFrame) -> dict[str, str]:
    """Return what to add about bots that lost every game, by name."""
    return {
        str(row["bot"]): f"it lost all {row['games']:,} games"
        for row in rows.to_dict("records")
        if row["losses"] == row["games"]
    }


def turns_verdict(turns: pd.DataFrame) -> list[str]:
    """Return who needs the fewest turns alone, one line each, for a person to read."""
    turns = turns[turns["rank"].notna()]
    if len(turns) <= 1:
        return []
    bots = [str(bot) for bot in turns["bot"]]
    sure = float(special.ndtri(1 - (1 - LEVEL) / (len(bots) * (len(bots) - 1))))
    numbers = turns[list(ranked_by(turns))].to_numpy(dtype=np.float64)

    def times(one: str, other: str) -> float:
        mine, theirs = (numbers[bots.index(bot)] for bot in (one, other))
        error = math.hypot(mine[2] - mine[1], theirs[2] - theirs[1]) / 2 / _QUANTILE
        return times_needed(abs(mine[0] - theirs[0]), error, sure, sure)

    field = _Field(
        bots,
        turns["best_rank"].tolist(),
        turns["worst_rank"].tolist(),
        leaders=turns.loc[turns["rank"] == 1, "bot"].tolist(),
        times=times,
        amount=int(turns["games"].min()),
        unit="layouts a bot",
        where="In solo games, ",
    )
    return _lines(field, {})


def _lines(field: _Field, lost_all: Mapping[str, str]) -> list[str]:
    size, first, last = len(field.bots), field.may_be_first, field.may_be_last
    told = [_best(field, first)]
    if size > len(last) <= _NAMED and size > _MATCH:  # of two, the best says who is last
        more = f": {lost_all[last[0]]}" if last[0] in lost_all else ""
        told.append(f"{last[0]} is last{more}." if len(last) == 1 else f"Last is {_either(last)}.")
    place, rivals = field.open_place()
    if not rivals:
        return [*told, "Every place is decided."]
    if place > 1:
        who = _listed(rivals) if len(rivals) <= _NAMED else f"{len(rivals)} bots"
        told.append(f"Place {place} is open between {who}.")
    return [*told, _more_games(field, place, rivals)]


def _best(field: _Field, first: Sequence[str]) -> str:
    size, leaders = len(field.bots), field.leaders
    if len(first) == 1:
        than = f"better than {field.bots[1]}" if size == _MATCH else f"the best of the {size} bots"
        return f"{field.where}{first[0]} is {than} (95% confidence)."
    if size == _MATCH:
        return _begun(field, f"it is undecided which is better, {_either(field.bots)}.")
    who = _listed(leaders) if len(leaders) <= _NAMED else f"{len(leaders)} bots"
    ahead = f"{who} lead{'s' if len(leaders) == 1 else ''}"
    if len(first) == size:
        return _begun(
            field, f"nothing is decided yet: {ahead}, but any of the {size} bots may be the best."
        )
    if len(first) > _NAMED:
        return (
            f"{field.where}{ahead}, but {len(first)} of the {size} bots may be the best (95% "
            "confidence)."
        )
    return _begun(
        field, f"the best is {_either(first)} (95% confidence); these games do not say which."
    )


def _begun(field: _Field, sentence: str) -> str:
    return f"{field.where}{sentence}" if field.where else sentence[0].upper() + sentence[1:]


def _more_games(field: _Field, place: int, rivals: Sequence[str]) -> str:
    """Return what more games would settle among bots of whom the first is ahead."""
    leader, *others = rivals
    times = {other: field.times(leader, other) for other in others}
    # A bot that lost everything, or won everything, is as far off as can be.
    times = {other: one for other, one in times.items() if not math.isnan(one)}
    if not times:
        return f"There are too few {field.unit.split()[0]} to say how many more would decide it."
    near = [other for other in others if times.get(other, 0) > MOST_TIMES]
    far = [one for one in times.values() if one <= MOST_TIMES]
    if not far:
        who = _listed(rivals) if len(rivals) <= _NAMED else "They"
        return (
            f"{who} are so close that even {MOST_TIMES} times as many {field.unit.split()[0]} "
            "would hardly tell them apart."
        )
    if max(far) < _FEW_TIMES:
        needed = f"{IF_SO}, a few more {field.unit}"
    else:
        amount = round_number(field.amount * max(far))
        needed = f"{IF_SO}, about {amount:,} {field.unit} instead of {field.amount:,}"
    if not near:
        who = "who is best" if place == 1 else f"who takes place {place}"
        return f"{needed} would show {who}."
    left = [leader, *near]
    who = _listed(left) if len(left) <= _NAMED else f"{len(left)} of them"
    return f"{needed} would leave only {who} in the running."


def _listed(bots: Sequence[str], joined: str = "and") -> str:
    *most, last = bots
    return f"{', '.join(most)} {joined} {last}" if most else last


def _either(bots: Sequence[str]) -> str:
    return _listed(bots, "or")
