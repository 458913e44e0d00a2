"""Shoot where a ship lies with the highest probability, all that was told taken into account.

Idea: the posterior of the opponent's layouts says for each cell how likely a ship lies there. It is
counted out exactly where few ships are unexplained, and sampled without bias where there are many.
For a salvo, layouts are drawn from the joint posterior, and the set of cells is looked for whose
answer tells most of them apart and hits most: the cells with the largest probabilities would all
lie together, and teach little. ``--salvo marginals`` and
``--salvo sequence`` (each cell as if those before it had missed) are there to compare with.

Source: the greedy rule of Austin Rochford's article on Battleship and Bayesian search theory, with
the posterior exact where his is sampled.

Cost of a move: one posterior, some thousand rows of a matrix product at most; for a salvo
``LAYOUTS`` layouts besides.
"""

import argparse
import functools
from collections.abc import Sequence

from arena import Bot, run
from arena.rules import RulesView
from bots.posterior import (
    Belief,
    ImpossibleEvidenceError,
    best_set,
    can_follow,
    highest,
    likely_set,
)

LAYOUTS = 2_000
HIT_BITS_ALONE = 0.5
HIT_BITS = 6.0
"""How many bits of information an expected hit is worth.

Alone only the last ship counts, and information is what finds it soonest; for two every ship that
is sunk early takes a shot from the opponent.
"""
SALVOS = ("set", "marginals", "sequence")


class PosteriorGreedy(Bot):
    """Takes the cell with the highest posterior probability, or the best set of cells."""

    author = "Salvo"
    version = "1.0"

    def __init__(self, salvo: str = "set", hit_bits: float = HIT_BITS) -> None:
        self.salvo, self.hit_bits = salvo, hit_bits

    def plays(self, rules: RulesView) -> bool:
        """Tell whether the fleet is known, and cells are told truly of ships that stay."""
        return can_follow(rules)

    def game_begins(self) -> None:
        """Start from an unknown sea."""
        self.belief = Belief(self)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the best cell, ties at random, or the best set of cells."""
        self.belief.read()
        if count == 1 and (certain := self.belief.certain()):
            return [self.random.choice(certain)]
        if count == 1 or self.salvo == "marginals":
            return highest(self.belief.cells(), self.untried, count, self.random)
        try:
            layouts = self.belief.posterior().draw(LAYOUTS, self.belief.random)
        except ImpossibleEvidenceError:
            return highest(self.belief.density(), self.untried, count, self.random)
        if self.salvo == "sequence":
            return likely_set(layouts, self.untried, count)
        hit_bits = HIT_BITS_ALONE if self.solo else self.hit_bits
        return best_set(layouts, self.untried, count, hit_bits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The exact posterior's best cells.")
    parser.add_argument("--salvo", choices=SALVOS, default="set")
    parser.add_argument("--hit-bits", type=float, default=HIT_BITS)
    options = parser.parse_args()
    run(functools.partial(PosteriorGreedy, options.salvo, options.hit_bits))
