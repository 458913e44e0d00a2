"""Evaluates the likelihood near its maximum quickly, where few bots move far.

To ask how sure the difference of two bots is moves these two, and hardly anybody else. So the games
of bots that move far count as they are, and those between all others by the quadratic expansion at
the maximum: work that grows with the bots, where the whole likelihood grows with their square.

What that leaves out is bounded. The third derivative of the logarithm of a sum of odds is a third
cumulant, and that of numbers that span s is s^3 / (6 sqrt 3) at most, since two ends are the most
skewed. So goes Taylor's remainder of one game; Minkowski's inequality adds up the games of bots
that hardly move.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from leaderboards.elo.game_counts import Floats, Integers
from leaderboards.elo.likelihood import (
    ADVANTAGE,
    EXTRA,
    TIE,
    Chances,
    Evidence,
    chances,
    chances_of,
    gradient,
    information,
    lead,
    log_likelihood,
)

_REMAINDER = 1 / (6 * np.sqrt(3)) / 6
"""Bounds the error of the expansion for one game, times the cube of how far it moves."""

_FAR = (2, 8, 32)  # how many bots may move far: as few of these numbers as the bound allows
_WORTHWHILE = 12  # a field of fewer than so many times as many bots is as quickly taken whole
_WHOLE_NUMBERS, _NUMBERS = 4_000_000, 200_000
"""Limits of the size of a batch: numbers in tables (M, M), and in rows (F, M) of them."""


class Likelihood:
    """Evaluates the likelihood as it is, for batches of parameters."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def value(self, there: Floats) -> Floats:
        """Return the log-likelihood (B,) of parameters (B, P)."""
        return log_likelihood(self._evidence, there)

    def gradient(self, there: Floats, rows: Integers) -> Floats:
        """Return its derivatives (R, P) at the parameters (R, P) of some rows of the batch."""
        del rows
        return gradient(self._evidence, there)


Solve = Callable[[Integers, Likelihood], tuple[Floats, Floats]]
"""Of some rows of a batch, by their numbers (R,): what is sought (R,), and the parameters (R, P)
where it was found."""


