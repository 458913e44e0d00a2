"""Finds pairings that one number a bot does not describe: circles of wins, and surprising scores.

How far the points of a pairing scatter is learnt from its units (pairs or blocks of games) about
their own mean, so that a misfit does not pass for scatter: from the units of the pairing itself,
and from those of all pairings together, since few units of one tell little. With one block a
pairing nothing can be learnt, and nothing is found. In 5% of fields at most a surprising score is
found wrongly (Bonferroni), and in as many a circle.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.fit import Fit
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.quasi_variances import LEVEL
from leaderboards.elo.units import trust_of

_SURPRISE = 4.0  # standard deviations that a score is off at least, however many units there are
_CIRCLES = 0.45
"""Among N equal bots each pairing looks like a sure win, one way, with a chance of this over N.
With c for it there are c^L / L circles of L bots on average, from L = 3 on in sum 0.05."""

_LEAST_VARIANCE = 2.0  # variance of the points below which their deviation is far from normal


@dataclass(frozen=True, slots=True)
class Pairings:
    """The points of M pairings of two bots, and what is surely more than scatter."""

    one: Integers  # (M,) index of the bot whose name comes first
    other: Integers  # (M,) index of its opponent
    surplus: Floats  # (M,) points of `one` beyond those that the ratings predict
    variance: Floats  # (M,) of these, if games were independent
    factor: Floats  # (M,) by how much correlation within units widens a variance
    degrees: float  # degrees of freedom of the factors, 0 where nothing is known of them

    def quantile(self, chance: float) -> float:
        """Return how many standard deviations are exceeded, to one side, with a chance."""
        return -float(special.stdtrit(self.degrees, chance)) if self.degrees else float("inf")


def compared_pairings(field: Field, fit: Fit, score: Floats) -> Pairings:
    """Return the pairings of a field, by the score (N, N) that ratings predict for first seats."""
    size = len(field.bots)
    keys, place = np.unique(field.one * size + field.other, return_inverse=True)
    one, other = keys // size, keys % size
    sides = (field.outcomes[:, 0], field.outcomes[:, 1, ::-1])
    points = sum((side @ np.array([1.0, 0.5, 0.0]) for side in sides), np.zeros(len(place)))
    first, second = field.outcomes.sum(axis=2).T
    # Without a prior some are not predicted: their points scatter about their own mean as well.
    ours = np.nan_to_num(score[field.one, field.other], nan=0.5)
    theirs = np.nan_to_num(score[field.other, field.one], nan=0.5)
    expected = first * ours + second * (1 - theirs)
    variance = first * ours * (1 - ours) + second * theirs * (1 - theirs)

    def total(values: Floats) -> Floats:
        summed = np.bincount(place, values * field.counts, len(keys))
        return np.asarray(summed, dtype=np.float64)

    games = (first + second).astype(np.float64)
    surplus = points - expected
    scatter = surplus - games * (total(surplus) / total(games))[place]
    units, independent = total(np.ones(len(place))), total(variance)
    free = units - 1
    seen = total(scatter**2)
    # Of units about their own mean, a share is lost to that mean.
    possible = independent * free / units
    known = free.sum()
    pooled = seen.sum() / possible.sum() if known else 1.0
    own = np.divide(seen, possible, out=np.ones(len(keys)), where=possible > 0)
    trust = trust_of(fit.units_a_pair)
    factor = (free * own + trust.pooling * pooled) / (free + trust.pooling)
    degrees = min(float(free.mean()) + trust.pooling, float(known)) if len(keys) else 0.0
    predicted = np.where(np.isnan(score[one, other]), np.nan, total(surplus))
    factor = np.maximum(factor, fit.least_factor())
    return Pairings(one, other, predicted, independent, factor, degrees)


def surprising(pairings: Pairings) -> npt.NDArray[np.bool_]:
    """Return in which pairings (M,) scores surely differ from those that the ratings predict."""
    apart = np.abs(pairings.surplus) / np.sqrt(pairings.variance * pairings.factor)
    enough = pairings.variance > _LEAST_VARIANCE
    sure = pairings.quantile((1 - LEVEL) / 2 / max(len(pairings.one), 1))
    return np.asarray(enough & (apart > max(_SURPRISE, sure)))


def sure_cycles(field: Field, pairings: Pairings) -> list[list[int]]:
    """Return bots of which each surely beats the next, and the last the first.

    Each of these wins is sure at the 5% level, or at a lower one in large fields: see `_CIRCLES`.
    """
    games = field.by_bot()
    won, lost = games[:, :, 0].astype(np.float64), games[:, :, 2].astype(np.float64)
    factor = np.ones(won.shape)
    factor[pairings.one, pairings.other] = factor[pairings.other, pairings.one] = pairings.factor
    decided = won + lost
    # One point less for the jump from one number of wins to the next.
    apart = (won - lost - 1) / np.sqrt(np.maximum(decided, 1) * factor)
    chance = min((1 - LEVEL) / 2, _CIRCLES / max(len(field.bots), 1))
    beats = (decided > 0) & (apart > pairings.quantile(chance))
    found, named = [], set[int]()
    for bot in range(len(beats)):
        if bot not in named and (cycle := _shortest_cycle(beats, bot)):
            found.append(cycle)
            named |= set(cycle)
    return found


def _shortest_cycle(beats: npt.NDArray[np.bool_], start: int) -> list[int]:
    """Return the shortest chain of wins from a bot back to itself, if there is one."""
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        bot = queue.popleft()
        for beaten in np.flatnonzero(beats[bot]).tolist():
            if beaten == start:
                chain = [bot]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return chain[::-1]
            if beaten not in before:
                before[beaten] = bot
                queue.append(beaten)
    return []
