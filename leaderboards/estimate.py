"""Strengths, limits and bounds of all bots of a field, whatever the games tell about them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from leaderboards.field import Field, Floats
from leaderboards.fit import Fit, constraints_of, evidence_of, fitted
from leaderboards.intervals import bound, limits, superiority
from leaderboards.likelihood import ADVANTAGE, information

_SMALLEST_SHARE = 1e-9
"""Information below this share of the largest is none: what it would tell is not estimated."""

_LARGEST_VARIANCE = 1e4
"""A variance beyond this, in nats squared, is that of an estimate on its way to infinity."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the games tell about N bots, in nats above the mean of each one's group.

    Attributes:
        groups: Indices of the bots that were rated together.
        strength: (N,) the estimates, NaN where there is none.
        low: (N,) lower 95% limits, NaN where there is none.
        high: (N,) upper 95% limits, NaN where there is none.
        bound: For each bot "", or "upper" or "lower": which limit is there, as a one-sided bound.
        advantage: The first seat's advantage and its 95% limits; None where there is no estimate.
        apart: (N, N) standard deviations by which the row is the stronger; NaN between groups.
        covariance: (N, N) of the estimates, robust to correlation within pairs.
        score: (N, N) expected points of the first seat (row) in a game; NaN where unknown.
    """

    groups: tuple[tuple[int, ...], ...]
    strength: Floats
    low: Floats
    high: Floats
    bound: tuple[str, ...]
    advantage: tuple[float, float, float] | None
    apart: Floats
    covariance: Floats
    score: Floats


def estimated(field: Field, prior: float | None) -> Estimate:
    """Estimate all that the games of a field tell.

    Args:
        field: The games of N bots.
        prior: Pseudo-pairs of each bot; None for none. Then only the largest core of each group is
            rated, and a bot that won or lost all its games against it gets a bound.

    Returns:
        The estimate; empty for an empty field.
    """
    groups = field.components() if prior else _cores(field)
    kept = sorted(index for group in groups for index in group)
    if not kept:
        return _unknown(len(field.bots))
    rated = field.restricted(kept)
    inner = [[kept.index(index) for index in group] for group in groups]
    seats_matter = bool(prior) or _seats_tell(rated, inner)
    fit = fitted(rated, prior or 0.0, constraints_of(rated, inner, seats_matter=seats_matter))
    strengths = np.eye(len(kept), len(fit.summit.parameters))
    low, high = limits(fit, strengths)
    together = _together(inner)
    size = len(field.bots)
    estimate = Estimate(
        groups=tuple(tuple(group) for group in groups),
        strength=_spread(fit.summit.parameters[: len(kept)], kept, size),
        low=_spread(low, kept, size),
        high=_spread(high, kept, size),
        bound=("",) * size,
        advantage=_advantage(fit) if seats_matter else None,
        apart=_spread(np.where(together, superiority(fit), np.nan), kept, size),
        covariance=_spread(np.where(together, fit.covariance(), np.nan), kept, size),
        score=_spread(np.where(together, fit.expected_score(), np.nan), kept, size),
    )
    inflation = fit.adjustment(strengths)
    if prior:
        return _bounded(estimate, _extremes(field, groups, prior, inflation))
    return _bounded(
        estimate, _outsiders(field, groups, float(inflation.max()), seats_matter=seats_matter)
    )


def _unknown(size: int) -> Estimate:
    row, square = np.full(size, np.nan), np.full((size, size), np.nan)
    return Estimate((), row, row, row, ("",) * size, None, square, square, square)


def _spread(values: Floats, kept: Sequence[int], size: int) -> Floats:
    """Return the values of the kept bots in an array for all bots, NaN elsewhere."""
    result = np.full((size,) * values.ndim, np.nan)
    result[np.ix_(*[kept] * values.ndim)] = values
    return result


def _together(groups: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
    label = np.zeros(sum(len(group) for group in groups), dtype=np.int64)
    for number, group in enumerate(groups):
        label[list(group)] = number
    return np.asarray(label[:, None] == label[None, :])


def _advantage(fit: Fit) -> tuple[float, float, float]:
    direction = np.zeros((1, len(fit.summit.parameters)))
    direction[0, ADVANTAGE] = 1
    low, high = limits(fit, direction)
    return float(fit.summit.parameters[ADVANTAGE]), float(low[0]), float(high[0])


def _cores(field: Field) -> list[list[int]]:
    """Return the largest core of each group of bots, where it has two bots or more."""
    cores = [core for core in field.cores() if len(core) > 1]
    return [
        max(inside, key=len)
        for group in field.components()
        if (inside := [core for core in cores if core[0] in group])
    ]


def _seats_tell(field: Field, groups: Sequence[Sequence[int]]) -> bool:
    """Tell whether the first seat's advantage has a finite estimate without a prior."""
    constraints = constraints_of(field, groups)
    evidence = evidence_of(field, 0)
    flat = information(evidence, np.zeros(constraints.shape[1])) + constraints.T @ constraints
    spectrum = np.linalg.eigvalsh(flat)
    if spectrum[0] < _SMALLEST_SHARE * spectrum[-1]:
        return False
    try:
        fit = fitted(field, 0, constraints)
    except (FloatingPointError, np.linalg.LinAlgError):
        return False
    return bool(np.diag(fit.naive).max() < _LARGEST_VARIANCE)


Bound = tuple[int, str, float]
"""A bot's index, which limit it has, and where."""


def _bounded(estimate: Estimate, bounds: Iterable[Bound]) -> Estimate:
    low, high, sides = estimate.low.copy(), estimate.high.copy(), list(estimate.bound)
    for index, side, value in bounds:
        sides[index] = side
        low[index], high[index] = (np.nan, value) if side == "upper" else (value, np.nan)
    return replace(estimate, low=low, high=high, bound=tuple(sides))


def _extremes(
    field: Field, groups: Sequence[Sequence[int]], prior: float, inflation: Floats
) -> Iterator[Bound]:
    """Yield the bounds of the bots that won or lost all their games."""
    record = field.by_bot().sum(axis=1)
    for index, (won, drawn, lost) in enumerate(record.tolist()):
        if drawn or (won and lost):
            continue
        others = [[other for other in group if other != index] for group in groups]
        home = next(group for group in groups if index in group)
        value = bound(field, index, others, prior=prior, inflation=float(inflation[index]))
        # The bound stands above the mean of the others; the field's mean has the bot in it.
        yield index, "lower" if won else "upper", value * (len(home) - 1) / len(home)


def _outsiders(
    field: Field, groups: Sequence[Sequence[int]], inflation: float, *, seats_matter: bool
) -> Iterator[Bound]:
    """Yield the bounds of the bots outside a core that met it."""
    games = field.by_bot()
    kept = {index for group in groups for index in group}
    for index in range(len(field.bots)):
        for core in groups:
            won, drawn, lost = games[index, core].sum(axis=0).tolist()
            if index in kept or drawn or not won + lost:
                continue
            near = field.restricted([*core, index])
            value = bound(
                near,
                len(core),
                [range(len(core))],
                prior=0,
                inflation=inflation,
                seats_matter=seats_matter,
            )
            yield index, "lower" if won else "upper", value
