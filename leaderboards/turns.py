"""How many turns and shots bots take to sink a fleet, with intervals.

Intervals are Student's t for a mean, over layouts: a layout is drawn once and all bots search it,
so layouts are the sample. Turns are bounded and mildly skewed, so from a few dozen layouts on the
mean follows Student's law closely, and unlike a bootstrap's the interval needs no random numbers
and does not shrink to nothing for few layouts. Turns are whole numbers, so their deviation is taken
for no less than that of rounding: a bot that always took the same number has a narrow interval, not
none.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from leaderboards.inputs import LeaderboardError, checked_solo
from leaderboards.means import half_width

LEVEL = 0.95

_ROUNDING = 1 / np.sqrt(12)
"""Standard deviation of what rounding to whole numbers takes away."""

TABLE_COLUMNS = (
    "bot",
    "rank",
    "mean_turns",
    "turns_low",
    "turns_high",
    "mean_shots",
    "shots_low",
    "shots_high",
    "median_shots",
    "best_shots",
    "worst_shots",
    "hit_rate",
    "games",
    "forfeits",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much one bot's mean exceeds another's on the layouts that both searched.

    Attributes:
        value: Mean difference; negative where the first bot needs fewer. NaN without layouts.
        low: Lower 95% limit; NaN for fewer than two layouts.
        high: Upper 95% limit; NaN for fewer than two layouts.
        layouts: How many layouts both searched.
        correlation: Correlation of the two on these layouts; NaN where either never varies.
    """

    value: float
    low: float
    high: float
    layouts: int
    correlation: float


def mean_turns(solo: pd.DataFrame) -> pd.DataFrame:
    """Return how many turns and shots each bot takes, fewest turns first.

    Where a bot searched a layout more than once, the layout counts once, with the mean.

    Args:
        solo: One row a game, as told in `leaderboards`.

    Returns:
        One row a bot: `bot`, `rank` (bots with equal means share it), `mean_turns`, `turns_low`,
        `turns_high`, `mean_shots`, `shots_low`, `shots_high` (95% intervals; NaN for one layout),
        `median_shots`, `best_shots`, `worst_shots`, `hit_rate` (hits per shot), `games`,
        `forfeits`.

    Raises:
        LeaderboardError: If the table breaks the contract.
    """
    checked = checked_solo(solo)
    rows = [_row(str(bot), games) for bot, games in checked.groupby("bot", sort=True)]
    table = pd.DataFrame(rows, columns=[column for column in TABLE_COLUMNS if column != "rank"])
    ranks = table["mean_turns"].astype(float).round(9).rank(method="min").astype(np.int64)
    table.insert(1, "rank", ranks)
    return table.sort_values(["rank", "bot"], ignore_index=True)


def paired_difference(
    solo: pd.DataFrame, bot: str, other: str, *, column: str = "turns"
) -> Difference:
    """Return by how much `bot` needs more than `other` on the layouts that both searched.

    Good bots find the same layouts hard, so the difference is known far better than either mean.

    Args:
        solo: One row a game, as told in `leaderboards`.
        bot: Name of a bot.
        other: Name of the bot it is compared with.
        column: "turns" or "shots".

    Returns:
        The mean difference with Student's 95% interval over layouts.

    Raises:
        LeaderboardError: If the table breaks the contract, or there is no such column.
    """
    if column not in ("turns", "shots"):
        raise LeaderboardError(f"column is {column!r}; compare 'turns' or 'shots'")
    checked = checked_solo(solo)
    sides = [_by_layout(checked[checked["bot"] == name])[column] for name in (bot, other)]
    both = pd.concat(sides, axis=1, join="inner").to_numpy(dtype=np.float64)
    value, low, high = _mean_with_limits(both[:, 0] - both[:, 1])
    varies = len(both) > 1 and bool((np.ptp(both, axis=0) > 0).all())
    correlation = float(np.corrcoef(both.T)[0, 1]) if varies else float("nan")
    return Difference(value, low, high, len(both), correlation)


def _row(bot: str, games: pd.DataFrame) -> dict[str, object]:
    layouts = _by_layout(games)
    turns, turns_low, turns_high = _mean_with_limits(layouts["turns"].to_numpy(dtype=np.float64))
    shots, shots_low, shots_high = _mean_with_limits(layouts["shots"].to_numpy(dtype=np.float64))
    return {
        "bot": bot,
        "mean_turns": turns,
        # Of two or three games Student's interval is wide; none takes less than a turn, and a shot.
        "turns_low": float(np.maximum(turns_low, 1)),
        "turns_high": turns_high,
        "mean_shots": shots,
        "shots_low": float(np.maximum(shots_low, 1)),
        "shots_high": shots_high,
        "median_shots": float(games["shots"].median()),
        "best_shots": int(games["shots"].min()),
        "worst_shots": int(games["shots"].max()),
        "hit_rate": float(games["hits"].sum() / games["shots"].sum()),
        "games": len(games),
        "forfeits": int(games["forfeit"].sum()),
    }


def _by_layout(games: pd.DataFrame) -> pd.DataFrame:
    numbers = games[["turns", "shots"]].astype(np.float64)
    return numbers.groupby(games["layout"], sort=True).mean()


def _mean_with_limits(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    if not len(values):
        return float("nan"), float("nan"), float("nan")
    mean = float(values.mean())
    if len(values) == 1:
        return mean, float("nan"), float("nan")
    deviation = max(float(values.std(ddof=1)), _ROUNDING)
    half = half_width(deviation, len(values), LEVEL)
    return mean, mean - half, mean + half
