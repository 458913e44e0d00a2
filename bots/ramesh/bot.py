"""Ramesh's learning agent: a network that names the whole salvo.

Idea: Landy's network with one output for each set of cells that a salvo may have, trained by the
policy gradient. It plays its likeliest salvo. The weights lie beside it, one file a game, and any
that `salvo train ramesh` makes may be put in their place.

Source: Amrit Ramesh, Deep reinforcement learning to train an AI to play Battleship Salvo: his five
cases, trained as there for 10,000 games. The reward takes off the hits that chance expects of every
shot of a salvo, where his text has those of one; `salvo train ramesh --expected shot` is his.

Cost of a move: one pass through the network, some 10,000 products on 5x5 cells.
"""

from pathlib import Path

from arena import run
from bots.tactics.learned.salvo_network import SalvoNetworkBot


class Ramesh(SalvoNetworkBot):
    """Plays by the weights beside it."""

    author = "Salvo"
    version = "1.0"
    folder = Path(__file__).parent


if __name__ == "__main__":
    run(Ramesh)
