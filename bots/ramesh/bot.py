"""Ramesh's learning agent: a network that names the whole salvo.

Idea: Landy's network with one output for each set of cells that a salvo may have, trained by the
policy gradient. It plays its likeliest salvo. The weights lie beside it, one file a game, and any
that `salvo train ramesh` makes may be put in their place.

Source: Amrit Ramesh, Deep reinforcement learning to train an AI to play Battleship Salvo: his five
cases, trained as there for 10,000 games, with the hits that chance expects counted for every shot.

Cost of a move: one pass through the network, some 10,000 products on 5x5 cells.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.learned.salvo_network import network_for, networks_in


class Ramesh(Bot):
    """Plays the games that its weights are for."""

    author = "Salvo"
    version = "1.0"

    def __init__(self) -> None:
        self.networks = networks_in(Path(__file__).parent)

    def plays(self, rules: RulesView) -> bool:
        """Tell whether there are weights for these rules."""
        return network_for(self.networks, rules) is not None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the likeliest salvo."""
        network = network_for(self.networks, self.rules)
        assert network is not None, "it said that it plays these rules"
        board = np.full(self.rules.cells, -1)
        board[self.shot] = 0
        board[self.hits] = 1
        fleet = sorted(self.rules.opponent_fleet or (), key=lambda ship: -ship.length)
        sunk = np.array([ship not in self.afloat for ship in fleet], dtype=float)
        return network.choose(board, sunk, count)


if __name__ == "__main__":
    run(Ramesh)
