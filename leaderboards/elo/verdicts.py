"""Says in words which of two bots is better or, where undecided, how many games it takes.

A difference that would have been *seen* is one that comes out significant at the 5% level, both
sides counted, in 80% of such contests: (1.96 + 0.84) standard errors (the usual power of a test,
after Cohen, "Statistical power analysis for the behavioral sciences", 1988). Standard errors fall
with the root of the number of games, so games * (2.8 * error / lead)^2 of them would decide a lead.
Of more than two bots, and where games were added after a look, the 1.96 is the larger number that
`leaderboards.elo.simultaneous` says: a verdict always agrees with `Ratings.sure`.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from leaderboards.elo.ratings import EloDifference, Ratings

POWER = 0.8

_MOST_TIMES = 1000


@dataclass(frozen=True, slots=True)
class Verdict:
    """A comparison of two bots by their games.

    Attributes:
        games: Games of the one of the two that played fewer, whoever they were against.
        detectable_elo: What lead these games would have shown, in 80% of such contests; NaN where
            either has a one-sided bound.
        games_needed: How many games of each would decide a lead as large as this one; NaN where
            that cannot be said, infinite where it is more than a thousand times as many.
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

    def sentence(self) -> str:
        """Return the verdict in words."""
        if math.isnan(self.lead.p_value):
            return f"No game shows which is better, {self.better} or {self.other}."
        told = self._decided() if self.decided else self._undecided()
        if not self.extended:
            return told
        return (
            f"{told} These limits hold however often one looks, also at a record that was extended "
            "after it had been rated."
        )

    def _decided(self) -> str:
        lead = self.lead
        by = (
            f"at least {lead.low:.0f} Elo (95%)"
            if math.isnan(lead.high)
            else f"{lead.value:.0f} Elo (95%: {lead.low:.0f} to {lead.high:.0f})"
        )
        chance = "" if self.extended else f" {_chance(lead.p_value)}"
        return f"{self.better} is better than {self.other} by {by}.{chance}"

    def _undecided(self) -> str:
        lead = self.lead
        told = f"It is undecided which is better, {self.better} or {self.other}"
        if math.isnan(self.detectable_elo):
            return f"{told}: the games are too few."
        told += (
            f": {lead.value:.0f} Elo (95%: {lead.low:.0f} to {lead.high:.0f}). These games would "
            f"have shown a lead of {self.detectable_elo:.0f} Elo in 80% of such contests"
        )
        if math.isinf(self.games_needed):
            return f"{told}; a lead this small would take over {_MOST_TIMES:,} times as many."
        return (
            f"{told}; a true lead of {lead.value:.0f} Elo would take about "
            f"{_round_number(self.games_needed):,} games of each instead of {self.games:,}."
        )


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
    # With so many games more, standard errors are known well.
    then = ratings.normal_deviate(needed)
    times = ((then + power) * error / lead.value) ** 2 if lead.value else math.inf
    return Verdict(
        better=better,
        other=worse,
        lead=lead,
        decided=bool(ratings.sure.loc[better, worse]),
        games=games,
        detectable_elo=(needed + power) * error,
        games_needed=math.inf if times > _MOST_TIMES else games * times,
        extended=ratings.extended,
    )


def undecided(ratings: Ratings) -> list[tuple[str, str]]:
    """Return the neighbours in the table of whom the better one is not known, best first."""
    bots, groups = ratings.table["bot"].tolist(), ratings.table["group"].tolist()
    return [
        (better, worse)
        for row, (better, worse) in enumerate(itertools.pairwise(bots))
        if groups[row] == groups[row + 1] and not ratings.sure.loc[better, worse]
    ]


def _chance(p_value: float) -> str:
    if p_value < 0.001:  # noqa: PLR2004 - a probability that needs no more digits
        return "Were they equal, so clear a result would come up less than once in 1,000 contests."
    return (
        f"Were they equal, a result at least this good for it would come up in {p_value:.1%} of "
        "contests (one-sided p-value)."
    )


def _round_number(games: float) -> int:
    digits = max(0, int(np.floor(np.log10(max(games, 1)))) - 1)
    return int(math.ceil(games / 10**digits) * 10**digits)
