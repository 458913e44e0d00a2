"""Where one number a bot, and one for the first seat, do not describe the games."""

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from leaderboards.elo.field import Field, Floats

_LEVEL = 0.05
_LEAST_VARIANCE = 2.0
"""Variance of the points below which their deviation is far from normal."""


def cycles(field: Field) -> list[list[int]]:
    """Return bots of which each surely beats the next, and the last the first.

    A win is sure where the points between two bots differ at the 5% level, all pairings taken
    together (Bonferroni).

    Returns:
        The shortest cycle of each group of bots that beat each other in a circle.
    """
    games = field.by_bot()
    won, lost = games[:, :, 0].astype(np.float64), games[:, :, 2].astype(np.float64)
    decided = won + lost
    met = int((np.triu(decided, 1) > 0).sum())
    if not met:
        return []
    # One point less for the jump from one number of wins to the next.
    apart = (won - lost - 1) / np.sqrt(np.maximum(decided, 1))
    beats = (decided > 0) & (apart > -special.ndtri(_LEVEL / 2 / met))
    found, named = [], set[int]()
    for bot in range(len(beats)):
        if bot not in named and (cycle := _shortest_cycle(beats, bot)):
            found.append(cycle)
            named |= set(cycle)
    return found


def _shortest_cycle(beats: npt.NDArray[np.bool_], start: int) -> list[int]:
    """Return the shortest chain of wins from a bot back to itself; empty if there is none."""
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


def seat_misfit(
    field: Field, score: Floats, variance: Floats, inflation: float
) -> tuple[float, float]:
    """Test whether the first seat is worth the same in every pairing.

    The points of the first seats of a pairing beyond those expected, squared over their variance,
    are summed over pairings: chi-squared where one number for the first seat fits all.

    Args:
        field: The games of N bots.
        score: (N, N) expected points of the first seat (row).
        variance: (N, N) variance of these points.
        inflation: By how much correlation within units widens the variance of the advantage.

    Returns:
        The sum per degree of freedom, and its p-value; 1 and 1 with fewer than two pairings.
    """
    games = field.table().astype(np.float64)
    number = games.sum(axis=2)
    surplus = games[:, :, 0] + games[:, :, 1] / 2 - number * score
    own = number * variance * inflation
    one, other = np.nonzero(np.triu(np.minimum(number, number.T) > 0, 1))
    surplus, own = surplus + surplus.T, own + own.T
    known = own[one, other] > _LEAST_VARIANCE
    one, other = one[known], other[known]
    degrees = len(one) - 1
    if degrees < 1:
        return 1.0, 1.0
    total = float((surplus[one, other] ** 2 / own[one, other]).sum())
    return total / degrees, float(special.chdtrc(degrees, total))


def names(bots: Sequence[str], indices: Sequence[int], most: int = 5) -> str:
    """Return the names of bots; of many, the first few and the number of the others."""
    named = ", ".join(bots[index] for index in indices[:most])
    return f"{named} and {len(indices) - most} more" if len(indices) > most else named
