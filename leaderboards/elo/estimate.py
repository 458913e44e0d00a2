"""Estimates strengths, limits and bounds of all bots of a field, however little the games say."""

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as attribute

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.extremes import (
    UPPER,
    Extreme,
    ExtremeBounds,
    extremes_of_cores,
    placed,
    split_extremes,
)
from leaderboards.elo.fit import Fit, constraints_of, fitted
from leaderboards.elo.game_counts import Field, Floats, Integers
from leaderboards.elo.intervals import FAR, limits, significance
from leaderboards.elo.joint_fit import JointFit
from leaderboards.elo.likelihood import EXTRA, chances
from leaderboards.elo.quasi_variances import LEVEL, quasi_variances
from leaderboards.elo.seats import advantage_of, seats_tell
from leaderboards.elo.simultaneous import anytime_value, chained, critical_value


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate of N bots, in nats above the reference of each one's group."""

    groups: tuple[tuple[int, ...], ...]  # indices of the bots that games link, largest group first
    strength: Floats  # (N,) the estimates, NaN where there is none
    low: Floats  # (N,) lower 95% limits, NaN where there is none
    high: Floats  # (N,) upper 95% limits, NaN where there is none
    # For each bot "", or "upper" or "lower": which limit is there, as a one-sided bound.
    bound: tuple[str, ...]
    # For each bot the anchor that its rating is about; None for the weighted mean.
    reference: tuple[int | None, ...]
    weights: Floats  # (N,) share of each bot in the reference of its group
    # The first seat's advantage and its 95% limits; None where there is no estimate.
    advantage: tuple[float, float, float] | None
    seats_differ: bool  # whether what the first seat is worth surely differs between pairings
    apart: Floats  # (N, N) standard deviations by which the row is the stronger; NaN between groups
    # (N, N) how many of these are needed: what is sure is so for all bots of a group at once.
    needed: Floats
    covariance: Floats  # (N, N) of the estimates, robust to correlation within units
    score: Floats  # (N, N) expected points of the first seat (row) in a game; NaN where unknown
    degrees: float  # degrees of freedom of the standard errors
    # The fit and what is needed to compare two bots; None where nobody is rated.
    joint: JointFit | None = attribute(repr=False, compare=False)

    @property
    def sure(self) -> npt.NDArray[np.bool_]:
        """Sure wins (N, N): true where the row is surely better than the column."""
        return chained(self.apart > self.needed)

    def group_of(self) -> Integers:
        """Return the number of each bot's group, (N,)."""
        return _labels(self.groups, len(self.strength))


