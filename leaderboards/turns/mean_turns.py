"""Counts how many turns and shots bots take to sink a fleet, with intervals.

Layouts are the sample: each bot searches layouts of its own, or all bots the same ones. Intervals
are those of `leaderboards.turns.means`, Student's with the skewness taken out: of twenty games
Student's own cover the truth in 91 to 94% of cases, these in 94 to 95%. Turns are whole numbers, so
their deviation is taken for no less than that of rounding: a bot that always took the same number
has a narrow interval, not none.

Two bots that have layouts in common are compared layout by layout. What that gains depends on how
alike they find the layouts: where a turn is one shot good bots correlate strongly, and their
difference is known much better than either mean; in salvo correlations are 0.00 to 0.25, and it is
known about as well as on layouts of their own. There the two means are compared, which are
independent.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from leaderboards.elo.quasi_variances import LEVEL
from leaderboards.elo.simultaneous import critical_value, rank_sets
from leaderboards.inputs import LeaderboardError, checked_solo
from leaderboards.turns.adjusted_means import ADJUSTED_COLUMNS, adjusted_row
from leaderboards.turns.means import Floats, mean_limits

Numbers: TypeAlias = "pd.Series[float]"
"""Numbers of one bot, by layout."""

_NO_NUMBERS: Numbers = pd.Series(np.array([], dtype=np.float64))

_ROUNDING = 1 / np.sqrt(12)  # standard deviation of what rounding to whole numbers takes away
_FEWEST_PAIRED = 2
_NUDGE = 1e-6
"""Keeps two bots that took the same turns throughout from a difference without any variance."""

TURNS_COLUMNS = (
    *("bot", "rank", "best_rank", "worst_rank", "mean_turns", "turns_low", "turns_high"),
    *("mean_shots", "shots_low", "shots_high"),
    *("median_shots", "best_shots", "worst_shots", "hit_rate", "games", "forfeits"),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of two bots' means.

    Attributes:
        value: Mean difference; negative where the first bot needs fewer. NaN without games.
        low: Lower 95% limit; NaN for fewer than two layouts.
        high: Upper 95% limit; NaN for fewer than two layouts.
        correlation: Correlation of the two on these layouts; NaN where either never varies.
        paired: Whether it is the mean over common layouts; else it is the difference of two means
            on layouts of their own.
    """

    value: float
    low: float
    high: float
    layouts: int
    correlation: float
    paired: bool


