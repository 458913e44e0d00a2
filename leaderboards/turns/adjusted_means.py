"""Adjusts means of solo games for luck: turns less what chance cost have the same mean.

The luck of a game is the sum of what the answers to its shots cost beyond expectation; its own
expectation is zero. What is left scatters far less, so that the interval of the mean is narrower.
The intervals go by block: the games of one process, which may remember one in the next, count as
one observation (Student's t over blocks; the variance of a ratio where blocks differ in size).

Luck beyond chance did not come from chance: the bot knew layouts, or they were not drawn
uniformly. Its adjusted mean is then withheld. Each game comes with e-values: numbers, never
negative, whose expectation is at most 1 if chance alone decided, whatever the bot remembers of
earlier games. To bet on them a share of what one has, game by game, multiplies what one has by
`1 - share + share * e`, and by Ville's inequality chance makes it `1 / p` with a probability of at
most `p`: that holds for every distribution, skewed or not, and any number of games. A large share
shows a little luck in all games, a small one much luck in a few. See Waudby-Smith, Ramdas:
*Estimating means of bounded random variables by betting* (2024).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from leaderboards.inputs import e_value_columns
from leaderboards.turns.means import half_width

MOST_FALSE = 1e-4  # the share of tables, at most, in which chance has any bot withheld
SHARES = (1.0, 0.1, 0.01, 0.001, 0.0001)  # the shares that are bet on each game, side by side
LEAST_CHANCE = 1e-6
"""No smaller probability is claimed: some cause that nobody thought of is always as likely."""

ADJUSTED_COLUMNS = (
    "adjusted_turns",
    "adjusted_turns_low",
    "adjusted_turns_high",
    "adjusted_shots",
    "adjusted_low",
    "adjusted_high",
    "luck_chance",
    "withheld",
)

Values = npt.NDArray[np.float64]


class Mean(NamedTuple):
    """A mean with its limits; NaN where there are none."""

    value: float
    low: float
    high: float


def adjusted_row(games: pd.DataFrame, bots: int) -> dict[str, object]:
    """Return the adjusted means of one bot, as `ADJUSTED_COLUMNS`, by its solo games.

    A layout that was searched more than once counts once, with the mean. Means have 95% limits, and
    are NaN where the luck of a game is missing or they are withheld. `luck_chance` is the
    probability, at most, of any of so many bots having such luck by chance; NaN without e-values.
    """
    chance = _luck_chance(games, bots)
    withheld = chance <= MOST_FALSE
    means = [Mean(np.nan, np.nan, np.nan)] * 2
    if not (withheld or games["luck"].isna().any()):
        columns = ["turns", "shots", "luck", "luck_shots", "block"]
        layouts = games[columns].astype(np.float64).groupby(games["layout"], sort=True).mean()
        means = [
            block_mean((layouts[counted] - layouts[lucky]).to_numpy(), layouts["block"].to_numpy())
            for counted, lucky in (("turns", "luck"), ("shots", "luck_shots"))
        ]
    numbers = [number for mean in means for number in mean]
    return dict(zip(ADJUSTED_COLUMNS, (*numbers, chance, withheld), strict=True))


def suspects(turns: pd.DataFrame) -> list[str]:
    """Return the bots of a leaderboard whose adjusted means are withheld."""
    if "withheld" not in turns:
        return []
    return [str(bot) for bot in turns.loc[turns["withheld"].astype(bool), "bot"]]


def block_mean(values: Values, blocks: npt.NDArray[Any]) -> Mean:
    """Return the mean of some games, with Student's limits over the blocks that they are of."""
    mean = float(values.mean())
    _, place = np.unique(blocks, return_inverse=True)
    off = np.bincount(place, values - mean)
    if len(off) == 1:
        return Mean(mean, np.nan, np.nan)
    deviation = np.sqrt((off**2).sum() / (len(off) - 1)) * len(off) / len(values)
    half = half_width(float(deviation), len(off))
    return Mean(mean, mean - half, mean + half)


def log_stakes(log_e_values: Values) -> Values:
    """Return the logarithms of what bets on games multiply, (games, shares * tilts).

    `log_e_values` has the shape (games, tilts).
    """
    shares = np.array(SHARES)[:, None]
    with np.errstate(divide="ignore"):  # where all is bet nothing is kept
        kept = np.log1p(-shares)
    stakes = np.logaddexp(kept, np.log(shares) + log_e_values[:, None, :])
    return np.asarray(stakes.reshape(len(log_e_values), -1))


def chance_of(log_capital: Values, bots: int) -> Values:
    """Return how probable it is, at most, that chance brings any bot so far.

    The last axis of `log_capital` has what each bet has come to, in logarithms.
    """
    mean = special.logsumexp(log_capital, axis=-1) - np.log(log_capital.shape[-1])
    return np.asarray(np.exp(np.clip(np.log(bots) - mean, np.log(LEAST_CHANCE), 0.0)))


def _luck_chance(games: pd.DataFrame, bots: int) -> float:
    columns = e_value_columns(games)
    if not columns:
        return float("nan")
    # Who searches a layout again may know it: the game that speaks least against chance counts.
    e_values = games[columns].astype(np.float64).fillna(0.0).groupby(games["layout"]).min()
    return float(chance_of(log_stakes(e_values.to_numpy()).sum(axis=0), bots))
