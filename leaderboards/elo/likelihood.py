"""Computes the likelihood of paired comparisons, and maximises it by Newton's method.

Bradley and Terry's model ("Rank analysis of incomplete block designs", 1952) with an advantage for
the first seat, and with draws after Davidson ("On extending the Bradley-Terry model to accommodate
ties in paired comparison experiments", 1970). For a game between a first seat of strength a and a
second seat of strength b, with the lead d = a - b + advantage (all in nats), the odds are

    won : drawn : lost  =  exp(d / 2) : exp(tie) : exp(-d / 2)

Where no draw was seen, the middle term is left out. The log-likelihood is that of a multinomial
logit that is linear in its parameters, hence concave.

A vector of parameters has M strengths, the advantage and the tie: shape (..., M + 2). Every
function takes a batch of such vectors in the leading axes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from leaderboards.elo.game_counts import Floats

ADVANTAGE = -2
TIE = -1
EXTRA = 2  # how many parameters follow the strengths
_STEPS = 100
_HALVINGS = 40
_LONGEST_STEP = 10.0  # in nats: much farther on, chances round to none or one, and say nothing
_ENOUGH = 1e-11


@dataclass(frozen=True, slots=True)
class Evidence:
    """Games by seat, each an array (M, M) over first seat and second seat; may be fractions."""

    won: Floats
    drawn: Floats
    lost: Floats
    # 1 where the model gives draws a probability; where 0, a draw counts half a win and half a
    # loss.
    drawable: Floats

    @property
    def games(self) -> Floats:
        """All games by seat, (M, M)."""
        return self.won + self.drawn + self.lost


class Chances(NamedTuple):
    """Moments of a single game by seat, each (..., M, M); a score is 1/2, 0 or -1/2."""

    score: Floats
    draw: Floats
    variance: Floats
    log_total: Floats  # logarithm of the sum of the odds, as scaled in the module's docstring


def chances(parameters: Floats, drawable: Floats) -> Chances:
    """Return the moments of a game between every two seats, for parameters (..., M + 2)."""
    return chances_of(lead(parameters), parameters[..., TIE, None, None], drawable)


def chances_of(leads: Floats, tie: Floats, drawable: Floats) -> Chances:
    """Return the moments of games by the first seat's lead, the tie, and whether draws count.

    The three are arrays of one shape, or of shapes that broadcast.
    """
    half = leads / 2
    if not drawable.any():
        score = np.tanh(half) / 2
        log_total = _log_cosh(half)
        # Not 1/4 - score^2, of which nothing is left for bots far apart.
        return Chances(score, np.zeros_like(score), np.exp(-2 * log_total), log_total)
    largest = np.maximum(np.abs(half), tie * drawable)
    won, lost = np.exp(half - largest), np.exp(-half - largest)
    drawn = np.exp(tie * drawable - largest) * drawable
    total = won + lost + drawn
    score = (won - lost) / total / 2
    draw = drawn / total
    variance = won / total * (lost / total) + draw * (1 - draw) / 4
    return Chances(score, draw, variance, np.log(total) + largest)


def _log_cosh(half: Floats) -> Floats:
    away = np.abs(half)
    return np.asarray(away + np.log1p(np.exp(-2 * away)))


def lead(parameters: Floats) -> Floats:
    """Return the first seat's lead d in nats between every two, (..., M, M)."""
    strength = parameters[..., :-EXTRA]
    return strength[..., :, None] - strength[..., None, :] + parameters[..., ADVANTAGE, None, None]


def log_likelihood(evidence: Evidence, parameters: Floats) -> Floats:
    """Return the log-likelihood in nats, (...), up to a constant of the games."""
    if not evidence.drawable.any():
        half = lead(parameters) / 2
        terms = (evidence.won - evidence.lost) * half - evidence.games * _log_cosh(half)
        return np.asarray(terms.sum(axis=(-2, -1)))
    moments = chances(parameters, evidence.drawable)
    tie = parameters[..., TIE, None, None] * evidence.drawable
    terms = (
        (evidence.won - evidence.lost) * lead(parameters) / 2
        + evidence.drawn * tie
        - evidence.games * moments.log_total
    )
    return np.asarray(terms.sum(axis=(-2, -1)))


