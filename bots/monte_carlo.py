"""Draw whole layouts among those that are still possible, and shoot where most of them have a ship.

Idea: place the fleet at random many times, only ever where it agrees with every answer so far, and
count how often each cell is covered. The ships that were hit are placed first, in one of all the
ways that explain the hits; then the others where there is room. Layouts that this finds too often
count less, so that in the mean every layout counts once.

Source: the "Monte Carlo" approach that a wiki page on a Battleship program names among the others,
with the random choice only among the possible placements that its author found too hard.

Cost of a move: all explanations of the hits, and ``LAYOUTS`` layouts drawn.
"""

from collections.abc import Sequence

from arena import run
from bots.tactics.posterior import BayesianBot, Effort, highest

LAYOUTS = 1_000


class MonteCarlo(BayesianBot):
    """Counts the cells of layouts drawn at random."""

    author = "Salvo"
    version = "1.0"
    effort = Effort(limit=LAYOUTS, draws=LAYOUTS, rounds=1)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most of the layouts drawn cover."""
        belief = self.reader.read()
        layouts = belief.posterior().draw(LAYOUTS, belief.random)
        return highest(layouts.mean(axis=0), self.untried, count, self.random)


if __name__ == "__main__":
    run(MonteCarlo)
