"""Draw whole layouts among those that are still possible, and shoot where most of them have a ship.

Idea: place the fleet at random many times, always in agreement with every answer so far, and count
how often each cell is covered. The ships that were hit are placed first, in one of all the ways
that explain the hits; then the others where there is room. Layouts that this draws too often are
given less weight, so that on average every layout counts once.

Source: the "Monte Carlo" approach that a wiki page on a Battleship program lists among others, with
the random choice among possible placements alone, which its author found too hard.

Cost of a move: all explanations of the hits, and ``LAYOUTS`` layouts drawn.
"""

from collections.abc import Sequence

from arena import run
from bots.tactics.posterior.bayesian_bot import BayesianBot
from bots.tactics.posterior.belief import highest
from bots.tactics.posterior.posterior import Effort

LAYOUTS = 1_000


class MonteCarlo(BayesianBot):
    """Counts how many layouts drawn at random cover each cell."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    effort = Effort(limit=LAYOUTS, draws=LAYOUTS, rounds=1)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most of the drawn layouts cover."""
        belief = self.reader.read()
        layouts = belief.posterior().draw(LAYOUTS, belief.random)
        covered = layouts.hits().astype(float) / layouts.number
        return highest(covered, self.untried, count, self.random)


if __name__ == "__main__":
    run(MonteCarlo)