def mean_turns(solo: pd.DataFrame) -> pd.DataFrame:
    """Return how many turns and shots each bot takes, fewest turns first.

    Where a bot searched a layout more than once, the layout counts once, with the mean.

    Returns:
        One row a bot: `bot`, `rank` (bots with equal means share it), `best_rank` and `worst_rank`
        (ranks that the bot may have, all of them right at once with 95% confidence), `mean_turns`,
        `turns_low`, `turns_high`, `mean_shots`, `shots_low`, `shots_high`
        (95% intervals; NaN for one layout), `median_shots`, `best_shots`,
        `worst_shots`, `hit_rate` (hits per shot), `games`, `forfeits`; where the table has a column
        `luck` also `ADJUSTED_COLUMNS` of `leaderboards.turns.adjusted_means`.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    checked = checked_solo(solo)
    columns = (*TURNS_COLUMNS, *(ADJUSTED_COLUMNS if "luck" in checked else ()))
    groups = checked.groupby("bot", sort=True)
    rows = [_row(str(bot), games, len(groups)) for bot, games in groups]
    own = ("rank", "best_rank", "worst_rank")
    table = pd.DataFrame(rows, columns=[name for name in columns if name not in own])
    ranks = table["mean_turns"].astype(float).round(9).rank(method="min").astype(np.int64)
    table = table.assign(rank=ranks).sort_values(["rank", "bot"], ignore_index=True)
    by_bot = _by_bot(checked, "turns")
    turns = [by_bot[bot] for bot in table["bot"]]
    best, worst = _rank_sets(turns)
    table = table.assign(best_rank=best, worst_rank=worst)
    return table[list(columns)]


def paired_difference(
    solo: pd.DataFrame, bot: str, other: str, *, column: str = "turns"
) -> Difference:
    """Return by how much `bot` needs more than `other`, on common layouts where there are any.

    Returns:
        The mean difference with its 95% interval over layouts. With fewer than two common layouts
        it is that of the two means, by Welch's interval.

    Raises:
        LeaderboardError: If the table breaks the contract, or there is no such column.
    """
    if column not in ("turns", "shots"):
        raise LeaderboardError(f"column is {column!r}; compare 'turns' or 'shots'")
    numbers = _by_bot(checked_solo(solo), column)
    return _difference(*(numbers.get(name, _NO_NUMBERS) for name in (bot, other)))


def _by_bot(checked: pd.DataFrame, column: str) -> dict[str, Numbers]:
    numbers = checked[column].astype(np.float64)
    means = numbers.groupby([checked["bot"], checked["layout"]], sort=True).mean()
    return {str(bot): own.droplevel(0) for bot, own in means.groupby(level=0, sort=True)}


def _difference(one: Numbers, other: Numbers) -> Difference:
    """Return the mean difference of two bots' numbers, layout by layout if they have any in common.

    Which layouts those are is all that decides, never what the numbers are.
    """
    common = one.index.intersection(other.index)
    if len(common) < _FEWEST_PAIRED:
        limits = _welch(_values(one), _values(other))
        return Difference(*limits, len(common), float("nan"), paired=False)
    both = np.stack([_values(own.loc[common]) for own in (one, other)])
    varies = bool((np.ptp(both, axis=1) > 0).all())
    correlation = float(np.asarray(np.corrcoef(both))[0, 1]) if varies else float("nan")
    limits = mean_limits(both[0] - both[1], _ROUNDING)
    return Difference(*limits, len(common), correlation, paired=True)


def _values(numbers: Numbers) -> Floats:
    return np.asarray(numbers, dtype=np.float64)


def _welch(one: Floats, other: Floats) -> tuple[float, float, float]:
    """Return the difference of two means with its 95% limits, after Welch (1947)."""
    if not len(one) or not len(other):
        return float("nan"), float("nan"), float("nan")
    value = float(one.mean() - other.mean())
    if min(len(one), len(other)) < _FEWEST_PAIRED:
        return value, float("nan"), float("nan")
    own, theirs = (
        max(float(numbers.var(ddof=1)), _ROUNDING**2) / len(numbers) for numbers in (one, other)
    )
    degrees = (own + theirs) ** 2 / (own**2 / (len(one) - 1) + theirs**2 / (len(other) - 1))
    half = float(special.stdtrit(degrees, (1 + LEVEL) / 2)) * np.sqrt(own + theirs)
    return value, float(value - half), float(value + half)


def _rank_sets(turns: Sequence[Numbers]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    number = np.array([len(own) for own in turns])
    if len(turns) < _FEWEST_PAIRED or number.min() < _FEWEST_PAIRED:
        return rank_sets(np.zeros((len(turns), len(turns)), dtype=bool))
    mean = np.array([own.mean() for own in turns])
    covariance = _shared(turns, number)
    spread = np.array([own.var(ddof=1) for own in turns])
    own = np.maximum(spread, _ROUNDING**2) / number
    covariance[np.diag_indices(len(turns))] = own
    floor = _ROUNDING**2 / np.minimum(number[:, None], number[None, :])
    variance = np.maximum(own[:, None] + own[None, :] - 2 * covariance, floor)
    apart = (mean[None, :] - mean[:, None]) / np.sqrt(variance)
    alone = covariance + np.eye(len(turns)) * floor.max() * _NUDGE
    return rank_sets(apart > critical_value(alone, float(number.min() - 1)))


def _shared(turns: Sequence[Numbers], number: npt.NDArray[np.int64]) -> Floats:
    """Return the covariance (N, N) of means by what their bots have in common: layouts alone."""
    away = pd.concat([own - own.mean() for own in turns], keys=range(len(turns)))
    shared = away[away.index.get_level_values(1).duplicated(keep=False)]
    # Layouts that one bot alone searched would make a league's table a thousand times as wide.
    by_layout = shared.unstack()  # noqa: PD010 - a Series has no pivot_table
    table = by_layout.reindex(range(len(turns))).to_numpy(dtype=np.float64)
    there = (~np.isnan(table)).astype(np.float64)
    table = np.nan_to_num(table)
    common = there @ there.T
    each = table @ table.T / np.maximum(common - 1, 1)
    return np.asarray(each * common / (number[:, None] * number[None, :]))


def _row(bot: str, games: pd.DataFrame, bots: int) -> dict[str, object]:
    layouts = games.groupby("layout", sort=True)[["turns", "shots"]].mean()
    means: dict[str, float] = {}
    for what in ("turns", "shots"):
        numbers = layouts[what].to_numpy(dtype=np.float64)
        means[f"mean_{what}"], low, means[f"{what}_high"] = mean_limits(numbers, _ROUNDING)
        # Of two or three games the interval is wide; none takes less than a turn, and a shot.
        means[f"{what}_low"] = float(np.maximum(low, 1))
    return {
        "bot": bot,
        **means,
        "median_shots": float(games["shots"].median()),
        "best_shots": int(games["shots"].min()),
        "worst_shots": int(games["shots"].max()),
        "hit_rate": float(games["hits"].sum() / games["shots"].sum()),
        "games": len(games),
        "forfeits": int(games["forfeit"].sum()),
        **(adjusted_row(games, bots) if "luck" in games else {}),
    }
