"""Shoot where a ship most probably lies, given everything that was reported.

Idea: the posterior of the opponent's layouts gives the probability that a ship lies on each cell.
It is counted exactly where few ships are unexplained, and sampled without bias where there are
many. For a salvo, layouts are drawn from the joint posterior, and it searches for the set of cells
whose answer distinguishes most of them and that hits most: the cells with the highest probabilities
lie close together, and their answers would say little. ``--salvo marginals`` and ``--salvo
sequence`` (each cell as if those before it had missed) are there for comparison. Where hits are
only counted, reports may be lies, the fleet is unknown or ships move, layouts that agree with what
was reported are drawn at every move instead; ships that move are all hit once before any is sunk.
Its own fleet lies where shooters like itself look late, and ships that move go where
the opponent shot last.

Source: the greedy rule of Austin Rochford's article on Battleship and Bayesian search theory, with
an exact posterior where his is sampled.

Cost of a move: one posterior, at most some thousand rows of a matrix product; for a salvo two
thousand layouts besides. Where layouts are drawn instead, some thousand of them, ship by ship.
"""

import argparse
import functools
import math
from collections.abc import Sequence

from arena import run
from bots.tactics.posterior.belief import Belief, highest
from bots.tactics.posterior.salvo import HIT_BITS, best_salvo, likely_salvo
from bots.tactics.posterior.sampling import SamplingBot

SALVOS = ("set", "marginals", "sequence")


class PosteriorGreedy(SamplingBot):
    """Shoots the cell with the highest posterior probability, or the best set of cells."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def __init__(self, salvo: str = "set", hit_bits: float = HIT_BITS) -> None:
        self.salvo, self.hit_bits = salvo, hit_bits

    def choose_by_belief(self, belief: Belief, count: int) -> Sequence[int]:
        """Return the best cell, ties at random, or the best set of cells."""
        if count == 1 and (certain := belief.certain()):
            return [self.random.choice(certain)]
        if count == 1 or self.salvo == "marginals":
            return highest(belief.cells(), self.untried, count, self.random)
        if self.salvo == "sequence":
            return likely_salvo(self, belief, count)
        return best_salvo(self, belief, count, self.hit_bits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The exact posterior's best cells.")
    parser.add_argument("--salvo", choices=SALVOS, default="set")
    parser.add_argument("--hit-bits", type=float, default=HIT_BITS)
    options = parser.parse_args()
    if not 0 <= options.hit_bits < math.inf:
        parser.error(f"--hit-bits {options.hit_bits}: give a number from 0")
    run(functools.partial(PosteriorGreedy, options.salvo, options.hit_bits))
