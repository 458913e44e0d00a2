"""Landy's learning agent: a small network that names the next cell of a row.

Idea: one hidden layer of ten tanh units over what is known of each cell, trained by the policy
gradient on nothing but games. It plays its likeliest cell. The weights lie beside it, and any that
`salvo train landy` makes may be put in their place.

Source: Jonathan Landy, Deep reinforcement learning, battleship: a row of 10 with one ship of 3,
trained as there for 10,000 games. The optimum is 4.5 turns.

Cost of a move: one pass through the network, some 200 products.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.learned.salvo_network import network_for, networks_in


class Landy(Bot):
    """Plays the games that its weights are for."""

    author = "Salvo"
    version = "1.0"

    def __init__(self) -> None:
        self.networks = networks_in(Path(__file__).parent)

    def plays(self, rules: RulesView) -> bool:
        """Tell whether there are weights for these rules."""
        return network_for(self.networks, rules) is not None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the likeliest cell."""
        network = network_for(self.networks, self.rules)
        assert network is not None, "it said that it plays these rules"
        board = np.full(self.rules.cells, -1)
        board[self.shot] = 0
        board[self.hits] = 1
        return network.choose(board, np.zeros(0), count)


if __name__ == "__main__":
    run(Landy)
