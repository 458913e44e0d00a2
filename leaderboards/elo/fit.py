"""Fits a field jointly: ratings, and their covariance by units (pairs or blocks of games).

The prior is weak and stated: each bot is taken to have halved a small number of pairs of games with
a virtual opponent who stands at the mean of the field (see `leaderboards.elo.quasi_variances`). It
keeps a rating finite where all points between two groups of bots went one way, and it bears on the
first seat's advantage as any other pair does. Where draws are seen, the virtual opponent has also
played as many games with itself and drawn half of them, which keeps the chance of a draw from being
one or none.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from leaderboards.elo.expansion import Expansion
from leaderboards.elo.game_counts import Field, Floats
from leaderboards.elo.likelihood import (
    ADVANTAGE,
    EXTRA,
    TIE,
    Evidence,
    bordered,
    information,
    log_likelihood,
    maximised,
)
from leaderboards.elo.quasi_variances import LEVEL, variances_of_differences
from leaderboards.elo.units import leverage, shared_within_units, surplus_variance, trust_of

_NORMAL = float(special.ndtri((1 + LEVEL) / 2))
_LEAST_FACTOR = 0.01
"""Pairs that cancel make variances no smaller than this share: some luck is always left."""


@dataclass(frozen=True, slots=True)
class Maximum:
    """The greatest value of a likelihood under constraints, and its place."""

    evidence: Evidence  # the games and the prior's pseudo-games; the virtual opponent comes last
    constraints: Floats  # (C, P) what was held at zero
    parameters: Floats  # (P,) the estimate in nats: N + 1 strengths, the advantage, the tie
    value: float


@dataclass(frozen=True)
class Fit:
    """A fit of N bots, in nats, with what is needed to say how sure it is."""

    maximum: Maximum
    naive: Floats  # (P, P) covariance if all games were independent
    robust: Floats  # (P, P) covariance that lets the games of a unit be correlated
    pooled: Floats  # (P, P) covariance that takes the correlation within units from the whole field
    units: int
    left: float  # of the units, those that the fit did not follow: what correlation is learnt from
    units_a_pair: float  # units per pair of games: one, or less where units are blocks

    def adjustment(self, directions: Floats) -> Floats:
        """Return the factor (B,) by which correlation within units widens variances.

        Args:
            directions: (B, P) contrasts of the parameters.
        """
        naive, robust, pooled = (
            ((directions @ matrix) * directions).sum(axis=1)
            for matrix in (self.naive, self.robust, self.pooled)
        )
        return self._factor(naive, robust, pooled)

    def _factor(self, naive: Floats, robust: Floats, pooled: Floats) -> Floats:
        # A pair of even games tells of a strength with information 1/2. Blocks are fewer than
        # pairs, and how alike their games are depends on the bot: the field has less to say of it.
        even, pooling = 2 / naive * self.units_a_pair, trust_of(self.units_a_pair).pooling
        factor = (even * robust + pooling * pooled) / (even + pooling) / naive
        return np.asarray(np.maximum(factor, self.least_factor()), dtype=np.float64)

    def least_factor(self) -> float:
        """Return the least factor by which correlation within units changes variances.

        Learning makes games of a block alike, and nothing makes them opposed: that is chance, and
        limits are no narrower than those of independent games.
        """
        return _LEAST_FACTOR if self.units_a_pair == 1 else (_NORMAL / self.quantile()) ** 2

    @functools.cached_property
    def expansion(self) -> Expansion:
        """The likelihood near the estimate."""
        return Expansion(self.maximum.evidence, self.maximum.parameters)

    def degrees(self, units: float | None = None) -> float:
        """Return the degrees of freedom of standard errors: from how many units these were learnt.

        Those of pairs rest on all pairs of the field, those of blocks on a bot's own blocks and on
        as many of the others as these are given weight for: or else on so many `units`. What the
        fit followed of them is lost.
        """
        trust = trust_of(self.units_a_pair)
        known = float(self.units) if units is None else units
        if units is None and self.units_a_pair < 1:
            size = len(self.naive) - EXTRA - 1
            known = min(2 * known / size + trust.pooling, known)
        return known * self.left / self.units + trust.degrees

    def quantile(self) -> float:
        """Return how many standard deviations two-sided 95% limits are away, after Student."""
        return float(special.stdtrit(self.degrees(), (1 + LEVEL) / 2))

    def covariance(self) -> Floats:
        """Return the covariance (N, N) of the strengths, correlation within units allowed for."""
        size = len(self.naive) - EXTRA - 1
        widened = np.sqrt(self.adjustment(np.eye(size, len(self.naive))))
        return self.naive[:size, :size] * widened[:, None] * widened[None, :]

    def differences(self) -> Floats:
        """Return the variance (N, N) of every difference of two strengths; 0 on the diagonal."""
        size = len(self.naive) - EXTRA - 1
        naive, robust, pooled = (
            variances_of_differences(matrix[:size, :size])
            for matrix in (self.naive, self.robust, self.pooled)
        )
        here = naive <= 0
        naive[here] = 1
        return np.where(here, 0.0, naive * self._factor(naive, robust, pooled))


def evidence_of(field: Field, prior: float, without: int | None = None) -> Evidence:
    """Return the games of N bots and the prior's pseudo-games as (N + 1, N + 1) tables.

    The bot `without` has no pseudo-games.
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
    if _has_draws(field):
        drawable[:size, :size] = 1
        drawable[size, size] = 1
        table[size, size] = prior / 4, prior / 2, prior / 4
    return Evidence(table[:, :, 0], table[:, :, 1], table[:, :, 2], drawable)


