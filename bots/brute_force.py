"""Count placements ship by ship; once few layouts are left, count them all.

Idea: as long as the layouts are too many, each cell is scored by the placements of each ship afloat
as if it were alone, those over open hits counting more. As soon as there can be no more layouts
than ``LAYOUTS``, every one is counted, and the cell that most of them cover is shot.

Source: the "brute force" approach that a wiki page on a Battleship program names among the others:
all layouts cannot be tried at the start of a game, but towards its end they can.

Cost of a move: every placement of every ship, or every layout that is left.
"""

from collections.abc import Sequence

from arena import run
from bots.tactics.posterior import BayesianBot, Effort, highest

LAYOUTS = 100_000


class BruteForce(BayesianBot):
    """Density first, exact in the endgame."""

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
