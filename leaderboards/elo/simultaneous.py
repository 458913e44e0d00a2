"""Finds out which of many differences are sure, all of them at once, and the ranks that follow.

With many bots some of many comparisons look sure by luck alone. The largest of all studentised
differences is simulated as it falls out between equals (max-t: Hothorn, Bretz and Westfall,
"Simultaneous inference in general parametric models", 2008), and only a difference beyond its 95%
quantile counts as sure. A bot's best rank is one more than the number of bots surely better than
it, its worst is the number of bots less those surely worse (Klein, Wright and Wieczorek, "A joint
confidence region for an overall ranking of populations", 2020).

Looking at the result and playing more games until it is significant finds a difference between
equals far more often than in 5% of cases. Limits that hold however often one looks are those of a
normal mixture (Robbins, "Statistical methods related to the law of the iterated logarithm", 1970):
with V units behind them, V0 = 20 and an error a, they are sqrt((1 + V0 / V) * log((1 + V / V0) /
a^2)) standard errors away. Where the number of looks was fixed beforehand, each look may err in an
equal part of the 5% (Bonferroni), and limits are narrower.
"""

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.game_counts import Floats
from leaderboards.elo.quasi_variances import LEVEL, variances_of_differences

_DRAWS = 10_000
_AT_ONCE = 200  # so few draws that they stay in the processor's cache
_SEED = 95  # any number does; the same one makes the same table of the same games
_BEST_LOOKED_AT = 20  # units at which limits for any time are about the narrowest


def critical_value(covariance: Floats, degrees: float, looks: int = 1) -> float:
    """Return what the largest studentised difference of N numbers exceeds in 5% of cases.

    At any of so many `looks`, that is: at one of them, in as many times fewer cases. The covariance
    (N, N) is theirs if they are equal in truth. With nothing to compare it is infinite.
    """
    size = len(covariance)
    if size < 2:  # noqa: PLR2004 - a comparison is between two
        return float("inf")
    level = 1 - (1 - LEVEL) / looks
    if size == 2:  # noqa: PLR2004 - and a single one is Student's
        return float(special.stdtrit(degrees, (1 + level) / 2))
    generator = np.random.default_rng(_SEED)
    spread, axes = np.linalg.eigh(covariance)
    # The symmetric root alone is the same whichever eigenvectors a LAPACK library chooses.
    root = axes * np.sqrt(np.maximum(spread, 0)) @ axes.T
    deviation = np.sqrt(variances_of_differences(covariance))
    largest = []
    for start in range(0, _DRAWS, _AT_ONCE):
        number = min(_AT_ONCE, _DRAWS - start)
        drawn = np.ascontiguousarray((generator.standard_normal((number, size)) @ root).T)
        largest.append(_largest(drawn, deviation))
    # Errors that are as uncertain as those of the numbers widen all comparisons alike.
    scale = np.sqrt(degrees / generator.chisquare(degrees, _DRAWS))
    return float(np.quantile(np.concatenate(largest) * scale, level))


def _largest(drawn: Floats, deviation: Floats) -> Floats:
    largest = np.zeros(drawn.shape[1])
    for one in range(len(drawn) - 1):
        apart = drawn[one + 1 :] - drawn[one]
        np.abs(apart, out=apart)
        apart /= deviation[one, one + 1 :, None]
        np.maximum(largest, apart.max(axis=0), out=largest)
    return largest


def anytime_value(units: Floats, error: float = 1 - LEVEL) -> Floats:
    """Return how many standard errors limits reach that err so seldom at any numbers of units."""
    share = units / _BEST_LOOKED_AT
    return np.asarray(np.sqrt((1 + 1 / share) * np.log((1 + share) / error**2)))


def chained(sure: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return what follows where all of it is right: who is better than a better bot is better.

    So bots whose ranks do not overlap differ, and a bot that alone may be first is first.
    """
    links = sure.astype(np.float32)
    while True:
        further = np.minimum(links + links @ links, 1)
        if np.array_equal(further > 0, links > 0):
            return np.asarray(links > 0)
        links = (further > 0).astype(np.float32)


def rank_sets(
    sure: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the best and the worst rank (N,) that each of N may have.

    It is `sure` (N, N) where the row is surely better than the column.
    """
    best, worst = 1 + sure.sum(axis=0), len(sure) - sure.sum(axis=1)
    return best.astype(np.int64), worst.astype(np.int64)
