"""Compares a published number with ours: whether the two agree, and the row of the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import stats

from benchmarks.games.estimates import Estimate

LEVEL = 0.95
NORMAL = float(stats.norm.ppf((1 + LEVEL) / 2))
"""How many standard errors a mean of many games is off by chance, at most."""
TAKEN_GAMES = 1000
"""How many games a published mean is assumed to cover where the source does not say."""


def quantile_limits(values: Sequence[float], share: float, games: int) -> tuple[float, float]:
    """Return the two numbers between which a quantile of some games lies with 95% probability.

    Args:
        values: Games of the same player.
        share: Which quantile; 0 is the least and 1 the largest of all.
        games: How many games the quantile is one of.
    """
    rank = min(int(share * games), games - 1)
    # The value of that rank among uniform numbers follows a beta distribution.
    limits = stats.beta.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2], rank + 1, games - rank)
    low, high = np.quantile(values, limits, method="inverted_cdf").tolist()
    return low, high


@dataclass(frozen=True)
class Published:
    """A published number beside ours.

    Attributes:
        theirs: What was published, as it was printed; None where no number was.
        ours: Ours, played; None where it is not played.
        exact: Ours, computed; None where it is not.
        deviation: The standard deviation of one game, where ``exact`` is given.
        games: How many games theirs is the mean of; 0 if it is computed too.
        limits: Between which numbers theirs should lie, where theirs is no mean.
        note: Where theirs differs, why; else what there is to know.
    """

    what: str
    theirs: str | None = None
    ours: Estimate | None = None
    exact: float | None = None
    deviation: float = 0.0
    games: int = TAKEN_GAMES
    limits: tuple[float, float] | None = None
    note: str = ""

    @property
    def agrees(self) -> bool | None:
        """Return whether chance explains the difference; None where nothing was published.

        That is, whether theirs lies no farther from the exact value, or else from our mean, than
        95% of means of as many games would, rounded as it is.
        """
        if self.theirs is None:
            return None
        theirs = float(self.theirs)
        rounding = 0.5 * 10.0 ** -len(self.theirs.partition(".")[2]) * (1 + 1e-9)
        if self.limits is not None:
            return self.limits[0] - rounding <= theirs <= self.limits[1] + rounding
        spread = self.deviation if self.ours is None else self.ours.deviation
        half = NORMAL * spread / sqrt(self.games) if self.games else 0.0
        if self.exact is not None:
            return abs(theirs - self.exact) <= half + rounding
        assert self.ours is not None
        return abs(theirs - self.ours.value) <= sqrt(half**2 + self.ours.half**2) + rounding

    def cells(self) -> list[str]:
        """Return the row of the table."""
        ours = ""
        if self.limits is not None:
            ours = f"{self.limits[0]:g} to {self.limits[1]:g}"
        elif self.ours is not None:
            ours = f"{self.ours:.2f}"
        exact = "" if self.exact is None else f"{self.exact:.6f}"
        verdict = {True: "yes", False: "no", None: ""}[self.agrees]
        return [self.what, self.theirs or "", ours, exact, verdict]
