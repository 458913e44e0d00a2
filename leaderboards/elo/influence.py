"""Measures how much of a bot's rating rests on its games with one opponent.

A friend that plays well against others and loses to a bot on purpose lifts that bot's rating. So
each pairing in turn is left out of the fit, and a bot's rating is compared with the one that its
other games give it. Both are taken about the mean of all others of its group without the opponent,
whose rating moves too.

Leaving a pairing out is one step of Newton's method from the fit, with the pairing's share of the
information taken off (a change of rank one: Sherman and Morrison, "Adjustment of an inverse matrix
corresponding to a change in one element of a given matrix", 1950). Where that step is not small,
the field without the pairing is fitted anew, and its limits are those of the profile likelihood.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from leaderboards.elo.estimate import Estimate
from leaderboards.elo.fit import Fit, constraints_of, fitted
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.intervals import limits
from leaderboards.elo.likelihood import chances
from leaderboards.elo.quasi_variances import LEVEL

_SMALL_STEP = 0.15  # in nats (26 Elo): a step up to this length lands where a new fit would
_SMALL_SHARE = 0.5
"""The same for the share that a pairing has in what is known of the difference of its two bots."""

_LEAST_LEFT = 1e-9  # a pairing that is all that is known of two bots is taken for a little less
_FEWEST_BOTS = 3

Refit = Callable[[Field], Fit]

LEANING_ELO = 25.0
"""A rating leans on an opponent if their games surely (95%) move it by more than this.

Fields of honest bots stay below it: `docs/statistics.md` has what was measured.
"""


@dataclass(frozen=True, slots=True)
class Influence:
    """The effect of a bot's games with each opponent on its rating, in nats.

    A row is a bot, a column the opponent. NaN where the two did not meet, where either has a bound
    instead of an interval, and where no other games link the bot to the rest of its group.
    """

    moved: Floats  # (N, N) the rating less the one that the bot's other games give it
    low: Floats  # (N, N) the lower 95% limit; the limits say how well those other games tell
    high: Floats


def influence_of(field: Field, estimate: Estimate, prior: float | None) -> Influence:
    """Return how much each opponent does to each rating.

    Without a prior all is NaN: a field without a pairing need not have ratings.
    """
    result = Influence(*np.full((3, len(field.bots), len(field.bots)), np.nan))
    joint = estimate.joint
    if prior is None or joint is None:
        return result
    kept, kept_field = np.array(joint.kept), field.restricted(joint.kept)
    rated = ~np.isin(kept, list(joint.extremes))
    met = kept_field.by_bot().sum(axis=2) > 0
    groups = estimate.group_of()[kept]

    def refit(rest: Field) -> Fit:
        # Without the pairing there may be no draws, and other groups.
        seats_matter = estimate.advantage is not None
        held = constraints_of(rest, rest.components(), seats_matter=seats_matter)
        return fitted(rest, prior, held)

    for number in np.unique(groups):
        members = rated & (groups == number)
        if members.sum() < _FEWEST_BOTS:
            continue
        bot, opponent = np.nonzero(met & members & members[:, None])
        others = np.where(members, estimate.weights[kept], 0.0)
        found = _left_out(kept_field, joint.fit, refit, others, bot, opponent)
        for target, values in zip((result.moved, result.low, result.high), found, strict=True):
            target[kept[bot], kept[opponent]] = values
    return result


def _left_out(  # noqa: PLR0913, PLR0917 - a fit, and what is left out of it
    joint: Field, fit: Fit, refit: Refit, weights: Floats, bot: Integers, opponent: Integers
) -> Floats:
    """Return what K opponents do to K bots, and its limits, as (3, K).

    Weights (N,) are those of each bot in the mean of its group, 0 outside it.
    """
    moved, variance, share = _stepped(fit, weights, bot, opponent)
    half = special.stdtrit(fit.degrees(), (1 + LEVEL) / 2) * np.sqrt(variance)
    found = np.stack([moved, moved - half, moved + half])
    far = ~((np.abs(moved) <= _SMALL_STEP) & (share <= _SMALL_SHARE))
    first, second = np.minimum(bot, opponent), np.maximum(bot, opponent)
    for pair in np.unique(np.column_stack([first, second])[far], axis=0):
        rows = np.flatnonzero((first == pair[0]) & (second == pair[1]))
        found[:, rows] = _refitted(joint, fit, refit, weights, bot[rows], opponent[rows])
    return found


def _stepped(
    fit: Fit, weights: Floats, bot: Integers, opponent: Integers
) -> tuple[Floats, Floats, Floats]:
    """Return by how much one step moves each bot, the variance there, and the pairing's share.

    The variance is that of the bot about the others without the pairing, widened as that of the
    bot's rating is. Each array is (K,).
    """
    evidence, size = fit.maximum.evidence, len(weights)
    moments = chances(fit.maximum.parameters, evidence.drawable)
    points = (evidence.won - evidence.lost) / 2 - evidence.games * moments.score
    spread = evidence.games * moments.variance
    surplus = (points - points.T)[bot, opponent]
    information = (spread + spread.T)[bot, opponent]
    covariance = fit.naive[:size, :size]
    bot_and_others, opponent_and_others, of_others = _mean_of_others(
        covariance, weights, bot, opponent
    )
    own, between = np.diag(covariance), covariance[bot, opponent]
    share = information * (own[bot] + own[opponent] - 2 * between)
    left = np.maximum(1 - share, _LEAST_LEFT)
    # How the lead over the opponent and the lead over the others vary together.
    along = own[bot] - between - bot_and_others + opponent_and_others
    before = own[bot] - 2 * bot_and_others + of_others
    widened = fit.adjustment(np.eye(size, len(fit.naive)))[bot]
    return surplus * along / left, widened * (before + information * along**2 / left), share


def _mean_of_others(
    covariance: Floats, weights: Floats, bot: Integers, opponent: Integers
) -> tuple[Floats, Floats, Floats]:
    """Return how the mean of all but two bots varies, with each of the two and alone, (K,) each."""
    left_out = ((bot, weights[bot]), (opponent, weights[opponent]))
    remaining = weights.sum() - weights[bot] - weights[opponent]
    of_all = covariance @ weights

    def with_sum(index: Integers) -> Floats:
        taken = sum(weight * covariance[index, other] for other, weight in left_out)
        return np.asarray(of_all[index] - taken)

    of_sum = weights @ of_all - sum(
        weight * (of_all[other] + with_sum(other)) for other, weight in left_out
    )
    return with_sum(bot) / remaining, with_sum(opponent) / remaining, of_sum / remaining**2


def _refitted(  # noqa: PLR0913, PLR0917 - see ``_left_out``
    joint: Field, fit: Fit, refit: Refit, weights: Floats, bot: Integers, opponent: Integers
) -> Floats:
    found = np.full((3, len(bot)), np.nan)
    pair = [int(bot[0]), int(opponent[0])]
    rest = joint.without_pairing(*pair)
    others = weights.copy()
    others[pair] = 0.0
    group = next(group for group in rest.components() if np.flatnonzero(others)[0] in group)
    linked = np.isin(bot, group)
    if not linked.any():
        return found
    there = refit(rest)
    contrasts = np.zeros((int(linked.sum()), len(fit.naive)))
    contrasts[:, : len(weights)] = -others / others.sum()
    contrasts[np.arange(len(contrasts)), bot[linked]] += 1
    low, high = limits(there, contrasts)
    found[:, linked] = contrasts @ fit.maximum.parameters - np.stack(
        [contrasts @ there.maximum.parameters, high, low]
    )
    return found
