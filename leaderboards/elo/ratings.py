"""Rates bots by their two-player games, and says how sure the ratings are.

`rate` fits all games jointly, so that no rating depends on the order of the games.
`leaderboards.elo.likelihood` and `leaderboards.elo.fit` describe the estimate,
`leaderboards.elo.intervals` its intervals, and `benchmarks.coverage` measures how often
these hold the truth.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from leaderboards.elo.diagnostics import pairings_of, warnings_of
from leaderboards.elo.elo_table import ELO_PER_NAT, elo_rows, leads
from leaderboards.elo.estimate import Estimate, estimated
from leaderboards.elo.game_counts import Field, field_of
from leaderboards.inputs import SEATS, LeaderboardError, checked_games

PRIOR_PAIRS = 0.25


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """The worth of the first seat in Elo, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EloDifference:
    """The difference of two bots' ratings.

    Attributes:
        value: The difference in Elo; NaN where either has no rating.
        low: Lower 95% limit; NaN where there is none. Where either bot won or lost everything,
            only one of the two limits is there.
        p_value: One-sided p-value: how probable a result at least this good for the first bot is
            if it is no better than the other. NaN where no games link the two.
    """

    value: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings on the Elo scale, and how sure they are.

    Attributes:
        table: One row a bot, best first, groups that no games link one after the other: `bot`,
            `group` (1, 2, ...), `rank` within the group,
            `best_rank` and `worst_rank` (ranks that it may have, all of them right at once with
            95% confidence), `elo`, `low` and `high` (its own 95%
            interval; NaN where the games are too few for one), `bound`,
            `weight` (its share in the mean that stands at 1500), `games`, `wins`, `draws`,
            `losses`, `forfeits` (games lost by forfeit), `leans_on` (the opponent that moves its
            rating most of those that move it too much, or ""). A bot that lost all its
            games has `bound` "upper" and no `low`, one that won them all "lower" and no `high`:
            the limit that is there is then a one-sided 95% bound. Elsewhere `bound` is "". Missing
            numbers are NaN.
        first_seat: What the first seat is worth; None where the games do not show it.
        sure: Whether the bot of the row is surely better than that of the column, both named after
            bots: all of them are right at once with 95% confidence. `best_rank` and `worst_rank`
            are counted from it.
        p_values: One-sided p-values, rows and columns named after bots: how probable a result at
            least this good for the bot of the row is if it is no better than that of the column;
            NaN for bots that no games link.
        covariance: Covariance of the ratings in Elo squared, rows and columns named after bots.
        pairings: One row for each bot and opponent that met: `games`, `wins`, `draws`, `losses`,
            `score` (points per game, 0 to 1), `predicted` (the score that the fit expects),
            `moved` (by how much these games raise the bot's rating, in Elo) with its 95% interval
            `moved_low` and `moved_high`, and `leans` (whether that is too much); see
            `leaderboards.elo.influence`.
        prior_pairs: The prior: pairs that each bot is taken to have halved with a virtual opponent
            at the mean of the field; None for no prior.
        anchor: The bot that stands at a given Elo, and that Elo; None for the mean at 1500.
        extended: Whether games were added after a look at the result: what is sure is then so
            however often one looks.
    """

    table: pd.DataFrame
    first_seat: FirstSeat | None
    sure: pd.DataFrame
    p_values: pd.DataFrame
    covariance: pd.DataFrame
    pairings: pd.DataFrame
    prior_pairs: float | None
    anchor: tuple[str, float] | None
    extended: bool
    warnings: tuple[str, ...]
    _bots: tuple[str, ...] = field(repr=False)
    _estimate: Estimate = field(repr=False)

    def difference(self, bot: str, other: str, *, at_once: bool = False) -> EloDifference:
        """Return by how much one bot's rating exceeds another's, with its 95% interval.

        The intervals of all differences hold `at_once`, if wanted: then such an interval lies above
        0 where `sure` says that the bot is better.

        Raises:
            LeaderboardError: If either was not rated.
        """
        [value], [low], [high] = self.leads([(bot, other)], at_once=at_once)
        names = [str(name) for name in self.p_values.index]
        return EloDifference(
            value, low, high, float(self.p_values.to_numpy()[names.index(bot), names.index(other)])
        )

    def leads(
        self, pairs: Sequence[tuple[str, str]], *, at_once: bool = False
    ) -> tuple[list[float], list[float], list[float]]:
        """Return the leads of bots over others in Elo, and their lower and upper 95% limits.

        The limits are those of `difference`.

        Raises:
            LeaderboardError: If a bot was not rated.
        """
        place = {bot: index for index, bot in enumerate(self._bots)}
        for name in itertools.chain.from_iterable(pairs):
            if name not in place:
                raise LeaderboardError(f"{name!r} has no games here; compare bots of the table")
        indices = [(place[one], place[other]) for one, other in pairs]
        return leads(self._estimate, indices, at_once=at_once)

    def needed_errors(self, bot: str, other: str) -> float:
        """Return how many standard errors a difference of two bots must exceed to be sure."""
        return float(self._estimate.needed[self._bots.index(bot), self._bots.index(other)])

    def normal_deviate(self, errors: float) -> float:
        """Return a normal deviate as improbable as a difference of so many standard errors."""
        return -float(special.ndtri(special.stdtr(self._estimate.degrees, -errors)))


def rate(  # noqa: PLR0913 - each is a choice of its own, by keyword
    games: pd.DataFrame,
    *,
    bots: Collection[str] | None = None,
    prior: float | None = PRIOR_PAIRS,
    anchor: tuple[str, float] | None = None,
    count_forfeits: bool = True,
    extended: bool = False,
    looks: int = 1,
) -> Ratings:
    """Rate the bots of two-player games jointly.

    Args:
        games: One row a game, as described in `leaderboards`. The order of rows never matters.
        bots: Rate these bots alone, by the games between them; None rates all.
        prior: Pairs of games that each bot is taken to have halved with a virtual opponent at the
            mean of the field; None for plain maximum likelihood, under which undefeated and
            winless bots have a bound but no rating.
        anchor: A bot and the Elo at which it stands, instead of the mean of the field at 1500. A
            bot that won or lost everything fixes nothing yet: a warning says so.
        count_forfeits: Whether forfeited games count as lost; else they are left out.
        extended: Whether games were added after a look at the result: what is sure is then so
            however often one looks.
        looks: How many looks at the growing table were planned, this one among them, each with the
            right to end the games: what is sure at any of them is right with 95% confidence.

    Raises:
        LeaderboardError: If the table breaks the contract, or the anchor did not play.
        ValueError: If the prior is not positive, or no look was planned.
    """
    if prior is not None and not 0 < prior < np.inf:
        raise ValueError(f"prior is {prior}; give a positive number of pairs, or None for no prior")
    if looks < 1:
        raise ValueError(f"looks is {looks}; give how many were planned, 1 for no other")
    checked = checked_games(games, bots)
    if not count_forfeits:
        checked = checked[checked["forfeit"] == ""]
    played = field_of(checked)
    estimate = estimated(
        played, prior, _anchor_index(played, anchor), looks=None if extended else looks
    )
    fixed = any(one is not None for one in estimate.reference)
    pairings = pairings_of(played, estimate, prior)
    table = elo_rows(
        played,
        estimate,
        forfeits=_forfeits(checked),
        leans_on=_leans_on(pairings),
        anchor_elo=anchor[1] if fixed and anchor else None,
    )
    names = table["bot"].tolist()
    order = [played.bots.index(bot) for bot in names]
    return Ratings(
        table=table,
        first_seat=None
        if estimate.advantage is None
        else FirstSeat(*(float(ELO_PER_NAT * number) for number in estimate.advantage)),
        sure=_square(estimate.sure, order, names),
        p_values=_square(special.stdtr(estimate.degrees, -estimate.apart), order, names),
        covariance=_square(estimate.covariance * ELO_PER_NAT**2, order, names),
        pairings=pairings,
        prior_pairs=prior,
        anchor=anchor if fixed else None,
        extended=extended,
        warnings=(*_unfixed(anchor, fixed=fixed), *warnings_of(played, estimate, pairings)),
        _bots=played.bots,
        _estimate=estimate,
    )


def _anchor_index(played: Field, anchor: tuple[str, float] | None) -> int | None:
    if anchor is None or not played.bots:
        return None
    if anchor[0] not in played.bots:
        raise LeaderboardError(
            f"anchor {anchor[0]!r} has no games here; anchor one of {', '.join(played.bots)}"
        )
    return played.bots.index(anchor[0])


def _unfixed(anchor: tuple[str, float] | None, *, fixed: bool) -> tuple[str, ...]:
    if anchor is None or fixed:
        return ()
    warning = (
        f"The anchor {anchor[0]} won or lost every game that counts, so it cannot fix the scale "
        "yet: the mean of the field stands at 1500."
    )
    return (warning,)


def _forfeits(games: pd.DataFrame) -> dict[str, int]:
    return Counter(bot for seat in SEATS for bot in games.loc[games["forfeit"] == seat, seat])


def _leans_on(pairings: pd.DataFrame) -> dict[str, str]:
    leaning = pairings[pairings["leans"]]
    # Later keys replace earlier ones.
    by_size = leaning.sort_values("moved", key=np.abs, kind="stable")
    return dict(zip(by_size["bot"], by_size["opponent"], strict=True))


def _square(values: npt.NDArray[Any], order: list[int], names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values[np.ix_(order, order)], index=names, columns=names)
