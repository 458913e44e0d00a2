"""Computes quasi-variances: one number a bot, from which the error of every difference follows.

The variance of a difference of two ratings is not the sum of two variances: ratings are relative to
a reference, and depend on one another. Quasi-variances q are the numbers with which it nearly is:
var(a - b) is about q(a) + q(b), whatever the reference (Firth and de Menezes, "Quasi-variances",
2004). The reference, the mean of the field, weighs each bot by 1 / q: by how well it is known. A
bot of which the games tell little does not move the others.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from leaderboards.elo.game_counts import Floats

LEVEL = 0.95  # nominal coverage of every interval and bound

_STEPS = 200
_CLOSE = 1e-12
_LARGEST_STEP = 2.0
_RIDGE = 1e-9
_NOWHERE = -60.0
_LEAST_SHARE = 0.05
"""A quasi-variance is at least this share of the least variance of the bot's differences."""


def quasi_variances(differences: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """Return quasi-variances (N,).

    They minimise the sum of squares of log((q(a) + q(b)) / var(a - b)) over all pairs of a group,
    by Newton's method after Gauss for log q. All are positive, and NaN outside groups of two. The
    differences (N, N) are variances.
    """
    quasi = np.full(len(differences), np.nan)
    for group in map(list, groups):
        if len(group) > 1:
            quasi[group] = _of_group(differences[np.ix_(group, group)])
    return quasi


def variances_of_differences(covariance: Floats) -> Floats:
    """Return the variance (N, N) of the difference of every two of N numbers."""
    own = np.diag(covariance)
    return np.asarray(own[:, None] + own[None, :] - 2 * covariance)


def _of_group(differences: Floats) -> Floats:
    size = len(differences)
    between = ~np.eye(size, dtype=bool)
    target = np.where(between, differences, 1.0)
    # Of a bot that all others are known through, the best number may be none, or negative.
    least = np.log(_LEAST_SHARE * np.where(between, differences, np.inf).min(axis=1))
    logs = np.log(np.median(target[between].reshape(size, -1), axis=1) / 2)
    free = np.ones(size, dtype=bool)
    while free.any():
        logs = _fitted(logs, target, between, free)
        low = free & (logs < least)
        if not low.any():
            break
        logs[low], free[low] = least[low], False
    return np.asarray(np.exp(logs), dtype=np.float64)


def _fitted(
    logs: Floats, target: Floats, between: npt.NDArray[np.bool_], free: npt.NDArray[np.bool_]
) -> Floats:
    """Return the logarithms (N,) that fit best, where those that are not free stay as they are."""
    logs, here = logs.copy(), np.flatnonzero(free)
    for _ in range(_STEPS):
        q = np.exp(logs)
        total = q[:, None] + q[None, :]
        residual = np.where(between, np.log(total / target), 0.0)
        share = np.where(between, q[:, None] / total, 0.0)
        normal = share * share.T
        normal[np.diag_indices(len(q))] = (share**2).sum(axis=1) + _RIDGE
        slope = (share * residual).sum(axis=1)
        step = np.linalg.solve(normal[np.ix_(here, here)], -slope[here])
        logs[here] += np.clip(step, -_LARGEST_STEP, _LARGEST_STEP)
        if np.abs(step).max() < _CLOSE or logs.min() < _NOWHERE:
            break
    return logs
