"""Landy's learning agent: a small network that names the next cell of a row.

Idea: one hidden layer of ten tanh units over what is known of each cell, trained by the policy
gradient on nothing but games. It plays its likeliest cell. The weights lie beside it, and any that
`salvo train landy` makes may be put in their place.

Source: Jonathan Landy, Deep reinforcement learning, battleship: a row of 10 with one ship of 3,
trained as there for 10,000 games. The optimum is 4.5 turns.

Cost of a move: one pass through the network, some 200 products.
"""

from pathlib import Path

from arena import run
from bots.tactics.learned.salvo_network import SalvoNetworkBot


class Landy(SalvoNetworkBot):
    """Plays by the weights beside it."""

    author = "Salvo"
    version = "1.0"
    folder = Path(__file__).parent


if __name__ == "__main__":
    run(Landy)
