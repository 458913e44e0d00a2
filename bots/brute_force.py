"""Count placements ship by ship; once few layouts are left, count all of them.

Idea: while there are too many layouts, each cell is scored by the placements of each ship afloat as
if it were alone, with those over open hits counting more. Once there can be at most ``LAYOUTS``
layouts, it counts every one and shoots the cell that most of them cover.

Source: the "brute force" approach that a wiki page on a Battleship program lists among others: all
layouts cannot be tried at the start of a game, but towards its end they can.

Cost of a move: every placement of every ship, or every layout that is left.
"""

from collections.abc import Sequence

from arena import run
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import highest
from bots.tactics.posterior.posterior import Effort

LAYOUTS = 100_000


class BruteForce(BayesianBot):
    """Goes by the density of placements first, by every layout in the endgame."""

    author = "Salvo"
    version = "1.0"
    effort = Effort(limit=LAYOUTS, rounds=1)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most layouts, or else placements, cover."""
        belief = self.reader.read()
        few = belief.most_layouts() <= LAYOUTS
        cells = belief.cells() if few else belief.density()
        return highest(cells, self.untried, count, self.random)


if __name__ == "__main__":
    run(BruteForce)
