"""Chooses which games to play next: those that tell most of what a leaderboard is read for.

What matters are the leads between neighbours in the table, the undecided ones most, and every bot's
own rating. A block of games between two bots shrinks the variance of all of these, by an amount
that is known before it is played: their chances give the information it holds (most between equal
bots), and the covariance of the ratings how far that spreads. Blocks are chosen one after another,
each the one that shrinks the weighted sum of variances most, the earlier ones counted as played
(greedy A-optimal design: Atkinson and Donev, "Optimum experimental designs", 1992).

The ratings behind this are a rough fit of their own: logistic, without a first seat (blocks are
balanced), and with a normal prior, under which a bot without games stands at the mean of the field.
"""

import itertools

import numpy as np
import numpy.typing as npt

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import Floats, Integers
from leaderboards.elo.quasi_variances import variances_of_differences

_PRIOR_NATS = 300 / ELO_PER_NAT
"""Standard deviation that strengths are taken to have before any game."""

_DECIDED = 2.0  # standard errors by which a lead is decided
_LEAST_WEIGHT = 0.1  # the weight of a decided lead, relative to an undecided one
_WEIGHT_OF_RATINGS = 5.0
"""The weight of the variance of a rating, relative to that of an undecided lead. With less, games
between neighbours alone are chosen, and small errors of leads add up along the table."""

_FLOOR = 0.5  # the share of an even number of blocks that every bot gets
_NEIGHBOURS = 0.5  # the share of a round that may go to neighbours for not having met yet
_ROUNDS = 50
_CLOSE = 1e-10
_DIGITS = 9  # decimals of what is compared: noise in the last bits of a number must not decide


def next_blocks(
    games: Integers, points: Floats, number: int, games_a_block: int
) -> list[tuple[int, int]]:
    """Return which blocks to play next: the indices of their two bots, the lower first.

    First come bots that have less than half of an even share, then neighbours in the table that
    have never met (for up to half of the blocks), then whatever shrinks most. Equal choices go to
    the first. Games (N, N) so far come in blocks; points (N, N) are those of the row.
    """
    size = len(games)
    strength, covariance = _fitted(games, points)
    order = _best_first(strength)
    aims = _aims(strength, covariance, order)
    gap = strength[:, None] - strength[None, :]
    told = games_a_block / (2 + 2 * np.cosh(gap))
    blocks = games.sum(axis=1) / games_a_block
    floor = np.ceil(_FLOOR * (blocks.sum() + 2 * number) / size)
    unmet = np.zeros((size, size), dtype=bool)
    if games.any():
        unmet[order[:-1], order[1:]] = games[order[:-1], order[1:]] == 0
        unmet |= unmet.T
    left = int(_NEIGHBOURS * number)
    chosen = []
    for _ in range(number):
        allowed = ~np.eye(size, dtype=bool)
        short = blocks < floor
        if short.any():
            one_short = short[:, None] | short[None, :]
            both_short = short[:, None] & short[None, :]
            # In the first round everybody plays before anybody plays twice.
            allowed &= one_short if games.any() or short.sum() < 2 else both_short  # noqa: PLR2004
        elif left and unmet.any():
            allowed = unmet
            left -= 1
        one, other = _best(covariance, aims, told, allowed)
        chosen.append((one, other))
        unmet[[one, other], [other, one]] = False
        blocks[[one, other]] += 1
        covariance = _after(covariance, one, other, float(told[one, other]))
    return chosen


def strangers(games: Integers, points: Floats) -> list[tuple[int, int]]:
    """Return the neighbours in the table that have never met; arguments as in `next_blocks`."""
    order = _best_first(_fitted(games, points)[0]).tolist()
    pairs = [(min(pair), max(pair)) for pair in itertools.pairwise(order)]
    return [pair for pair in pairs if not games[pair]]


def _best_first(strength: Floats) -> Integers:
    return np.argsort(-np.round(strength, _DIGITS), kind="stable")


def _fitted(games: Integers, points: Floats) -> tuple[Floats, Floats]:
    """Return strengths (N,) in nats and their covariance (N, N), by Newton's method."""
    size = len(games)
    strength, prior = np.zeros(size), np.eye(size) / _PRIOR_NATS**2
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (points - games * chance).sum(axis=1) - strength / _PRIOR_NATS**2
        told = games * chance * (1 - chance)
        step = np.linalg.solve(np.diag(told.sum(axis=1)) - told + prior, slope)
        # Far from the maximum a full step overshoots; none of this length leaves it for good.
        strength = strength + np.clip(step, -1, 1)
        if np.abs(step).max() < _CLOSE:
            break
    chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
    told = games * chance * (1 - chance)
    covariance = np.linalg.inv(np.diag(told.sum(axis=1)) - told + prior)
    return strength, np.asarray(covariance, dtype=np.float64)


def _aims(strength: Floats, covariance: Floats, order: Integers) -> Floats:
    """Return the contrasts (2N - 1, N) that matter, each times the root of its weight."""
    size = len(order)
    leads = np.zeros((size - 1, size))
    rows = np.arange(size - 1)
    leads[rows, order[:-1]], leads[rows, order[1:]] = 1, -1
    error = np.sqrt(((leads @ covariance) * leads).sum(axis=1))
    open_ = leads @ strength < _DECIDED * error
    weight = np.where(open_, 1.0, _LEAST_WEIGHT)
    ratings = np.eye(size) - 1 / size
    return np.vstack([leads * np.sqrt(weight)[:, None], ratings * np.sqrt(_WEIGHT_OF_RATINGS)])


def _best(
    covariance: Floats, aims: Floats, told: Floats, allowed: npt.NDArray[np.bool_]
) -> tuple[int, int]:
    reached = aims @ covariance
    together = reached.T @ reached
    shrunk = variances_of_differences(together) / (1 / told + variances_of_differences(covariance))
    shrunk = np.where(allowed, np.round(shrunk / shrunk.max(), _DIGITS), -1.0)
    one, other = divmod(int(np.argmax(shrunk)), len(shrunk))
    return min(one, other), max(one, other)


def _after(covariance: Floats, one: int, other: int, told: float) -> Floats:
    moved = covariance[:, one] - covariance[:, other]
    return np.asarray(covariance - np.outer(moved, moved) / (1 / told + moved[one] - moved[other]))
