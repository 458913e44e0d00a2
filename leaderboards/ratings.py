"""Who is better in two-player games, and how sure we are.

`rate` fits all games jointly, so that no rating depends on the order of the games. How the estimate
is made is told in `leaderboards.likelihood` and `leaderboards.fit`, how its intervals are made in
`leaderboards.intervals`, and how often these hold the truth in `leaderboards.coverage`.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from leaderboards.diagnostics import pairings_of, warnings_of
from leaderboards.estimate import Estimate, estimated
from leaderboards.field import Field, Floats, field_of
from leaderboards.inputs import checked_games
from leaderboards.intervals import LEVEL

ELO_PER_NAT = 400 / np.log(10)
MEAN_ELO = 1500.0
PRIOR_PAIRS = 0.25

TABLE_COLUMNS = (
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


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """What the first seat is worth in Elo, with its 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings on the Elo scale, and how sure they are.

    Attributes:
        table: One row a bot, best first: `bot`, `rank`, `elo`, `low` and `high` (a 95% interval),
            `bound`, `games`, `wins`, `draws`, `losses`, `forfeits` (games lost by forfeit). A bot
            that lost all its games has `bound` "upper" and no `low`, one that won them all "lower"
            and no `high`: the limit that is there is then a one-sided 95% bound. Elsewhere `bound`
            is "". Missing numbers are NaN.
        first_seat: What the first seat is worth; None where the games do not tell.
        superiority: Likelihood (0 to 1) that the bot of the row is stronger than the bot of the
            column; NaN for bots that no games link.
        ranks: One row a bot, `bot`, `best`, `worst`: ranks that the bot may have, all of them right
            at once with 95% confidence.
        covariance: Covariance of the ratings in Elo squared, rows and columns named after bots.
        pairings: One row for each bot and opponent that met: `games`, `wins`, `draws`, `losses`,
            `score` (points per game, 0 to 1), `predicted` (the score that the fit expects).
        prior_pairs: The prior: pairs that each bot is taken to have halved with a virtual opponent
            at the mean of the field; None for no prior.
        warnings: What a reader must know, in whole sentences.
    """

    table: pd.DataFrame
    first_seat: FirstSeat | None
    superiority: pd.DataFrame
    ranks: pd.DataFrame
    covariance: pd.DataFrame
    pairings: pd.DataFrame
    prior_pairs: float | None
    warnings: tuple[str, ...]


def rate(
    games: pd.DataFrame,
    *,
    bots: Collection[str] | None = None,
    prior: float | None = PRIOR_PAIRS,
) -> Ratings:
    """Rate the bots of two-player games jointly.

    Args:
        games: One row a game, as told in `leaderboards`. Any order of rows gives the same ratings.
        bots: Rate these bots alone, by the games between them; None rates all.
        prior: Pairs of games that each bot is taken to have halved with a virtual opponent at the
            mean of the field; None for plain maximum likelihood, under which undefeated and
            winless bots have a bound but no rating.

    Returns:
        The ratings; bots without games are left out.

    Raises:
        LeaderboardError: If the table breaks the contract.
        ValueError: If the prior is not positive.
    """
    if prior is not None and not 0 < prior < np.inf:
        raise ValueError(f"prior is {prior}; give a positive number of pairs, or None for no prior")
    checked = checked_games(games, bots)
    field = field_of(checked)
    estimate = estimated(field, prior)
    table = _table(field, estimate, _forfeits(checked))
    order = [field.bots.index(bot) for bot in table["bot"]]
    names = table["bot"].tolist()
    pairings = pairings_of(field, estimate)
    return Ratings(
        table=table,
        first_seat=_first_seat(estimate),
        superiority=_square(special.ndtr(estimate.apart), order, names),
        ranks=_ranks(estimate.apart, order, names),
        covariance=_square(estimate.covariance * ELO_PER_NAT**2, order, names),
        pairings=pairings,
        prior_pairs=prior,
        warnings=warnings_of(field, estimate, pairings),
    )


def _forfeits(games: pd.DataFrame) -> dict[str, int]:
    lost = [games.loc[games["forfeit"] == seat, seat] for seat in ("first", "second")]
    return {str(bot): int(number) for bot, number in pd.concat(lost).value_counts().items()}


def _table(field: Field, estimate: Estimate, forfeits: dict[str, int]) -> pd.DataFrame:
    games = field.by_bot().sum(axis=1)
    table = pd.DataFrame(
        {
            "bot": list(field.bots),
            "elo": MEAN_ELO + estimate.strength * ELO_PER_NAT,
            "low": MEAN_ELO + estimate.low * ELO_PER_NAT,
            "high": MEAN_ELO + estimate.high * ELO_PER_NAT,
            "bound": list(estimate.bound),
            "games": games.sum(axis=1),
            "wins": games[:, 0],
            "draws": games[:, 1],
            "losses": games[:, 2],
            "forfeits": [forfeits.get(bot, 0) for bot in field.bots],
        }
    )
    # Equal records make ratings that differ in their last bits: these must not decide the order.
    table["rank"] = table["elo"].round(6).rank(ascending=False, method="min", na_option="bottom")
    table = table.sort_values(["rank", "bot"], ignore_index=True)
    return table.astype({"rank": np.int64})[list(TABLE_COLUMNS)]


def _first_seat(estimate: Estimate) -> FirstSeat | None:
    if estimate.advantage is None:
        return None
    value, low, high = (float(ELO_PER_NAT * number) for number in estimate.advantage)
    return FirstSeat(value, low, high)


def _ranks(apart: Floats, order: list[int], names: list[str]) -> pd.DataFrame:
    size = len(names)
    sorted_apart = apart[np.ix_(order, order)]
    # Bonferroni: all comparisons are right at once, and so are the ranks that follow from them.
    sure = -special.ndtri((1 - LEVEL) / max(size * (size - 1), 1))
    return pd.DataFrame(
        {
            "bot": names,
            "best": 1 + (sorted_apart < -sure).sum(axis=1),
            "worst": size - (sorted_apart > sure).sum(axis=1),
        }
    )


def _square(values: Floats, order: list[int], names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values[np.ix_(order, order)], index=names, columns=names)
