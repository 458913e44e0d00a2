"""Chooses which games to play next: those that tell most about the differences between bots.

A block of games between two bots shrinks the variance of every difference, by an amount that is
known before it is played: their chances give the information it holds, and the covariance of the
ratings how far that spreads. Blocks are chosen one after another, each the one that shrinks the
weighted sum of variances most, the earlier ones counted as played (greedy A-optimal design:
Atkinson and Donev, "Optimum experimental designs", 1992).

Near bots count as equal (`leaderboards.elo.closeness`), both in what a game tells and in what
matters: in a close field the choice does not depend on results.
"""

import numpy as np
import numpy.typing as npt

from leaderboards.elo.closeness import nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import Floats, Integers
from leaderboards.elo.quasi_variances import variances_of_differences

_PRIOR_NATS = 300 / ELO_PER_NAT
"""Standard deviation that strengths are taken to have before any game."""

_WEIGHT_OF_NEAR = 2.0  # added to the weight of a difference, 1, where two bots are near
_FADING_NATS = 100 / ELO_PER_NAT  # the standard deviation by which it fades beyond
_FLOOR = 0.5  # the share of an even number of blocks that every bot gets
_DIGITS = 9  # decimals of what is compared: noise in the last bits of a number must not decide


def next_blocks(
    games: Integers, points: Floats, number: int, games_a_block: int
) -> list[tuple[int, int]]:
    """Return which blocks to play next: the indices of their two bots, the lower first.

    First come bots that have less than half of an even share, then whatever shrinks most. Equal
    choices go to the first. Games (N, N) so far come in blocks; points (N, N) are those of the row.
    """
    size = len(games)
    beyond = nats_beyond_near(games, points)
    told = 1 / (2 + 2 * np.cosh(beyond))  # the information in a game
    covariance = np.linalg.inv(_contrasts(games * told) + np.eye(size) / _PRIOR_NATS**2)
    aims = _contrasts(1 + _WEIGHT_OF_NEAR * np.exp(-((beyond / _FADING_NATS) ** 2) / 2))
    blocks = games.sum(axis=1) / games_a_block
    floor = np.ceil(_FLOOR * (blocks.sum() + 2 * number) / size)
    chosen = []
    for _ in range(number):
        short = blocks < floor
        allowed = _allowed(short, first=not games.any())
        one, other = _best(covariance, aims, games_a_block * told, allowed)
        chosen.append((one, other))
        blocks[[one, other]] += 1
        covariance = _after(covariance, one, other, games_a_block * float(told[one, other]))
    return chosen


def _contrasts(weights: Floats) -> Floats:
    """Return the matrix (N, N) of the weighted sum of all squared differences of two bots."""
    return np.asarray(np.diag(weights.sum(axis=1)) - weights)


def _allowed(short: npt.NDArray[np.bool_], *, first: bool) -> npt.NDArray[np.bool_]:
    """Return who may meet (N, N), given who has too few blocks (N,)."""
    others = ~np.eye(len(short), dtype=bool)
    if not short.any():
        return others
    # In the first round everybody plays before anybody plays twice.
    both = first and short.sum() > 1
    join = np.logical_and if both else np.logical_or
    return np.asarray(others & join(short[:, None], short[None, :]))


def _best(
    covariance: Floats, aims: Floats, told: Floats, allowed: npt.NDArray[np.bool_]
) -> tuple[int, int]:
    reached = variances_of_differences(covariance @ aims @ covariance)
    shrunk = reached / (1 / told + variances_of_differences(covariance))
    shrunk = np.where(allowed, np.round(shrunk / shrunk.max(), _DIGITS), -1.0)
    one, other = divmod(int(np.argmax(shrunk)), len(shrunk))
    return min(one, other), max(one, other)


def _after(covariance: Floats, one: int, other: int, told: float) -> Floats:
    moved = covariance[:, one] - covariance[:, other]
    return np.asarray(covariance - np.outer(moved, moved) / (1 / told + moved[one] - moved[other]))
