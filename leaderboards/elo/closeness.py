"""Tells which bots of a field are near in strength, as far as the games so far are sure of it.

Strengths are shrunk towards one another by the field's own spread, which the games tell as well
(empirical Bayes: Efron and Morris, "Stein's estimation rule and its competitors", 1973): in a field
whose ratings differ no more than luck explains, all bots are near. Whoever chooses the next games
by this does not let bots that were lucky meet one another.

The fit is a rough one: logistic, and without a first seat, since blocks are balanced.
"""

import numpy as np

from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.elo.game_counts import Floats, Integers

NEAR_ELO = 250.0
"""A difference up to which bots are near. A game of two bots 250 Elo apart still tells 62% of what
one of equals does, so that there is little to gain by a smaller one, and the price is intervals
that are too short (`python -m benchmarks schedules`)."""

_SPREADS_ELO = (25.0, 50.0, 100.0, 200.0, 400.0, 800.0)
"""Standard deviations of strengths that are tried in turn; the most probable one counts."""

_STEPS = 50
_CLOSE = 1e-6


def nats_beyond_near(games: Integers, points: Floats) -> Floats:
    """Return by how much more than `NEAR_ELO` any two bots differ (N, N), in nats; 0 where near.

    Games (N, N) are those between two bots, points (N, N) those of the row.
    """
    strength = _shrunk(games, points)
    gap = np.abs(strength[:, None] - strength[None, :])
    return np.asarray(np.maximum(gap - NEAR_ELO / ELO_PER_NAT, 0.0))


def _shrunk(games: Integers, points: Floats) -> Floats:
    """Return strengths (N,) in nats under the spread that the games make most probable."""
    best, chosen = -np.inf, np.zeros(len(games))
    for spread in _SPREADS_ELO:
        strength, evidence = _fitted(games, points, spread / ELO_PER_NAT, chosen)
        if evidence <= best:  # it rises up to the most probable spread, and falls from there
            break
        best, chosen = evidence, strength
    return chosen


def _fitted(
    games: Integers, points: Floats, spread: float, strength: Floats
) -> tuple[Floats, float]:
    """Return the most probable strengths given their spread, and the log-evidence for it.

    By Newton's method; the evidence is Laplace's approximation.
    """
    prior = np.eye(len(games)) / spread**2
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        told = games * chance * (1 - chance)
        curvature = np.diag(told.sum(axis=1)) - told + prior
        slope = (points - games * chance).sum(axis=1) - strength / spread**2
        # Far from the maximum a full step overshoots; none of this length leaves it for good.
        step = np.clip(np.linalg.solve(curvature, slope), -1, 1)
        strength = strength + step
        if np.abs(step).max() < _CLOSE:
            break
    softplus = np.logaddexp(0, strength[None, :] - strength[:, None])
    likelihood = -(points * softplus).sum() - (strength**2).sum() / (2 * spread**2)
    volume = np.linalg.slogdet(curvature).logabsdet / 2 + len(games) * np.log(spread)
    return strength, float(likelihood - volume)
