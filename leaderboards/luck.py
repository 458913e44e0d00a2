"""Means of solo games adjusted for luck: turns less what chance cost, which has the same mean.

The luck of a game is the sum of what the answers to its shots cost beyond expectation; its own
expectation is zero. What is left scatters far less, so that the interval of the mean is narrower.
The intervals go by block: the games of one process, which may remember one in the next, count as
one observation (Student's t over blocks; the variance of a ratio where blocks differ in size).

Luck whose mean is too far from zero did not come from chance: the bot knew layouts, or they were
not drawn uniformly. Its adjusted mean is then withheld. Games count one by one in this test: that
luck has no expectation holds whatever a bot remembers of earlier games, so that the luck of two
games is uncorrelated.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from leaderboards.means import half_width

__all__ = ["ADJUSTED_COLUMNS", "MOST_ERRORS", "adjusted_row", "suspects"]

MOST_ERRORS = 4.0
"""Standard errors that mean luck may be away from zero; of few games more, by Student's t."""

ADJUSTED_COLUMNS = (
    "adjusted_turns",
    "adjusted_turns_low",
    "adjusted_turns_high",
    "adjusted_shots",
    "adjusted_low",
    "adjusted_high",
    "luck_errors",
    "withheld",
)

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its limits; NaN where there are none."""

    value: float
    low: float
    high: float


def adjusted_row(games: pd.DataFrame) -> dict[str, object]:
    """Return the adjusted means of one bot.

    Args:
        games: Its solo games: `layout`, `turns`, `shots`, `luck`, `luck_shots` and `block`. A
            layout that was searched more than once counts once, with the mean.

    Returns:
        `ADJUSTED_COLUMNS`: mean turns and shots with 95% limits, NaN where the luck of a game is
        missing or the means are withheld; `luck_errors`, the mean luck in standard errors; and
        `withheld`.
    """
    luck = games["luck"].to_numpy(dtype=np.float64)
    errors = _errors(luck)
    # Beyond the same chance as of a normal error, however few games told how luck scatters.
    most = float(special.stdtrit(max(len(luck) - 1, 1), special.ndtr(MOST_ERRORS)))
    withheld = bool(abs(errors) > most)
    means = [Mean(np.nan, np.nan, np.nan)] * 2
    if not (withheld or np.isnan(luck).any()):
        columns = ["turns", "shots", "luck", "luck_shots", "block"]
        layouts = games[columns].astype(np.float64).groupby(games["layout"], sort=True).mean()
        means = [
            block_mean((layouts[counted] - layouts[lucky]).to_numpy(), layouts["block"].to_numpy())
            for counted, lucky in (("turns", "luck"), ("shots", "luck_shots"))
        ]
    numbers = [number for mean in means for number in (mean.value, mean.low, mean.high)]
    return dict(zip(ADJUSTED_COLUMNS, (*numbers, errors, withheld), strict=True))


def suspects(turns: pd.DataFrame) -> list[str]:
    """Return the bots of a leaderboard whose adjusted means are withheld."""
    if "withheld" not in turns:
        return []
    return [str(bot) for bot in turns.loc[turns["withheld"].astype(bool), "bot"]]


def block_mean(values: Values, blocks: npt.NDArray[Any]) -> Mean:
    """Return the mean of some games, with Student's limits over the blocks that they are of.

    Args:
        values: One a game.
        blocks: The number of the block of each.

    Returns:
        The mean; without limits where there is one block alone.
    """
    mean = float(values.mean())
    _, place = np.unique(blocks, return_inverse=True)
    off = np.bincount(place, values - mean)
    if len(off) == 1:
        return Mean(mean, np.nan, np.nan)
    deviation = np.sqrt((off**2).sum() / (len(off) - 1)) * len(off) / len(values)
    half = half_width(float(deviation), len(off))
    return Mean(mean, mean - half, mean + half)


def _errors(luck: Values) -> float:
    """Return the mean of some luck in standard errors; NaN where they do not tell its scatter."""
    scatter = float(luck.std(ddof=1)) if len(luck) > 1 else 0.0
    if not scatter > 0:
        return float("nan")
    return float(luck.mean()) / scatter * float(np.sqrt(len(luck)))
