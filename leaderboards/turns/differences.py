"""Compares the turns that bots take: differences of two, and the ranks that each may have.

Two bots that have layouts in common are compared layout by layout. What that gains depends on how
alike they find the layouts: where a turn is one shot good bots correlate strongly, and their
difference is known much better than either mean; in salvo correlations are 0.00 to 0.25, and it is
known about as well as on layouts of their own. There the two means are compared, which are
independent.

Where the luck of games is known, all of it goes by the adjusted means.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from leaderboards.elo.quasi_variances import LEVEL
from leaderboards.elo.simultaneous import chained, critical_value, rank_sets
from leaderboards.inputs import LeaderboardError, checked_solo
from leaderboards.turns.adjusted_means import less_luck
from leaderboards.turns.luck_check import MOST_FALSE, luck_chances
from leaderboards.turns.means import ROUNDING, Error, Floats, Whole, error_of_mean, mean_limits

_FEWEST = 2
"""Of fewer layouts nothing is known of how a number varies."""

_NUDGE = 1e-6
"""Keeps two bots that took the same turns throughout from a difference without any variance."""


class Searches:
    """Holds the turns or shots of a bot on each layout, in order, less luck where that is known."""

    def __init__(self, games: pd.DataFrame, column: str) -> None:
        """Read the solo games of the bot, for the column "turns" or "shots"."""
        self.blocks: Whole | None = None
        if "luck" in games:
            adjusted = less_luck(games, column)
            self.numbers, self.blocks = adjusted["number"], adjusted["block"].to_numpy(np.int64)
        else:
            self.numbers = games[column].astype(np.float64).groupby(games["layout"]).mean()

    def limits(self) -> tuple[float, float, float]:
        """Return the mean with its 95% limits; NaN where there are too few layouts."""
        return mean_limits(_values(self.numbers), ROUNDING, self.blocks)

    def error(self, *, by_block: bool = True) -> Error:
        """Return the standard error of the mean of two layouts or more."""
        return error_of_mean(_values(self.numbers), self.blocks if by_block else None, ROUNDING)


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
    searches = searches_by_bot(checked_solo(solo), column)
    return difference(searches.get(bot), searches.get(other))


def searches_by_bot(checked: pd.DataFrame, column: str) -> dict[str, Searches]:
    """Return what each bot took of each layout; bots whose luck is no chance are left out."""
    chances = luck_chances(checked) if "luck" in checked else {}
    return {
        str(bot): Searches(games, column)
        for bot, games in checked.groupby("bot", sort=True)
        if not chances.get(str(bot), 1.0) <= MOST_FALSE
    }


def difference(one: Searches | None, other: Searches | None) -> Difference:
    """Return the difference of two bots' means, layout by layout if they have any in common.

    Which layouts those are is all that decides, never what the numbers are. Of a bot that is None
    nothing is known.
    """
    nothing = float("nan")
    if one is None or other is None:
        return Difference(nothing, nothing, nothing, 0, nothing, paired=False)
    common = one.numbers.index.intersection(other.numbers.index)
    if len(common) < _FEWEST:
        return Difference(*_welch(one, other), len(common), nothing, paired=False)
    both = np.stack([_values(own.numbers.loc[common]) for own in (one, other)])
    varies = bool((np.ptp(both, axis=1) > 0).all())
    correlation = float(np.asarray(np.corrcoef(both))[0, 1]) if varies else nothing
    places = one.numbers.index.get_indexer(common)
    blocks = None if one.blocks is None else one.blocks[places]
    limits = mean_limits(both[0] - both[1], ROUNDING, blocks)
    return Difference(*limits, len(common), correlation, paired=True)


def ranks_of(searches: Sequence[Searches]) -> tuple[Whole, Whole]:
    """Return the best and the worst rank that each bot may have, all right at once with 95%."""
    size = np.array([len(own.numbers) for own in searches])
    if len(searches) < _FEWEST or size.min() < _FEWEST:
        return rank_sets(np.zeros((len(searches), len(searches)), dtype=bool))
    mean = np.array([own.numbers.mean() for own in searches])
    errors = [own.error() for own in searches]
    error = np.array([own.value for own in errors])
    # What blocks add to the errors they add to what two bots have in common as well.
    wider = error / np.array([own.error(by_block=False).value for own in searches])
    covariance = _shared(searches, size) * np.outer(wider, wider)
    covariance[np.diag_indices(len(searches))] = error**2
    floor = ROUNDING**2 / np.minimum(size[:, None], size[None, :])
    variance = np.maximum(np.add.outer(error**2, error**2) - 2 * covariance, floor)
    apart = (mean[None, :] - mean[:, None]) / np.sqrt(variance)
    alone = covariance + np.eye(len(searches)) * floor.max() * _NUDGE
    sure = apart > critical_value(alone, min(own.degrees for own in errors))
    return rank_sets(chained(sure))


def _values(numbers: "pd.Series[float]") -> Floats:
    return np.asarray(numbers, dtype=np.float64)


def _welch(one: Searches, other: Searches) -> tuple[float, float, float]:
    """Return the difference of two means with its 95% limits, after Welch (1947)."""
    value = float(one.numbers.mean() - other.numbers.mean())
    if min(len(one.numbers), len(other.numbers)) < _FEWEST:
        return value, float("nan"), float("nan")
    errors = one.error(), other.error()
    variance = sum(error.value**2 for error in errors)
    degrees = variance**2 / sum(error.value**4 / error.degrees for error in errors)
    half = float(special.stdtrit(degrees, (1 + LEVEL) / 2)) * np.sqrt(variance)
    return value, float(value - half), float(value + half)


def _shared(searches: Sequence[Searches], size: Whole) -> Floats:
    """Return the covariance (N, N) of means by what their bots have in common: layouts alone."""
    numbers = [own.numbers for own in searches]
    away = pd.concat([own - own.mean() for own in numbers], keys=range(len(numbers)))
    shared = away[away.index.get_level_values(1).duplicated(keep=False)]
    # Layouts that one bot alone searched would make a league's table a thousand times as wide.
    by_layout = shared.unstack()  # noqa: PD010 - a Series has no pivot_table
    table = by_layout.reindex(range(len(numbers))).to_numpy(dtype=np.float64)
    there = (~np.isnan(table)).astype(np.float64)
    table = np.nan_to_num(table)
    common = there @ there.T
    each = table @ table.T / np.maximum(common - 1, 1)
    return np.asarray(each * common / (size[:, None] * size[None, :]))
