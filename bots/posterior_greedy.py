"""Shoot where a ship most probably lies, given everything that was reported.

Idea: the posterior of the opponent's layouts gives the probability that a ship lies on each cell.
It is counted exactly where few ships are unexplained, and sampled without bias where there are
many. For a salvo, layouts are drawn from the joint posterior, and it searches for the set of cells
whose answer distinguishes most of them and that hits most: the cells with the highest probabilities
lie close together, and their answers would say little. ``--salvo marginals`` and ``--salvo
sequence`` (each cell as if those before it had missed) are there for comparison. Where hits are
only counted, reports may be lies, the fleet is unknown or ships move, layouts that agree with what
was reported are drawn at every move instead; ships that move are all hit once before any is sunk.
Its own fleet lies where shooters like itself look late.

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
from arena.rules import RulesView
from bots.tactics.own_fleet import OwnFleet
from bots.tactics.posterior import (
    HIT_BITS,
    BayesianBot,
    SampleReader,
    best_salvo,
    can_follow,
    can_sample,
    highest,
    likely_salvo,
)

MOVES = 0.5
"""How often it moves a ship, where ships move."""

SALVOS = ("set", "marginals", "sequence")


class PosteriorGreedy(BayesianBot):
    """Shoots the cell with the highest posterior probability, or the best set of cells."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    hides_fleet = True
    samples: SampleReader | None

    def __init__(self, salvo: str = "set", hit_bits: float = HIT_BITS) -> None:
        self.salvo, self.hit_bits = salvo, hit_bits

    def plays(self, rules: RulesView) -> bool:
        """Return whether the layouts left can be counted or sampled."""
        return can_follow(rules) or can_sample(rules)

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the rules."""
        self.samples = None
        self.own_fleet = OwnFleet(self)
        if can_follow(self.rules):
            super().game_begins()
        else:
            self.samples = SampleReader(self)

    def move_ship(self) -> tuple[str, Sequence[int]] | None:
        """Return any legal move, or half the time none."""
        moves = self.own_fleet.moves()
        return self.random.choice(moves) if moves and self.random.random() < MOVES else None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the best cell, ties at random, or the best set of cells."""
        if self.samples is not None:
            return self.samples.choose(count, self.hit_bits)
        belief = self.reader.read()
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
