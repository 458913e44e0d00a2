"""A network that names the whole salvo, trained by an actor and a critic that sees the layout.

Idea: the sources' networks leave some 10 to 40% to the optimum of small games. The same kind of
network comes within 5% of it when turns are the reward, a critic that sees the hidden layout judges
each turn, and games are played by the batch. It plays its likeliest salvo. The weights lie beside
it, one file a game, and any that `salvo train actor_critic` makes may be put in their place.

Source: Amrit Ramesh and Jonathan Landy for the games and the network; Baisero and Amato, Unbiased
asymmetric reinforcement learning under partial observability, for the critic.

Cost of a move: one pass through the network, some 20,000 products on 4x4 cells.
"""

from pathlib import Path

from arena import run
from bots.tactics.learned.salvo_network import SalvoNetworkBot


class ActorCritic(SalvoNetworkBot):
    """Plays by the weights beside it."""

    author = "Salvo"
    version = "1.0"
    folder = Path(__file__).parent


if __name__ == "__main__":
    run(ActorCritic)
