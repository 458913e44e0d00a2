"""Computes two-sided limits and one-sided bounds of a fit, and who is surely stronger than whom.

Limits come from the profile of the penalised likelihood, which knows that a bot with one win in two
hundred games is surer not to be stronger than not to be weaker. The likelihood takes games for
independent; the two games of a pair need not be, so every fall of the likelihood is divided by how
much wider the sandwich covariance by units is than the naive one (the vertical adjustment of
Chandler and Bate, "Inference for clustered data using the independence loglikelihood", 2007).
"""

from collections.abc import Sequence

import numpy as np
from scipy import special

from leaderboards.elo.expansion import Likelihood
from leaderboards.elo.fit import Fit, Maximum, evidence_of, masked, maximum_of
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.likelihood import EXTRA, log_likelihood, maximised

_ROUNDS = 60
_CLOSE = 1e-7  # how near in nats a limit is met: far below what is printed
_LEAST_SHARE = 0.1  # how far towards the maximum a step goes at most: to this share of the way left
_CHORDS = 12
_PROMISE = 1e-9  # how much likelihood in nats a step may still promise where no other follows
_WRONG = 1e-4
"""By which share a fall of the likelihood may be wrong at most, and limits by half of that; it is
usually a hundredth of it, since what is left out has either sign."""

_BATCH = 4_000  # how many comparisons are made at the same time

FAR = 8.0
"""Standard deviations from which on two bots' difference is beyond doubt, and the quick
approximation of its significance serves in large fields."""

_FEW = 600  # comparisons up to which all are made exactly


def limits(
    fit: Fit, directions: Floats, quantiles: Floats | float | None = None
) -> tuple[Floats, Floats]:
    """Return the two-sided limits (B,) of contrasts (B, P) of the parameters, in nats.

    They lie `quantiles` (B,) standard deviations away: without any, those of Student's 95%.
    """
    low, high = np.zeros((2, len(directions)))
    moving = np.flatnonzero(np.any(directions != 0, axis=1))
    if not len(moving):
        return low, high
    contrasts = directions[moving]
    if quantiles is None:
        quantiles = fit.quantile()
    quantiles = np.broadcast_to(quantiles, len(directions))[moving]
    fall = np.tile(quantiles**2 / 2 * fit.adjustment(contrasts), 2)
    both = np.concatenate([contrasts, contrasts])
    moves, variance = _moves(fit, both)
    away = np.repeat([-1.0, 1.0], len(moving)) * np.sqrt(2 * fall * variance)

    def solve(rows: Integers, likelihood: Likelihood) -> tuple[Floats, Floats]:
        where = both[rows], moves[rows], away[rows], fall[rows]
        return _where_fallen(fit.maximum, *where, fit.naive, likelihood)

    starts = fit.maximum.parameters + away[:, None] * moves
    there = fit.expansion.solved(starts, _WRONG * fall, solve)
    low[moving], high[moving] = (both @ fit.maximum.parameters + there).reshape(2, -1)
    return low, high


def bound(  # noqa: PLR0913 - a bound is a small fit of its own
    field: Field,
    bot: int,
    constraints: Floats,
    *,
    prior: float,
    inflation: float,
    quantile: float,
    other: int | None = None,
) -> float:
    """Return the one-sided bound in nats of a bot that lost all its games, or won them all.

    It lies above another bot, or else above the reference. At the bound the bot's record had the
    probability with which a normal deviate exceeds the quantile; with that of 95%, this is the
    bound of Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case
    of the binomial" (1934). The bot has no part in the constraints (C, P), and its own prior has no
    say in it; the prior of the others has. An inflation, by which correlation within units widens
    variances, counts as 1 where it is less.
    """
    maximum, alone = _beyond(field, bot, constraints, prior)
    contrast = alone.copy()
    if other is not None:
        contrast[0, other] -= 1
    fall = np.array([-special.log_ndtr(-quantile) * max(inflation, 1.0)])
    start = float((contrast @ maximum.parameters)[0])
    whole = Likelihood(maximum.evidence)
    [away], _ = _where_fallen(maximum, contrast, alone, np.zeros(1), fall, None, whole)
    return start + float(away)


def fall_where_equal(
    field: Field, bot: int, others: Sequence[int], constraints: Floats, *, prior: float
) -> Floats:
    """Return what likelihood (B,) in nats it costs that a bot is no stronger or weaker than others.

    The bot lost all its games, or won them all, and has no part in the constraints (C, P).
    """
    maximum, alone = _beyond(field, bot, constraints, prior)
    directions = np.repeat(alone, len(others), axis=0)
    directions[np.arange(len(others)), others] = -1
    start = maximum.parameters - (directions @ maximum.parameters)[:, None] * alone
    equal = _profiled(maximum, start, directions, None, Likelihood(maximum.evidence))
    return np.maximum(maximum.value - log_likelihood(maximum.evidence, equal), 0)


