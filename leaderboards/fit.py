"""The joint fit of a field: the estimate, and its covariance by pairs of games.

The prior is weak and stated: each bot is taken to have halved a small number of pairs of games with
a virtual opponent who stands at the mean of the field. It keeps the rating of an undefeated bot
finite, and it bears on the first seat's advantage as any other pair does. Where draws are seen, the
virtual opponent has also played as many games with itself and drawn half of them, which keeps the
chance of a draw from being one or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leaderboards.field import Field, Floats
from leaderboards.likelihood import (
    ADVANTAGE,
    EXTRA,
    TIE,
    Chances,
    Evidence,
    bordered,
    chances,
    information,
    log_likelihood,
    maximised,
)

_POOLING_PAIRS = 100
"""How many pairs of even games the field's correlation weighs against that of a bot's own pairs."""

DOUBTED_PAIRS = 5
"""How many uncorrelated pairs are thrown in with the field's: a few pairs tell of noise alone."""

_LEAST_FACTOR = 0.01
"""Pairs that cancel make variances no smaller than this share: some luck is always left."""


@dataclass(frozen=True, slots=True)
class Summit:
    """Where a likelihood is greatest under constraints.

    Attributes:
        evidence: The games and the prior's pseudo-games; the virtual opponent comes last.
        constraints: (C, P) what was held at zero.
        parameters: (P,) the estimate in nats: N + 1 strengths, the advantage, the tie.
        value: Its log-likelihood.
    """

    evidence: Evidence
    constraints: Floats
    parameters: Floats
    value: float


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of a field of N bots in nats, with what is needed to say how sure they are.

    Attributes:
        summit: The estimate.
        naive: (P, P) covariance if all games were independent.
        robust: (P, P) covariance that lets the two games of a pair be correlated.
        pooled: (P, P) covariance that takes the correlation within pairs from the whole field.
        pairs: How many pairs of games there were.
    """

    summit: Summit
    naive: Floats
    robust: Floats
    pooled: Floats
    pairs: int

    def adjustment(self, directions: Floats) -> Floats:
        """Return the factor (B,) by which correlation within pairs widens variances.

        Args:
            directions: (B, P) contrasts of the parameters.
        """
        naive, robust, pooled = (
            np.einsum("bp,pq,bq->b", directions, matrix, directions)
            for matrix in (self.naive, self.robust, self.pooled)
        )
        even = 2 / naive  # A pair of even games tells of a strength with information 1/2.
        factor = (even * robust + _POOLING_PAIRS * pooled) / (even + _POOLING_PAIRS) / naive
        return np.asarray(np.maximum(factor, _LEAST_FACTOR), dtype=np.float64)

    def covariance(self) -> Floats:
        """Return the covariance (N, N) of the strengths, correlation within pairs allowed for."""
        size = len(self.naive) - EXTRA - 1
        widened = np.sqrt(self.adjustment(np.eye(size, len(self.naive))))
        return self.naive[:size, :size] * widened[:, None] * widened[None, :]

    def expected_score(self) -> Floats:
        """Return the points per game (N, N) that the first seat (row) is expected to make."""
        size = len(self.naive) - EXTRA - 1
        moments = chances(self.summit.parameters, self.summit.evidence.drawable)
        return moments.score[:size, :size] + 0.5


def evidence_of(field: Field, prior: float, without: int | None = None) -> Evidence:
    """Return the games of N bots and the prior's pseudo-games as (N + 1, N + 1) tables.

    Args:
        field: The games.
        prior: Pseudo-pairs that each bot is taken to have halved with the virtual opponent.
        without: Index of a bot that has no pseudo-pairs; None for nobody.
    """
    size = len(field.bots)
    table = np.zeros((size + 1, size + 1, 3))
    table[:size, :size] = field.table()
    halves = np.full(size, prior / 2)
    if without is not None:
        halves[without] = 0
    for outcome in (0, 2):
        table[:size, size, outcome] = halves
        table[size, :size, outcome] = halves
    drawable = np.zeros((size + 1, size + 1))
    if has_draws(field):
        drawable[:size, :size] = 1
        drawable[size, size] = 1
        table[size, size] = prior / 4, prior / 2, prior / 4
    return Evidence(table[:, :, 0], table[:, :, 1], table[:, :, 2], drawable)


def has_draws(field: Field) -> bool:
    """Tell whether draws have a probability of their own: some games were drawn, and not all."""
    won, drawn, lost = field.table().sum(axis=(0, 1)).tolist()
    return bool(drawn > 0 and won + lost > 0)


def constraints_of(
    field: Field, groups: Sequence[Sequence[int]], *, seats_matter: bool = True
) -> Floats:
    """Return what to hold at zero (C, N + 3).

    Each group's mean, the virtual opponent, the tie where nothing was drawn, and the advantage
    where seats are not to matter.
    """
    size = len(field.bots)
    number = size + 1 + EXTRA
    rows = np.zeros((len(groups), number))
    for row, group in zip(rows, groups, strict=True):
        row[list(group)] = 1 / len(group)
    held = [size]
    if not seats_matter:
        held.append(number + ADVANTAGE)
    if not has_draws(field):
        held.append(number + TIE)
    return np.vstack([rows, np.eye(number)[held]])


def summit_of(evidence: Evidence, constraints: Floats) -> Summit:
    """Return the summit of the likelihood of the evidence under constraints (C, P)."""
    parameters = maximised(evidence, np.zeros(constraints.shape[1]), constraints)
    return Summit(evidence, constraints, parameters, float(log_likelihood(evidence, parameters)))


def fitted(field: Field, prior: float, constraints: Floats) -> Fit:
    """Fit a field jointly.

    Args:
        field: The games of N bots.
        prior: Pseudo-pairs of each bot against the virtual opponent; 0 for none.
        constraints: (C, N + 3) what to hold at zero.

    Returns:
        The fit, its robust covariance the sandwich by pairs.
    """
    summit = summit_of(evidence_of(field, prior), constraints)
    evidence, parameters = summit.evidence, summit.parameters
    size = len(parameters)
    curvature = information(evidence, parameters)
    naive = _inverse(bordered(curvature, constraints))[:size, :size]
    assumed = information(prior_alone(evidence), parameters)
    first, second = _surplus_by_kind(field, evidence, parameters)
    both = first + second
    meat = np.einsum("kp,k,kq->pq", both, field.counts, both)
    shared = _shared_within_pairs(field, evidence, parameters)
    return Fit(
        summit=summit,
        naive=naive,
        robust=naive @ (meat + assumed) @ naive,
        pooled=naive @ (curvature + shared) @ naive,
        pairs=int(field.counts.sum()),
    )


def _inverse(matrix: Floats) -> Floats:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def prior_alone(evidence: Evidence) -> Evidence:
    """Return the prior's pseudo-games without the games."""
    pseudo = np.zeros_like(evidence.won)
    pseudo[-1, :], pseudo[:, -1] = 1, 1
    return masked(evidence, pseudo)


