"""Compares any two bots of a fitted field, also those that won or lost everything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from leaderboards.elo.extremes import LOWER, Extreme, ExtremeBounds
from leaderboards.elo.fit import Fit
from leaderboards.elo.game_counts import Floats
from leaderboards.elo.intervals import limits


@dataclass(frozen=True, slots=True)
class JointFit:
    """Compares any two bots of a fitted field."""

    fit: Fit
    kept: tuple[int, ...]  # their indices among all bots
    bounds: ExtremeBounds
    extremes: Mapping[int, Extreme]  # by index of a bot with a bound

    def differences(
        self, pairs: Sequence[tuple[int, int]], quantiles: Floats | float | None = None
    ) -> tuple[Floats, Floats]:
        """Return limits (B,) in nats of the leads of B pairs; NaN where there are none.

        They lie `quantiles` (B,) standard deviations away: without any, those of Student's 95%.
        """
        chosen = self.fit.quantile() if quantiles is None else quantiles
        quantiles = np.broadcast_to(chosen, len(pairs))
        low, high = np.full((2, len(pairs)), np.nan)
        place = {bot: index for index, bot in enumerate(self.kept)}
        inner = [
            row
            for row, (one, other) in enumerate(pairs)
            if {one, other} <= place.keys()
            and not {one, other} & self.extremes.keys()
            and np.isfinite(quantiles[row])
        ]
        directions = np.zeros((len(inner), len(self.fit.naive)))
        for row, index in enumerate(inner):
            one, other = pairs[index]
            directions[row, place[one]], directions[row, place[other]] = 1, -1
        low[inner], high[inner] = limits(self.fit, directions, quantiles[inner])
        for row, (one, other) in enumerate(pairs):
            for bot, beside, sign in ((one, other, 1), (other, one, -1)):
                extreme = self.extremes.get(bot)
                if extreme is None or beside not in extreme.among or np.isinf(quantiles[row]):
                    continue
                value = sign * self.bounds.bound(extreme, quantiles[row], beside)
                if (extreme.side == LOWER) == (sign == 1):
                    low[row] = np.fmax(low[row], value)
                else:
                    high[row] = np.fmin(high[row], value)
        return low, high