class Expansion:
    """Expands the likelihood around its maximum, for batches of any size.

    Attributes:
        by_seat: What is known of games at the maximum, tables with the first seat in rows, and with
            the second: games, leads, whether draws count, and the moments of ``Chances``.
        slope: (P,) its derivatives.
        curvature: (P, P) minus its second derivatives.
    """

    def __init__(self, evidence: Evidence, maximum: Floats) -> None:
        self.evidence, self.maximum = evidence, maximum
        self.games = evidence.games
        moments = chances(maximum, evidence.drawable)
        first = self.games, lead(maximum), evidence.drawable, *moments
        self.by_seat = first, tuple(np.ascontiguousarray(table.T) for table in first)
        self.value = float(log_likelihood(evidence, maximum))
        self.slope, self.curvature = gradient(evidence, maximum), information(evidence, maximum)
        self._games_of = self.games.sum(axis=0) + self.games.sum(axis=1)

    def solved(self, starts: Floats, most: Floats, solve: Solve) -> Floats:
        """Return what is sought (B,), by as small a part of the games as is exact enough.

        The starts (B, P) are near to where it is sought; the likelihood may be wrong by `most` (B,)
        nats.
        """
        found = np.zeros(len(starts))
        left = np.arange(len(starts))
        size = len(self.games)
        for number in _FAR:
            if number * _WORTHWHILE > size:
                break
            far, error = self._far(starts[left], number)
            exact = error <= most[left]
            some, far = left[exact], far[exact]
            missed = [left[~exact]]
            for part in _parts(len(some), _NUMBERS // (number * size)):
                rows = some[part]
                found[rows], there = solve(rows, _PartlyExpanded(self, far[part]))
                missed.append(rows[self._error(there, far[part]) > most[rows]])
            left = np.concatenate(missed)
        for part in _parts(len(left), _WHOLE_NUMBERS // len(self.maximum) ** 2):
            found[left[part]], _ = solve(left[part], Likelihood(self.evidence))
        return found

    def _far(self, there: Floats, number: int) -> tuple[Integers, Floats]:
        farthest = np.argpartition(-self._cubes(there), number - 1, axis=1)[:, :number]
        return farthest, self._error(there, farthest)

    def _cubes(self, there: Floats) -> Floats:
        moved = (there - self.maximum)[:, :-EXTRA]
        mean = moved @ self._games_of / self._games_of.sum()
        return np.asarray(self._games_of * np.abs(moved - mean[:, None]) ** 3)

    def _error(self, there: Floats, far: Integers) -> Floats:
        """Return what the expansion is wrong by at most, in nats (B,), if some bots count whole."""
        cubes = self._cubes(there)
        np.put_along_axis(cubes, far, 0.0, axis=1)
        # A game moves by as much as its two seats, the advantage and the tie do: by Minkowski's
        # inequality. The games of both seats together are at least as many as those of either.
        seats = 2 * np.cbrt(cubes.sum(axis=1))
        extra = np.abs(there - self.maximum)[:, -EXTRA:].sum(axis=1) * np.cbrt(self.games.sum())
        return np.asarray(_REMAINDER * (seats + extra) ** 3)


@dataclass(frozen=True, slots=True)
class _Moved:
    """Games of bots that move far, in one of the seats; the arrays are (B, F, M)."""

    games: Floats
    lead: Floats  # by how much the first seat's lead moves
    tie: Floats  # (B, 1, 1) by how much the tie does
    before: Chances
    now: Chances


class _PartlyExpanded(Likelihood):
    """Takes games of some bots, `far` (B, F), as they are, and the others by the expansion."""

    def __init__(self, expansion: Expansion, far: Integers) -> None:
        self._expansion, self._far = expansion, far

    def value(self, there: Floats) -> Floats:
        """Return the log-likelihood (B,) of parameters (B, P)."""
        expansion = self._expansion
        moved = there - expansion.maximum
        found = expansion.value + moved @ expansion.slope
        found -= ((moved @ expansion.curvature) * moved).sum(axis=1) / 2
        for one in self._moved(moved, self._far):
            at = one.before
            straight = at.score * one.lead + at.draw * one.tie
            bent = at.variance * one.lead**2 + at.draw * (1 - at.draw) * one.tie**2
            bent -= 2 * at.score * at.draw * one.lead * one.tie
            left_out = one.now.log_total - at.log_total - straight - bent / 2
            found -= (one.games * left_out).sum(axis=(1, 2))
        return np.asarray(found)

    def gradient(self, there: Floats, rows: Integers) -> Floats:
        """Return its derivatives (R, P) at the parameters (R, P) of some rows of the batch."""
        expansion, far = self._expansion, self._far[rows]
        moved = there - expansion.maximum
        found = expansion.slope - moved @ expansion.curvature
        here = np.arange(len(far))[:, None]
        for sign, one in zip((1, -1), self._moved(moved, far), strict=True):
            at, mixed = one.before, one.before.score * one.before.draw
            score = one.now.score - at.score - at.variance * one.lead + mixed * one.tie
            points = one.games * score
            found[here, far] -= sign * points.sum(axis=2)
            found[:, :-EXTRA] += sign * points.sum(axis=1)
            found[:, ADVANTAGE] -= points.sum(axis=(1, 2))
            draw = one.now.draw - at.draw + mixed * one.lead
            draw -= at.draw * (1 - at.draw) * one.tie
            found[:, TIE] -= (one.games * draw).sum(axis=(1, 2))
        return np.asarray(found)

    def _moved(self, moved: Floats, far: Integers) -> Iterator[_Moved]:
        """Yield the games that bots which move far had in the first seat, and in the second."""
        expansion = self._expansion
        own = np.take_along_axis(moved, far, axis=1)[:, :, None]
        tie, advantage = moved[:, None, TIE, None], moved[:, None, ADVANTAGE, None]
        others = moved[:, None, :-EXTRA]
        for second, leads in enumerate((own - others + advantage, others - own + advantage)):
            games, before, drawable, *moments = (table[far] for table in expansion.by_seat[second])
            if second:  # those between two that both move far were counted above
                np.put_along_axis(games, np.repeat(far[:, None, :], far.shape[1], 1), 0.0, axis=2)
            now = chances_of(before + leads, expansion.maximum[TIE] + tie, drawable)
            yield _Moved(games, leads, tie, Chances(*moments), now)


def _parts(number: int, rows: int) -> Iterator[slice]:
    for start in range(0, number, max(1, rows)):
        yield slice(start, start + max(1, rows))