def _beyond(field: Field, bot: int, constraints: Floats, prior: float) -> tuple[Maximum, Floats]:
    """Return the maximum as a bot that lost everything moves down for ever, and that move (1, P).

    However far the bot is beaten, its games cost no likelihood: the maximum is that of the others.
    """
    evidence = evidence_of(field, prior, without=bot)
    absent = np.ones_like(evidence.won)
    absent[bot, :], absent[:, bot] = 0, 0
    alone = np.zeros((1, constraints.shape[1]))
    alone[0, bot] = 1
    others = maximum_of(masked(evidence, absent), np.vstack([constraints, alone]))
    return Maximum(evidence, constraints, others.parameters, others.value), alone


def significance(fit: Fit) -> Floats:
    """Return how far the data are from two bots' being equal, (N, N), in standard deviations.

    The signed root of the adjusted likelihood ratio, positive where the row is the stronger; zero
    on the diagonal. In fields of hundreds of pairings, those beyond `FAR` standard deviations have
    the root of the quadratic approximation.
    """
    size = len(fit.maximum.parameters) - EXTRA - 1
    strength = fit.maximum.parameters[:size]
    gap = strength[:, None] - strength[None, :]
    deviation = np.sqrt(fit.differences())
    result = np.divide(gap, deviation, out=np.zeros_like(gap), where=deviation > 0)
    one, other = np.triu_indices(size, 1)
    if len(one) > _FEW:
        near = np.abs(result[one, other]) < FAR
        one, other = one[near], other[near]
    for start in range(0, len(one), _BATCH):
        some = one[start : start + _BATCH], other[start : start + _BATCH]
        root = _roots(fit, *some)
        result[some], result[some[::-1]] = root, -root
    return result


def _roots(fit: Fit, one: Integers, other: Integers) -> Floats:
    directions = np.zeros((len(one), len(fit.maximum.parameters)))
    directions[np.arange(len(one)), one] = 1
    directions[np.arange(len(one)), other] = -1
    moves, variance = _moves(fit, directions)
    gap = directions @ fit.maximum.parameters
    starts = fit.maximum.parameters - gap[:, None] * moves

    def solve(rows: Integers, likelihood: Likelihood) -> tuple[Floats, Floats]:
        equal = _profiled(fit.maximum, starts[rows], directions[rows], fit.naive, likelihood)
        return np.maximum(fit.maximum.value - likelihood.value(equal), 0), equal

    fallen = fit.expansion.solved(starts, _WRONG * gap**2 / variance / 2, solve)
    return np.asarray(np.sign(gap) * np.sqrt(2 * fallen / fit.adjustment(directions)))


def _moves(fit: Fit, directions: Floats) -> tuple[Floats, Floats]:
    moves = directions @ fit.naive
    variance = (moves * directions).sum(axis=1)
    return moves / variance[:, None], variance


def _with_held(constraints: Floats, directions: Floats) -> Floats:
    everywhere = np.broadcast_to(constraints, (len(directions), *constraints.shape))
    return np.concatenate([everywhere, directions[:, None, :]], axis=1)


def _where_fallen(  # noqa: PLR0913, PLR0917 - what is sought, and from where
    maximum: Maximum,
    directions: Floats,
    moves: Floats,
    away: Floats,
    fall: Floats,
    naive: Floats | None,
    likelihood: Likelihood,
) -> tuple[Floats, Floats]:
    """Return how far (B,) each contrast must go for the profile to fall by `fall` (B,), and where.

    Newton's method for the logarithm of the fall, which is concave on either side of the maximum:
    from the first step on the limit is met from within, without overshooting.
    """
    there = maximum.parameters + away[:, None] * moves
    rows = np.arange(len(there))
    for _ in range(_ROUNDS):
        there = _profiled(maximum, there, directions, naive, likelihood)
        fallen = maximum.value - likelihood.value(there)
        slope = -(likelihood.gradient(there, rows) * moves).sum(axis=1)
        change = np.log(fall / fallen) * fallen / slope
        # From beyond the limit the first step may be too long, but not past the maximum.
        change = np.where(
            (away + change) * away < _LEAST_SHARE * away**2, (_LEAST_SHARE - 1) * away, change
        )
        away = away + change
        if np.all(np.abs(change) <= _CLOSE * (1 + np.abs(away))):
            return away, there
        there = there + change[:, None] * moves
    raise FloatingPointError("the likelihood does not fall far enough for a limit")


def _profiled(
    maximum: Maximum,
    start: Floats,
    directions: Floats,
    naive: Floats | None,
    likelihood: Likelihood,
) -> Floats:
    """Return the parameters (B, P) with the greatest likelihood where contrasts stay as they are.

    With the covariance at the maximum at hand, steps by it come first: near there they need no
    matrix of their own, and what they do not finish is left to Newton's method.
    """
    there, left = np.array(start), np.arange(len(start))
    if naive is not None:
        moves = directions @ naive
        moves /= (moves * directions).sum(axis=1, keepdims=True)
        for _ in range(_CHORDS):
            slope = likelihood.gradient(there[left], left)
            step = slope @ naive
            step -= (step * directions[left]).sum(axis=1, keepdims=True) * moves[left]
            promise = (slope * step).sum(axis=1)
            there[left] += step
            left = left[~(promise <= _PROMISE)]
            if not len(left):
                return there
        there[left] = start[left]
    constraints = _with_held(maximum.constraints, directions[left])
    there[left] = maximised(maximum.evidence, there[left], constraints)
    return there