def estimated(
    field: Field,
    prior: float | None,
    anchor: int | None = None,
    *,
    looks: int | None = 1,
) -> Estimate:
    """Estimate everything about a field from its games, with pseudo-pairs as prior.

    Without a prior only the largest core of each group is rated. Without an anchor, the reference
    of a group is its weighted mean. What is sure is so at each of so many looks at the growing
    games, or however often one looks where that is None.
    """
    groups = field.components()
    rated, extremes = _split(field, groups, prior)
    kept = sorted(index for group in rated for index in group)
    if not kept:
        return _unknown(len(field.bots), groups)
    bounded = {extreme.bot for extreme in extremes}
    kept_field = field.restricted(kept)
    inner = [[kept.index(index) for index in group] for group in rated]
    weighing = [[kept.index(index) for index in group if index not in bounded] for group in rated]
    seats_matter = prior is not None or seats_tell(kept_field, inner)
    weights = _weights(kept_field, prior or 0.0, inner, weighing, seats_matter=seats_matter)
    constraints = constraints_of(kept_field, inner, weights=weights, seats_matter=seats_matter)
    fit = fitted(kept_field, prior or 0.0, constraints)
    size = len(field.bots)
    spread_weights = _spread(weights, kept, size, 0.0)
    bounds = ExtremeBounds(
        field,
        spread_weights,
        prior=prior or 0.0,
        inflation=_spread(fit.adjustment(np.eye(len(kept), len(fit.naive))), kept, size),
        seats_matter=seats_matter,
    )
    joint = JointFit(fit, tuple(kept), bounds, {one.bot: one for one in extremes})
    there = placed(field, fit.maximum.parameters, kept, prior) if prior else {}
    strength = _spread(fit.maximum.parameters[: len(kept)], kept, size)
    own_covariance = np.where(_linked(inner, len(kept)), fit.covariance(), np.nan)
    covariance = _spread(own_covariance, kept, size)
    for bot, (value, variance) in there.items():
        strength[bot], covariance[bot, bot] = value, variance
    reference = _references(groups, kept, anchor if anchor not in bounded else None)
    low, high, bound = _limits(joint, reference, size)
    linked = _linked(groups, size)
    shift = np.array([0.0 if one is None else strength[one] for one in reference])
    advantage, differ = advantage_of(kept_field, fit) if seats_matter else (None, False)
    return Estimate(
        groups=tuple(tuple(group) for group in groups),
        strength=strength - shift,
        low=low,
        high=high,
        bound=bound,
        reference=reference,
        weights=spread_weights,
        advantage=advantage,
        seats_differ=differ,
        apart=np.where(linked, _apart(joint, size), np.nan),
        needed=_needed(field, groups, covariance, fit, looks),
        covariance=_about(covariance, reference),
        score=_score(strength, fit, linked),
        degrees=fit.degrees(),
        joint=joint,
    )


def _weights(
    field: Field,
    prior: float,
    groups: Sequence[Sequence[int]],
    weighing: Sequence[Sequence[int]],
    *,
    seats_matter: bool,
) -> Floats:
    even = fitted(field, prior, constraints_of(field, groups, seats_matter=seats_matter))
    quasi = quasi_variances(even.differences(), weighing)
    weights = np.zeros(len(quasi))
    for group, inside in zip(groups, weighing, strict=True):
        # Where all have bounds, or one alone has none, the mean is that of all.
        known = list(inside if len(inside) > 1 else group)
        share = 1 / quasi[known] if len(inside) > 1 else np.ones(len(known))
        weights[known] = share / share.sum()
    return weights


def _split(
    field: Field, groups: Sequence[Sequence[int]], prior: float | None
) -> tuple[list[list[int]], list[Extreme]]:
    if prior is None:
        return extremes_of_cores(field)
    rated, extremes = [], []
    for group in groups:
        remaining, gone = split_extremes(field, group)
        rated.append(remaining)
        extremes += gone
    return rated, extremes


def _unknown(size: int, groups: Sequence[Sequence[int]]) -> Estimate:
    row, square = np.full(size, np.nan), np.full((size, size), np.nan)
    return Estimate(
        groups=tuple(tuple(group) for group in groups),
        strength=row,
        low=row,
        high=row,
        bound=("",) * size,
        reference=(None,) * size,
        weights=np.zeros(size),
        advantage=None,
        seats_differ=False,
        apart=np.where(_linked(groups, size), 0.0, np.nan),
        needed=np.full((size, size), np.inf),
        covariance=square,
        score=square,
        degrees=1,
        joint=None,
    )


def _spread(values: Floats, kept: Sequence[int], size: int, empty: float = np.nan) -> Floats:
    """Return values of the kept bots in an array for all bots, `empty` elsewhere."""
    result = np.full((size,) * values.ndim, empty)
    result[np.ix_(*[kept] * values.ndim)] = values
    return result


def _labels(groups: Sequence[Sequence[int]], size: int) -> Integers:
    labels = np.zeros(size, dtype=np.int64)
    for number, group in enumerate(groups):
        labels[list(group)] = number
    return labels


def _linked(groups: Sequence[Sequence[int]], size: int) -> npt.NDArray[np.bool_]:
    labels = _labels(groups, size)
    return np.asarray(labels[:, None] == labels[None, :])