def masked(evidence: Evidence, mask: Floats) -> Evidence:
    """Return the evidence with every table multiplied by a mask (M, M)."""
    return replace(
        evidence,
        won=evidence.won * mask,
        drawn=evidence.drawn * mask,
        lost=evidence.lost * mask,
    )


def _surplus_by_kind(field: Field, evidence: Evidence, parameters: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives (K, P) of the log-likelihood of each kind of pair, by game."""
    moments = chances(parameters, evidence.drawable)
    rows = np.arange(len(field.counts))
    halves = []
    for swapped, (first, second) in enumerate(((field.one, field.other), (field.other, field.one))):
        games = field.outcomes[:, swapped]
        number = games.sum(axis=1)
        surplus = (games[:, 0] - games[:, 2]) / 2 - number * moments.score[first, second]
        half = np.zeros((len(field.counts), len(parameters)))
        half[rows, first] = surplus
        half[rows, second] = -surplus
        half[:, ADVANTAGE] = surplus
        if evidence.drawable.any():
            half[:, TIE] = games[:, 1] - number * moments.draw[first, second]
        halves.append(half)
    return halves[0], halves[1]


def _shared_within_pairs(field: Field, evidence: Evidence, parameters: Floats) -> Floats:
    """Return what correlation within pairs adds to the variance (P, P) of the derivatives.

    One number stands for the whole field: which share of the greatest possible covariance the two
    games of a pair have (Frechet's bounds, for the chances that the model gives them).
    """
    first, second = _surplus_by_kind(field, evidence, parameters)
    rows = np.arange(len(field.counts))
    seen = (first[rows, field.one] * second[rows, field.one] * field.counts).sum()
    most = _greatest_covariance(field, chances(parameters, evidence.drawable), alike=seen > 0)
    full = (field.outcomes.sum(axis=2) > 0).all(axis=1) * field.counts
    possible = np.abs(most * full).sum()
    share = min(abs(seen) / possible, 1.0) if possible > 0 else 0.0
    share *= full.sum() / (full.sum() + DOUBTED_PAIRS)
    covariance = share * most * full
    result = np.zeros((len(parameters), len(parameters)))
    for index in (field.one, field.other):
        np.add.at(result, (index, index), 2 * covariance)
    np.add.at(result, (field.one, field.other), -2 * covariance)
    np.add.at(result, (field.other, field.one), -2 * covariance)
    result[ADVANTAGE, ADVANTAGE] = -2 * covariance.sum()
    return result


def _greatest_covariance(field: Field, moments: Chances, *, alike: bool) -> Floats:
    """Return the covariance (K,) farthest from zero that a bot's points in a pair can have."""
    score = moments.score + 0.5
    ours, theirs = score[field.one, field.other], 1 - score[field.other, field.one]
    if alike:
        most = np.minimum(ours, theirs) - ours * theirs
    else:
        most = np.maximum(ours + theirs - 1, 0) - ours * theirs
    # Draws leave points less variance than wins and losses alone would.
    spread = np.sqrt(
        moments.variance[field.one, field.other] * moments.variance[field.other, field.one]
    )
    return np.clip(most, -spread, spread)
