"""Who is better in two-player games, and how sure we are.

`rate` fits all games jointly, so that no rating depends on the order of the games. How the estimate
is made is told in `leaderboards.likelihood` and `leaderboards.fit`, how its intervals are made in
`leaderboards.intervals`, and how often these hold the truth in `leaderboards.coverage`.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from scipy import special

from leaderboards.diagnostics import pairings_of, warnings_of
from leaderboards.estimate import Estimate, estimated
from leaderboards.field import Field, Floats, Integers, field_of
from leaderboards.inputs import LeaderboardError, checked_games
from leaderboards.peeling import levels
from leaderboards.reference import TOUCHING
from leaderboards.simultaneous import rank_sets

ELO_PER_NAT = 400 / np.log(10)
MEAN_ELO = 1500.0
PRIOR_PAIRS = 0.25

WORST_QUASI_ERROR = 0.1
"""Beyond this error of the approximation there are no comparison intervals."""

TABLE_COLUMNS = (
    "bot",
    "group",
    "rank",
    "best_rank",
    "worst_rank",
    "elo",
    "low",
    "high",
    "bound",
    "compare_low",
    "compare_high",
    "lead",
    "lead_low",
    "lead_high",
    "weight",
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
class EloDifference:
    """By how much one bot's rating exceeds another's.

    Attributes:
        value: The difference in Elo; NaN where either has no rating.
        low: Lower 95% limit, a one-sided bound where `high` is NaN; NaN where there is none.
        high: Upper 95% limit, likewise.
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
            interval), `bound`, `compare_low` and `compare_high` (the comparison interval: where
            those of two bots do not touch, the two differ at the 5% level), `lead` (difference to
            the next bot of the group) with its 95% interval `lead_low` and `lead_high`,
            `weight` (its share in the mean that stands at 1500), `games`, `wins`, `draws`,
            `losses`, `forfeits` (games lost by forfeit). A bot that lost all its
            games has `bound` "upper" and no `low`, one that won them all "lower" and no `high`:
            the limit that is there is then a one-sided 95% bound. Elsewhere `bound` is "". Missing
            numbers are NaN.
        first_seat: What the first seat is worth; None where the games do not tell.
        p_values: One-sided p-values, rows and columns named after bots: how probable a result at
            least this good for the bot of the row is if it is no better than that of the column;
            NaN for bots that no games link.
        covariance: Covariance of the ratings in Elo squared, rows and columns named after bots.
        pairings: One row for each bot and opponent that met: `games`, `wins`, `draws`, `losses`,
            `score` (points per game, 0 to 1), `predicted` (the score that the fit expects).
        prior_pairs: The prior: pairs that each bot is taken to have halved with a virtual opponent
            at the mean of the field; None for no prior.
        anchor: The bot that stands at a given Elo, and that Elo; None for the mean at 1500.
        compare_error: By which share a comparison interval is at most too wide or too narrow.
        warnings: What a reader must know, in whole sentences.
    """

    table: pd.DataFrame
    first_seat: FirstSeat | None
    p_values: pd.DataFrame
    covariance: pd.DataFrame
    pairings: pd.DataFrame
    prior_pairs: float | None
    anchor: tuple[str, float] | None
    compare_error: float
    warnings: tuple[str, ...]
    _bots: tuple[str, ...] = field(repr=False)
    _estimate: Estimate = field(repr=False)

    def difference(self, bot: str, other: str) -> EloDifference:
        """Return by how much one bot's rating exceeds another's, with its 95% interval.

        Raises:
            LeaderboardError: If either was not rated.
        """
        for name in (bot, other):
            if name not in self._bots:
                raise LeaderboardError(f"{name!r} has no games here; compare bots of the table")
        names = [str(name) for name in self.p_values.index]
        pair = self._bots.index(bot), self._bots.index(other)
        [value], [low], [high] = _leads(self._estimate, [pair])
        return EloDifference(
            value, low, high, float(self.p_values.to_numpy()[names.index(bot), names.index(other)])
        )


def rate(
    games: pd.DataFrame,
    *,
    bots: Collection[str] | None = None,
    prior: float | None = PRIOR_PAIRS,
    anchor: tuple[str, float] | None = None,
    count_forfeits: bool = True,
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

    Returns:
        The ratings; bots without games are left out.

    Raises:
        LeaderboardError: If the table breaks the contract, or the anchor did not play.
        ValueError: If the prior is not positive.
    """
    if prior is not None and not 0 < prior < np.inf:
        raise ValueError(f"prior is {prior}; give a positive number of pairs, or None for no prior")
    checked = checked_games(games, bots)
    if not count_forfeits:
        checked = checked[checked["forfeit"] == ""]
    played = field_of(checked)
    estimate = estimated(played, prior, _anchor_index(played, anchor))
    fixed = any(one is not None for one in estimate.reference)
    table = _table(played, estimate, _forfeits(checked), anchor[1] if fixed and anchor else None)
    names = table["bot"].tolist()
    order = [played.bots.index(bot) for bot in names]
    pairings = pairings_of(played, estimate)
    return Ratings(
        table=table,
        first_seat=_first_seat(estimate),
        p_values=_square(special.stdtr(estimate.degrees, -estimate.apart), order, names),
        covariance=_square(estimate.covariance * ELO_PER_NAT**2, order, names),
        pairings=pairings,
        prior_pairs=prior,
        anchor=anchor if fixed else None,
        compare_error=estimate.quasi_error,
        warnings=(
            *_unfixed(anchor, fixed=fixed),
            *warnings_of(played, estimate, pairings),
        ),
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
    lost = [games.loc[games["forfeit"] == seat, seat] for seat in ("first", "second")]
    return {str(bot): int(number) for bot, number in pd.concat(lost).value_counts().items()}


def _table(
    played: Field, estimate: Estimate, forfeits: dict[str, int], anchor_elo: float | None
) -> pd.DataFrame:
    games = played.by_bot().sum(axis=1)
    zero = np.array(
        [
            MEAN_ELO if one is None or anchor_elo is None else anchor_elo
            for one in estimate.reference
        ],
        dtype=np.float64,
    )
    elo = zero + estimate.strength * ELO_PER_NAT
    exact = estimate.quasi_error <= WORST_QUASI_ERROR
    half = TOUCHING * np.sqrt(estimate.quasi) * ELO_PER_NAT if exact else np.full(len(elo), np.nan)
    table = pd.DataFrame(
        {
            "bot": list(played.bots),
            "group": estimate.group_of() + 1,
            "elo": elo,
            "low": zero + estimate.low * ELO_PER_NAT,
            "high": zero + estimate.high * ELO_PER_NAT,
            "bound": list(estimate.bound),
            "compare_low": elo - half,
            "compare_high": elo + half,
            "weight": estimate.weights,
            "games": games.sum(axis=1),
            "wins": games[:, 0],
            "draws": games[:, 1],
            "losses": games[:, 2],
            "forfeits": [forfeits.get(bot, 0) for bot in played.bots],
        }
    )
    table = _ordered(table, _tiers(played, estimate))
    place = {bot: index for index, bot in enumerate(played.bots)}
    order = [place[bot] for bot in table["bot"]]
    best, worst = _rank_sets(estimate)
    table = table.assign(
        best_rank=best[order], worst_rank=worst[order], **_leads_to_next(estimate, order)
    )
    return table[list(TABLE_COLUMNS)]


def _tiers(played: Field, estimate: Estimate) -> list[tuple[int, int]]:
    """Return where bots without a rating stand: above those rated, below them, and at which level.

    With a rating for everybody, ratings alone decide.
    """
    side = {"lower": -1, "": 0, "upper": 1}
    unrated = np.isnan(estimate.strength)
    if not unrated.any():
        return [(0, 0)] * len(unrated)
    deep = levels(played)
    return [
        (side[estimate.bound[index]] or 2, deep[index]) if unrated[index] else (0, 0)
        for index in range(len(unrated))
    ]


def _ordered(table: pd.DataFrame, tiers: list[tuple[int, int]]) -> pd.DataFrame:
    # Equal records make ratings that differ in their last bits: these must not decide the order.
    table = table.assign(
        tier=[tier for tier, _ in tiers],
        level=[level for _, level in tiers],
        descending=-table["elo"].round(6).fillna(0.0),
    )
    keys = ["group", "tier", "level", "descending"]
    table = table.sort_values([*keys, "bot"], ignore_index=True)
    place = table.groupby("group", sort=False).cumcount() + 1
    shared = place.groupby([table[key] for key in keys], sort=False).transform("min")
    return table.assign(rank=shared.astype(np.int64))


def _leads_to_next(estimate: Estimate, order: Sequence[int]) -> dict[str, Floats]:
    group = estimate.group_of()
    lead, low, high = np.full((3, len(order)), np.nan)
    rows = [row for row in range(len(order) - 1) if group[order[row]] == group[order[row + 1]]]
    lead[rows], low[rows], high[rows] = _leads(
        estimate, [(order[row], order[row + 1]) for row in rows]
    )
    return {"lead": lead, "lead_low": low, "lead_high": high}


def _leads(
    estimate: Estimate, pairs: Sequence[tuple[int, int]]
) -> tuple[list[float], list[float], list[float]]:
    """Return the leads in Elo of bots over others, and their limits."""
    group = estimate.group_of()
    value = np.array([estimate.strength[one] - estimate.strength[other] for one, other in pairs])
    low, high = np.full((2, len(pairs)), np.nan)
    linked = [row for row, (one, other) in enumerate(pairs) if group[one] == group[other]]
    if estimate.inside is not None:
        low[linked], high[linked] = estimate.inside.differences([pairs[row] for row in linked])
    value[[row for row in range(len(pairs)) if row not in set(linked)]] = np.nan
    return tuple((numbers * ELO_PER_NAT).tolist() for numbers in (value, low, high))


def _first_seat(estimate: Estimate) -> FirstSeat | None:
    if estimate.advantage is None:
        return None
    value, low, high = (float(ELO_PER_NAT * number) for number in estimate.advantage)
    return FirstSeat(value, low, high)


def _rank_sets(estimate: Estimate) -> tuple[Integers, Integers]:
    best, worst = np.ones((2, len(estimate.strength)), dtype=np.int64)
    for group in estimate.groups:
        inside = list(group)
        sure = float(estimate.critical[inside[0]])
        best[inside], worst[inside] = rank_sets(estimate.apart[np.ix_(inside, inside)], sure)
    return best, worst


def _square(values: Floats, order: list[int], names: list[str]) -> pd.DataFrame:
    return pd.DataFrame(values[np.ix_(order, order)], index=names, columns=names)