def _references(
    groups: Sequence[Sequence[int]], kept: Sequence[int], anchor: int | None
) -> tuple[int | None, ...]:
    fixed = anchor if anchor is not None and anchor in set(kept) else None
    home = next((set(group) for group in groups if fixed in group), set())
    size = sum(len(group) for group in groups)
    return tuple(fixed if index in home else None for index in range(size))


def _limits(
    joint: JointFit, reference: Sequence[int | None], size: int
) -> tuple[Floats, Floats, tuple[str, ...]]:
    low, high, sides = np.full(size, np.nan), np.full(size, np.nan), [""] * size
    place = {bot: index for index, bot in enumerate(joint.kept)}
    free = [bot for bot in joint.kept if bot not in joint.extremes]
    directions = np.zeros((len(free), len(joint.fit.naive)))
    for row, bot in enumerate(free):
        directions[row, place[bot]] = 1
        if (fixed := reference[bot]) is not None:
            directions[row, place[fixed]] -= 1
    low[free], high[free] = limits(joint.fit, directions)
    one_sided = float(special.stdtrit(joint.fit.degrees(), LEVEL))
    for bot, extreme in joint.extremes.items():
        sides[bot] = extreme.side
        value = joint.bounds.bound(extreme, one_sided, reference[bot])
        low[bot], high[bot] = (np.nan, value) if extreme.side == UPPER else (value, np.nan)
    return low, high, tuple(sides)


def _apart(joint: JointFit, size: int) -> Floats:
    result = _spread(significance(joint.fit), joint.kept, size, 0.0)
    for bot in joint.extremes:
        result[bot, :] = result[:, bot] = 0
    for bot, extreme in joint.extremes.items():
        for other, root in joint.bounds.significance(extreme).items():
            if abs(root) > abs(result[bot, other]):
                result[bot, other], result[other, bot] = root, -root
    return result


def _needed(
    field: Field,
    groups: Sequence[Sequence[int]],
    covariance: Floats,
    fit: Fit,
    looks: int | None,
) -> Floats:
    """Return how many standard deviations (N, N) a sure difference exceeds.

    That is infinite between groups, and where units are so few that nothing can be sure.
    """
    result = np.full(covariance.shape, np.inf)
    units = field.units_of_bots().astype(np.float64)
    for group in groups:
        inside = covariance[np.ix_(group, group)]
        own = np.diag(inside)
        # A bot without a rating is compared too, and its luck is its own.
        inside = np.where(np.isnan(inside), np.diag(np.where(np.isnan(own), 1.0, own)), inside)
        # The standard error of a difference rests on the units of two bots.
        degrees = min(fit.degrees(units[list(group)].mean()), fit.degrees())
        value = critical_value(inside, degrees, looks or 1)
        result[np.ix_(group, group)] = value
        if looks is None and len(group) > 1:
            own_units = units[list(group)]
            fewer = np.minimum(own_units[:, None], own_units[None, :])
            anytime = anytime_value(fewer, 2 * float(special.stdtr(degrees, -value)))
            result[np.ix_(group, group)] = np.maximum(value, anytime)
    result[result > FAR] = np.inf
    return result


def _about(covariance: Floats, reference: Sequence[int | None]) -> Floats:
    fixed = next((one for one in reference if one is not None), None)
    if fixed is None:
        return covariance
    here = np.array([one is not None for one in reference])
    result = covariance.copy()
    moved = np.where(here, covariance[fixed], 0.0)
    result -= moved[None, :] * here[:, None] + moved[:, None] * here[None, :]
    result += covariance[fixed, fixed] * here[:, None] * here[None, :]
    return result


def _score(strength: Floats, fit: Fit, linked: npt.NDArray[np.bool_]) -> Floats:
    parameters = np.concatenate([strength, fit.maximum.parameters[-EXTRA:]])
    drawable = np.full(linked.shape, float(fit.maximum.evidence.drawable.any()))
    return np.where(linked, chances(parameters, drawable).score + 0.5, np.nan)