def gradient(evidence: Evidence, parameters: Floats) -> Floats:
    """Return the derivative of the log-likelihood, (..., M + 2)."""
    if evidence.drawable.any():
        moments = chances(parameters, evidence.drawable)
        score = moments.score
        draws = (evidence.drawn * evidence.drawable - evidence.games * moments.draw).sum((-2, -1))
    else:
        score = np.tanh(lead(parameters) / 2) / 2
        draws = np.zeros(score.shape[:-2])
    surplus = (evidence.won - evidence.lost) / 2 - evidence.games * score
    by_first = surplus.sum(axis=-1)
    total = by_first.sum(axis=-1)[..., None]
    return np.concatenate([by_first - surplus.sum(axis=-2), total, draws[..., None]], axis=-1)


def information(evidence: Evidence, parameters: Floats) -> Floats:
    """Return minus the second derivative of the log-likelihood, (..., M + 2, M + 2)."""
    moments = chances(parameters, evidence.drawable)
    games, size = evidence.games, evidence.won.shape[-1]
    spread = games * moments.variance
    mixed = -games * moments.score * moments.draw
    result = np.zeros((*parameters.shape, size + EXTRA))
    between = spread + np.swapaxes(spread, -2, -1)
    result[..., :size, :size] = -between
    diagonal = np.arange(size)
    result[..., diagonal, diagonal] += between.sum(axis=-1)
    for column, terms in ((ADVANTAGE, spread), (TIE, mixed)):
        result[..., :size, column] = terms.sum(axis=-1) - terms.sum(axis=-2)
        result[..., column, :size] = result[..., :size, column]
        result[..., ADVANTAGE, column] = terms.sum(axis=(-2, -1))
        result[..., column, ADVANTAGE] = result[..., ADVANTAGE, column]
    result[..., TIE, TIE] = (games * moments.draw * (1 - moments.draw)).sum(axis=(-2, -1))
    return result


def bordered(matrix: Floats, constraints: Floats) -> Floats:
    """Return the matrix (..., P, P) bordered by constraints (..., C, P), as Lagrange has it."""
    number = constraints.shape[-2]
    lead_shape = np.broadcast_shapes(matrix.shape[:-2], constraints.shape[:-2])
    size = matrix.shape[-1]
    result = np.zeros((*lead_shape, size + number, size + number))
    result[..., :size, :size] = matrix
    result[..., size:, :size] = constraints
    result[..., :size, size:] = np.swapaxes(constraints, -2, -1)
    return result


def maximised(evidence: Evidence, start: Floats, constraints: Floats) -> Floats:
    """Return the parameters (..., P) of the greatest likelihood that keep the constraints.

    Newton's method with halved steps, from a start (..., P): moves are confined to directions in
    which the products of the constraints (..., C, P) with the parameters do not change.

    Raises:
        FloatingPointError: If no maximum was found: the likelihood rises towards infinity.
    """
    parameters = np.array(start)
    value = log_likelihood(evidence, parameters)
    for _ in range(_STEPS):
        slope = gradient(evidence, parameters)
        system = bordered(information(evidence, parameters), constraints)
        right = np.zeros(system.shape[:-1])
        right[..., : slope.shape[-1]] = slope
        solved = np.linalg.solve(system, right[..., None])
        step = np.asarray(solved[..., : slope.shape[-1], 0], dtype=np.float64)
        promise = (slope * step).sum(axis=-1)
        if np.all(promise <= _ENOUGH * (1 + np.abs(value))):
            # One last full step costs nothing and lands on the maximum to the last digits.
            return np.asarray(parameters + step)
        longest = np.abs(step).max(axis=-1, keepdims=True)
        step *= _LONGEST_STEP / np.maximum(longest, _LONGEST_STEP)
        parameters, value = _climbed(evidence, parameters, step, value)
    raise FloatingPointError("the likelihood has no maximum at finite parameters")


def _climbed(
    evidence: Evidence, parameters: Floats, step: Floats, value: Floats
) -> tuple[Floats, Floats]:
    share = np.ones(value.shape)
    for _ in range(_HALVINGS):
        moved = parameters + share[..., None] * step
        reached = log_likelihood(evidence, moved)
        worse = reached < value - _ENOUGH * (1 + np.abs(value))
        if not worse.any():
            break
        share = np.where(worse, share / 2, share)
    return moved, reached
