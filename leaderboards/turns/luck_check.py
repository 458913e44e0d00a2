"""Names bots whose luck in solo games chance cannot explain: they knew layouts.

Luck beyond chance did not come from chance: the bot knew layouts, or they were not drawn
uniformly. Its adjusted mean is then withheld. Each game comes with e-values: numbers, never
negative, whose expectation is at most 1 if chance alone decided, whatever the bot remembers of
earlier games. To bet on them a share of what one has, game by game, multiplies what one has by
`1 - share + share * e`, and by Ville's inequality chance makes it `1 / p` with a probability of at
most `p`: that holds for every distribution, skewed or not, and any number of games. A large share
shows a little luck in all games, a small one much luck in a few. See Waudby-Smith, Ramdas:
*Estimating means of bounded random variables by betting* (2024).
"""

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import special

from leaderboards.inputs import e_value_columns

MOST_FALSE = 1e-4  # the share of tables, at most, in which chance has any bot withheld
SHARES = (1.0, 0.1, 0.01, 0.001, 0.0001)  # the shares that are bet on each game, side by side
LEAST_CHANCE = 1e-6
"""No smaller probability is claimed: some cause that nobody thought of is always as likely."""

Values = npt.NDArray[np.float64]


def luck_chances(solo: pd.DataFrame) -> dict[str, float]:
    """Return how probable it is, at most, that chance brings any bot of a table such luck.

    By bot; NaN without e-values.
    """
    columns = e_value_columns(solo)
    groups = solo.groupby("bot", sort=True)
    return {str(bot): _luck_chance(games, columns, len(groups)) for bot, games in groups}


def suspects(turns: pd.DataFrame) -> list[str]:
    """Return the bots of a leaderboard whose adjusted means are withheld."""
    if "withheld" not in turns:
        return []
    return [str(bot) for bot in turns.loc[turns["withheld"].astype(bool), "bot"]]


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


def _luck_chance(games: pd.DataFrame, columns: list[str], bots: int) -> float:
    if not columns:
        return float("nan")
    # Who searches a layout again may know it: the game that speaks least against chance counts.
    e_values = games[columns].astype(np.float64).fillna(0.0).groupby(games["layout"]).min()
    return float(chance_of(log_stakes(e_values.to_numpy()).sum(axis=0), bots))
