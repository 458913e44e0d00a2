"""Enumerate all layouts that agree with the answers, and shoot where most of them have a ship.

Idea: with one ship in a row or on a small board there are so few layouts that all can be listed. It
shoots the cell that most of those left cover, the lowest of several. Fleets with too many layouts
to list are sampled, so that it plays those as well.

Source: the enumeration that Austin Rochford's article on Battleship begins with, for one ship in a
row and on a square. In rows nothing takes fewer turns; on the 5x5 square it beats his search on a
grid.

Cost of a move: one look at every placement left of the one ship.
"""

from collections.abc import Sequence

from arena import run
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import highest


class ThompsonEnumeration(BayesianBot):
    """Shoots the lowest of the cells that most of the remaining layouts cover."""

    author = "Salvo"
    version = "1.0"

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most layouts cover, the lowest first."""
        belief = self.reader.read()
        return highest(belief.cells(), self.untried, count)


if __name__ == "__main__":
    run(ThompsonEnumeration)
