"""Says in words which of two bots is better or, where undecided, how many games it takes.

A difference that would have been *seen* is one that comes out significant at the 5% level, both
sides counted, in 80% of such contests: (1.96 + 0.84) standard errors (the usual power of a test,
after Cohen, "Statistical power analysis for the behavioral sciences", 1988). Standard errors fall
with the root of the number of games, so games * (2.8 * error / lead)^2 of them would decide a lead.
Of more than two bots, and where games were added after a look, the 1.96 is the larger number that
`leaderboards.elo.simultaneous` says: a verdict always agrees with `Ratings.sure`.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from leaderboards.elo.elo_table import is_telling
from leaderboards.elo.ratings import EloDifference, Ratings

POWER = 0.8
_ROUNDS = 30

IF_SO = "If they are as far apart as they look"
"""The condition under which a number of games is said to be enough."""

MOST_TIMES = 100
"""Times as many games, beyond which nobody would play them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A comparison of two bots by their games.

    Attributes:
        games: Games of the one of the two that played fewer, whoever they were against.
        detectable_elo: What lead these games would have shown, in 80% of such contests; NaN where
            either has a one-sided bound.
        games_needed: How many games of each would decide a lead as large as this one; NaN where
            that cannot be said, infinite where there is no lead.
        extended: Whether games were added after a look at the result; limits then hold however
            often one looks.
    """

    better: str
    other: str
    lead: EloDifference
    decided: bool
    games: int
    detectable_elo: float
    games_needed: float
    extended: bool = False

    def lines(self) -> list[str]:
        """Return the verdict in words: who is better, and how sure that is."""
        if math.isnan(self.lead.p_value):
            return [f"No game shows which is better, {self.better} or {self.other}."]
        told = self._decided() if self.decided else self._undecided()
        if self.extended:
            told.append(
                "These limits hold however often one looks, also at a record that was extended "
                "after it had been rated."
            )
        return told

    def _decided(self) -> list[str]:
        lead = self.lead
        if is_telling(lead.value, lead.low, lead.high):
            by = f" by {round(lead.value)} Elo (95%: {round(lead.low)} to {round(lead.high)})"
        else:
            by = f" by at least {lead.low:.0f} Elo (95%)" if lead.low >= 1 else ""
        told = [f"{self.better} is better than {self.other}{by}."]
        return told if self.extended else [*told, _chance(lead.p_value)]

    def _undecided(self) -> list[str]:
        lead = self.lead
        told = f"It is undecided which is better, {self.better} or {self.other}"
        if math.isnan(self.detectable_elo) or not is_telling(lead.value, lead.low, lead.high):
            return [f"{told}.", "There are too few games to say how many more would decide it."]
        # Whole numbers have no negative zero.
        limits = f"95%: {round(lead.low)} to {round(lead.high)}"
        apart = f"{round(lead.value)} Elo apart ({limits})"
        if self.games_needed > MOST_TIMES * self.games:
            more = (
                f"They are so close that even {MOST_TIMES} times as many games would hardly tell "
                "them apart."
            )
        else:
            more = (
                f"{IF_SO}, about {round_number(self.games_needed):,} games instead of "
                f"{self.games:,} would show it."
            )
        return [f"{told}: {apart}.", more]


def verdict(ratings: Ratings, bot: str, other: str) -> Verdict:
    """Return what the games say about two bots.

    The limits of the lead are right for all bots of the table at once.

    Raises:
        LeaderboardError: If either was not rated.
    """
    order = [str(name) for name in ratings.table["bot"]]
    better, worse = sorted((bot, other), key=lambda name: order.index(name) if name in order else 0)
    lead = ratings.difference(better, worse, at_once=True)
    games = int(ratings.table.set_index("bot").loc[[better, worse], "games"].min())
    needed, power = ratings.needed_errors(better, worse), float(special.ndtri(POWER))
    error = (lead.high - lead.low) / 2 / needed
    times = times_needed(lead.value, error, needed, ratings.normal_deviate(needed))
    return Verdict(
        better=better,
        other=worse,
        lead=lead,
        decided=bool(ratings.sure.loc[better, worse]),
        games=games,
        detectable_elo=(needed + power) * error,
        games_needed=games * times,
        extended=ratings.extended,
    )


def times_needed(lead: float, error: float, needed: float, deviate: float) -> float:
    """Return how many times as many games would show a lead in 80% of contests; NaN if unknown.

    Args:
        lead: The lead that is expected to stay.
        error: Its standard error by the games so far.
        needed: How many standard errors make a lead sure now.
        deviate: How many would if standard errors were known exactly: more games come nearer to it,
            in proportion to their number, as Student's quantiles do.
    """
    if math.isnan(lead) or math.isnan(error):
        return math.nan
    if not lead:
        return math.inf
    times = 1.0
    for _ in range(_ROUNDS):
        reach = deviate + (needed - deviate) / max(times, 1.0) + float(special.ndtri(POWER))
        times = (reach * error / lead) ** 2
    return times


def _chance(p_value: float) -> str:
    if p_value < 0.001:  # noqa: PLR2004 - a probability that needs no more digits
        return "Were they equal, so clear a result would come up less than once in 1,000 contests."
    return (
        f"Were they equal, a result at least this good for it would come up in {p_value:.1%} of "
        "contests (one-sided p-value)."
    )


def round_number(games: float) -> int:
    """Return a number of games, rounded up to two digits and, since they come in pairs, even."""
    digits = max(0, int(np.floor(np.log10(max(games, 1)))) - 1)
    rounded = int(math.ceil(games / 10**digits) * 10**digits)
    return rounded + rounded % 2
