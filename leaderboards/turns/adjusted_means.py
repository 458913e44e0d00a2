"""Takes luck out of the turns of solo games: from each goes a share of its luck.

A game counts as `turns - beta * luck`, where `luck` is what the answers to its shots cost beyond
expectation. `beta` is the slope of turns against luck in the games of the *other* blocks of the
bot: about 1 for bots that play much as the valuation behind the luck expects, about 0 for weak
ones. It is the factor of a control variate: Lavenberg and Welch, "A perspective on the use of
control variables to increase the efficiency of Monte Carlo simulations" (1981).

The mean is exactly unbiased, for any bot, any valuation and blocks of any sizes. Given the games of
the other blocks `beta` is a constant, and the luck of the game has the expectation 0: each answer's
is a value less its own expectation, whatever the bot remembers. So `beta * luck` has the
expectation 0. That needs layouts which differ from block to block: blocks that searched one in
common count as one. A layout searched twice counts once, with the mean.

A slope of few games is shrunk towards 0, which leaves the plain mean; so does a single block, which
has no others. Games whose luck is not known count with a luck of 0.
"""

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from leaderboards.turns.means import Floats, Whole

_LUCK_IN = {"turns": "luck", "shots": "luck_shots"}

_FEWEST = 8
"""Of fewer games no slope is estimated."""

_SHRINKAGE = 4.0
"""A slope is multiplied by `1 - _SHRINKAGE / t**2`, by its t-statistic; never by less than 0."""


def less_luck(games: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return what one bot took of each layout, less a share of the luck.

    Args:
        games: The solo games of the bot, with luck.
        column: "turns" or "shots".

    Returns:
        One row a layout, by `layout`: `number`, `luck`, `block`, and the `beta` that was used.
    """
    known = pd.DataFrame(
        {
            "number": games[column].astype(np.float64),
            "luck": games[_LUCK_IN[column]].astype(np.float64).fillna(0.0),
            "block": _joined_blocks(games),
        }
    )
    layouts = known.groupby(games["layout"], sort=True).mean()
    numbers, lucks = (layouts[name].to_numpy(np.float64) for name in ("number", "luck"))
    beta = slopes(numbers, lucks, layouts["block"].to_numpy(np.int64))
    return layouts.assign(number=numbers - beta * lucks, beta=beta)


def slopes(numbers: Floats, luck: Floats, blocks: Whole) -> Floats:
    """Return for each game the slope of numbers against luck in the games of other blocks."""
    away = numbers - numbers.mean()  # for the sake of rounding errors alone
    sums = np.stack([np.ones(len(away)), away, luck, away * luck, luck**2, away**2])
    _, place = np.unique(blocks, return_inverse=True)
    of_block = np.stack([np.bincount(place, row) for row in sums])
    count, one, other, product, square, own = sums.sum(axis=1)[:, None] - of_block
    with np.errstate(divide="ignore", invalid="ignore"):
        product -= one * other / count
        square -= other**2 / count
        slope = product / square
        left = own - one**2 / count - slope * product
        kept = 1 - _SHRINKAGE * left / ((count - 2) * slope * product)
        beta = np.where((count >= _FEWEST) & (square > 0) & (kept > 0), slope * kept, 0.0)
    return np.asarray(beta[place])


def _joined_blocks(games: pd.DataFrame) -> Whole:
    """Return the number of the block of each game, where blocks with a common layout are one."""
    _, layouts = np.unique(games["layout"], return_inverse=True)
    _, blocks = np.unique(games["block"], return_inverse=True)
    blocks = blocks + len(games)
    ends = (np.ones(len(games)), (layouts, blocks))
    _, label = connected_components(coo_array(ends, shape=(2 * len(games),) * 2), directed=False)
    return np.asarray(label[blocks], np.int64)
