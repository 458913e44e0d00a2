"""Makes comparisons that are all right at once, and the ranks that follow from them.

With many bots some of many comparisons look sure by luck alone. The largest of all studentised
differences is simulated as it falls out between equals (max-t: Hothorn, Bretz and Westfall,
"Simultaneous inference in general parametric models", 2008), and only a difference beyond its 95%
quantile counts as sure. A bot's best rank is one more than the number of bots surely better than
it, its worst is the number of bots less those surely worse (Klein, Wright and Wieczorek, "A joint
confidence region for an overall ranking of populations", 2020).
"""

import numpy as np
import numpy.typing as npt

from leaderboards.elo.game_counts import Floats
from leaderboards.elo.quasi_variances import LEVEL, variances_of_differences

_DRAWS = 10_000
_AT_ONCE = 200  # so few draws that they stay in the processor's cache
_SEED = 95  # any number does; the same one makes the same table of the same games


def critical_value(covariance: Floats, degrees: float) -> float:
    """Return what the largest studentised difference of N numbers exceeds in 5% of cases.

    The covariance (N, N) is theirs if they are equal in truth. With nothing to compare it is
    infinite.
    """
    size = len(covariance)
    if size < 2:  # noqa: PLR2004 - a comparison is between two
        return float("inf")
    generator = np.random.default_rng(_SEED)
    spread, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(spread, 0))
    deviation = np.sqrt(variances_of_differences(covariance))
    largest = []
    for start in range(0, _DRAWS, _AT_ONCE):
        number = min(_AT_ONCE, _DRAWS - start)
        drawn = np.ascontiguousarray((generator.standard_normal((number, size)) @ root.T).T)
        largest.append(_largest(drawn, deviation))
    # Errors that are as uncertain as those of the numbers widen all comparisons alike.
    scale = np.sqrt(degrees / generator.chisquare(degrees, _DRAWS))
    return float(np.quantile(np.concatenate(largest) * scale, LEVEL))


def _largest(drawn: Floats, deviation: Floats) -> Floats:
    largest = np.zeros(drawn.shape[1])
    for one in range(len(drawn) - 1):
        apart = drawn[one + 1 :] - drawn[one]
        np.abs(apart, out=apart)
        apart /= deviation[one, one + 1 :, None]
        np.maximum(largest, apart.max(axis=0), out=largest)
    return largest


def rank_sets(
    apart: Floats, critical: float
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the best and the worst rank (N,) that each of N may have.

    Their studentised differences (N, N) are positive where the row is better, and sure beyond
    `critical`.
    """
    best = 1 + (apart < -critical).sum(axis=1)
    worst = len(apart) - (apart > critical).sum(axis=1)
    return best.astype(np.int64), worst.astype(np.int64)