def _has_draws(field: Field) -> bool:
    # Draws have a probability of their own where some games were drawn, and not all.
    won, drawn, lost = field.table().sum(axis=(0, 1)).tolist()
    return bool(drawn > 0 and won + lost > 0)


def constraints_of(
    field: Field,
    groups: Sequence[Sequence[int]],
    *,
    weights: Floats | None = None,
    seats_matter: bool = True,
) -> Floats:
    """Return what to hold at zero (C, N + 3).

    These are each group's weighted mean (equally weighted where `weights` is None), the virtual
    opponent, the tie where nothing was drawn, and the advantage where seats are not to matter.
    """
    size = len(field.bots)
    number = size + 1 + EXTRA
    rows = np.zeros((len(groups), number))
    for row, group in zip(rows, groups, strict=True):
        inside = np.ones(len(group)) if weights is None else weights[list(group)]
        row[list(group)] = inside / inside.sum()
    held = [size]
    if not seats_matter:
        held.append(number + ADVANTAGE)
    if not _has_draws(field):
        held.append(number + TIE)
    return np.vstack([rows, np.eye(number)[held]])


def maximum_of(evidence: Evidence, constraints: Floats) -> Maximum:
    """Return the maximum of the likelihood of the evidence under constraints (C, P)."""
    parameters = maximised(evidence, np.zeros(constraints.shape[1]), constraints)
    return Maximum(evidence, constraints, parameters, float(log_likelihood(evidence, parameters)))


def fitted(field: Field, prior: float, constraints: Floats) -> Fit:
    """Fit a field jointly, with a prior of so many pseudo-pairs a bot; 0 for none."""
    maximum = maximum_of(evidence_of(field, prior), constraints)
    evidence, parameters = maximum.evidence, maximum.parameters
    size = len(parameters)
    curvature = information(evidence, parameters)
    inverse = np.linalg.inv(bordered(curvature, constraints))
    naive = np.asarray(inverse[:size, :size], dtype=np.float64)
    assumed = information(_prior_alone(evidence), parameters)
    followed = leverage(field, evidence, parameters, naive)
    meat = surplus_variance(field, evidence, parameters, followed)
    units = int(field.counts.sum())
    units_a_pair = min(units / float((field.pairs * field.counts).sum()), 1.0)
    doubted = trust_of(units_a_pair).doubted
    shared = shared_within_units(field, evidence, parameters, followed, doubted)
    return Fit(
        maximum=maximum,
        naive=naive,
        robust=naive @ (meat + assumed) @ naive,
        pooled=naive @ (curvature + shared) @ naive,
        units=units,
        left=float(((1 - followed) * field.counts).sum()),
        units_a_pair=units_a_pair,
    )


def _prior_alone(evidence: Evidence) -> Evidence:
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
