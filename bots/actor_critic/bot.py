"""A network that names the whole salvo, trained by an actor and a critic that sees the layout.

Idea: the sources' networks leave some 10 to 40% to the optimum of small games. The same kind of
network comes within 5% of it when turns are the reward, a critic that sees the hidden layout judges
each turn, and games are played by the batch. It plays its likeliest salvo. The weights lie beside
it, one file a game, and any that `salvo train actor_critic` makes may be put in their place.

Source: Amrit Ramesh and Jonathan Landy for the games and the network; Baisero and Amato, Unbiased
asymmetric reinforcement learning under partial observability, for the critic.

Cost of a move: one pass through the network, some 20,000 products on 4x4 cells.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.learned.salvo_network import network_for, networks_in


class ActorCritic(Bot):
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
        return network.choose(board, np.zeros(0), count)


if __name__ == "__main__":
    run(ActorCritic)
