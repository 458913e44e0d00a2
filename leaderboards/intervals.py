"""How sure a fit is: two-sided limits, one-sided bounds, and who is stronger than whom.

Limits come from the profile of the penalised likelihood, which knows that a bot with one win in two
hundred games is surer not to be stronger than not to be weaker. The likelihood takes games for
independent; the two games of a pair need not be, so every fall of the likelihood is divided by how
much wider the sandwich covariance by pairs is than the naive one (the vertical adjustment of
Chandler and Bate, "Inference for clustered data using the independence loglikelihood", 2007).
"""

from collections.abc import Sequence

import numpy as np
from scipy import special

from leaderboards.field import Field, Floats
from leaderboards.fit import (
    DOUBTED_PAIRS,
    Fit,
    Summit,
    constraints_of,
    evidence_of,
    masked,
    summit_of,
)
from leaderboards.likelihood import EXTRA, gradient, log_likelihood, maximised

LEVEL = 0.95
"""Nominal coverage of every interval and bound."""

_ROUNDS = 60
_CLOSE = 1e-9


def limits(fit: Fit, directions: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the two-sided limits of contrasts of the parameters.

    Args:
        fit: The fit.
        directions: (B, P) contrasts.
        level: Nominal coverage.

    Returns:
        (B,) lower and (B,) upper limits in nats.
    """
    number = len(directions)
    # Student's quantile: how strongly pairs are correlated was learnt from that many pairs.
    quantile = special.stdtrit(fit.pairs + DOUBTED_PAIRS - 1, (1 + level) / 2)
    fall = np.tile(quantile**2 / 2 * fit.adjustment(directions), 2)
    both = np.concatenate([directions, directions])
    moves, variance = _moves(fit, both)
    away = np.repeat([-1.0, 1.0], number) * np.sqrt(2 * fall * variance)
    values = both @ fit.summit.parameters + _where_fallen(fit.summit, both, moves, away, fall)
    return values[:number], values[number:]


def bound(  # noqa: PLR0913 - a bound is a small fit of its own
    field: Field,
    bot: int,
    groups: Sequence[Sequence[int]],
    *,
    prior: float,
    inflation: float,
    seats_matter: bool = True,
    level: float = LEVEL,
) -> float:
    """Return the one-sided bound of a bot that lost all its games, or won them all.

    At the bound its record had the probability 1 - level, as in Clopper and Pearson, "The use of
    confidence or fiducial limits illustrated in the case of the binomial" (1934). The bot's own
    prior has no say in it; the prior of the others has.

    Args:
        field: The games.
        bot: Index of the bot.
        groups: Groups of bots, without the bot, whose means stand at zero.
        prior: Pseudo-pairs of each other bot.
        inflation: How much correlation within pairs widens variances; less than 1 counts as 1.
        seats_matter: Whether the first seat's advantage is estimated.
        level: Nominal coverage.

    Returns:
        The bound in nats above the mean of the group it played.
    """
    evidence = evidence_of(field, prior, without=bot)
    absent = np.ones_like(evidence.won)
    absent[bot, :], absent[:, bot] = 0, 0
    constraints = constraints_of(field, groups, seats_matter=seats_matter)
    move = np.zeros((1, constraints.shape[1]))
    move[0, bot] = 1
    # However far the bot is beaten, its games cost no likelihood: the summit is that of the others.
    others = summit_of(masked(evidence, absent), np.vstack([constraints, move]))
    summit = Summit(evidence, constraints, others.parameters, others.value)
    fall = np.array([-np.log(1 - level) * max(inflation, 1.0)])
    return float(_where_fallen(summit, move, move, np.zeros(1), fall)[0])


def superiority(fit: Fit) -> Floats:
    """Return how far the data are from two bots' being equal, (N, N), in standard deviations.

    The signed root of the adjusted likelihood ratio, positive where the row is the stronger; its
    normal probability is the likelihood of superiority. Zero on the diagonal.
    """
    size = len(fit.summit.parameters) - EXTRA - 1
    result = np.zeros((size, size))
    one, other = np.triu_indices(size, 1)
    if not len(one):
        return result
    directions = np.zeros((len(one), len(fit.summit.parameters)))
    directions[np.arange(len(one)), one] = 1
    directions[np.arange(len(one)), other] = -1
    moves, _ = _moves(fit, directions)
    gap = directions @ fit.summit.parameters
    equal = maximised(
        fit.summit.evidence,
        fit.summit.parameters - gap[:, None] * moves,
        _with_held(fit.summit.constraints, directions),
    )
    fallen = np.maximum(fit.summit.value - log_likelihood(fit.summit.evidence, equal), 0)
    root = np.sign(gap) * np.sqrt(2 * fallen / fit.adjustment(directions))
    result[one, other], result[other, one] = root, -root
    return result


def _moves(fit: Fit, directions: Floats) -> tuple[Floats, Floats]:
    """Return along which line (B, P) each contrast grows by one at least cost, and its variance."""
    moves = directions @ fit.naive
    variance = (moves * directions).sum(axis=1)
    return moves / variance[:, None], variance


def _with_held(constraints: Floats, directions: Floats) -> Floats:
    everywhere = np.broadcast_to(constraints, (len(directions), *constraints.shape))
    return np.concatenate([everywhere, directions[:, None, :]], axis=1)


def _where_fallen(
    summit: Summit, directions: Floats, moves: Floats, away: Floats, fall: Floats
) -> Floats:
    """Return how far (B,) each contrast must go for the profile to fall by `fall` (B,).

    Newton's method for the logarithm of the fall: concave on either side of the summit, and so met
    without overshooting.
    """
    constraints = _with_held(summit.constraints, directions)
    for _ in range(_ROUNDS):
        start = summit.parameters + away[:, None] * moves
        there = maximised(summit.evidence, start, constraints)
        fallen = summit.value - log_likelihood(summit.evidence, there)
        slope = -(gradient(summit.evidence, there) * moves).sum(axis=1)
        change = np.log(fall / fallen) * fallen / slope
        away = away + change
        if np.all(np.abs(change) <= _CLOSE * (1 + np.abs(away))):
            return away
    raise FloatingPointError("the likelihood does not fall far enough for a limit")
