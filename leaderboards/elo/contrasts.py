"""By how much one bot is ahead of another, for any two bots of a fitted field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboards.elo.field import Floats
from leaderboards.elo.fit import Fit
from leaderboards.elo.intervals import limits
from leaderboards.elo.outside import Outside
from leaderboards.elo.peeling import LOWER, Outsider


@dataclass(frozen=True, slots=True)
class Inside:
    """The fit behind an estimate.

    Attributes:
        fit: The fit of the bots rated jointly.
        kept: Their indices among all bots.
        outside: The others, and how they are bounded.
        outsiders: By index of a bot with a bound.
    """

    fit: Fit
    kept: tuple[int, ...]
    outside: Outside
    outsiders: Mapping[int, Outsider]

    def differences(self, pairs: Sequence[tuple[int, int]]) -> tuple[Floats, Floats]:
        """Return the 95% limits of the lead of one bot over another.

        Args:
            pairs: Indices of B bots and of those they are compared with.

        Returns:
            (B,) lower and (B,) upper limits in nats; NaN where the games give none.
        """
        low, high = np.full((2, len(pairs)), np.nan)
        place = {bot: index for index, bot in enumerate(self.kept)}
        inner = [
            row
            for row, (one, other) in enumerate(pairs)
            if {one, other} <= place.keys() and not {one, other} & self.outsiders.keys()
        ]
        directions = np.zeros((len(inner), len(self.fit.naive)))
        for row, index in enumerate(inner):
            one, other = pairs[index]
            directions[row, place[one]], directions[row, place[other]] = 1, -1
        low[inner], high[inner] = limits(self.fit, directions)
        for row, (one, other) in enumerate(pairs):
            for bot, beside, sign in ((one, other, 1), (other, one, -1)):
                outsider = self.outsiders.get(bot)
                if outsider is None or beside not in outsider.among:
                    continue
                value = sign * self.outside.bound(outsider, beside)
                if (outsider.side == LOWER) == (sign == 1):
                    low[row] = np.fmax(low[row], value)
                else:
                    high[row] = np.fmin(high[row], value)
        return low, high
