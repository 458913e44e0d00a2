"""A network that learned from hidden layouts where ships lie.

Idea: a convolutional network looks at the board in rounds; in each it names, for every ship, how
likely each placement is, and sees what it named for all ships in the next. It is given nothing but
what the arena tells: no count of placements and no posterior. It shoots where a ship is likeliest,
corrected by what it learned to be worth more. For a salvo it draws layouts, each ship by the
probabilities that the network gave, keeps those that agree with the hits, and searches for the set
of cells whose answer says and hits most, as `posterior_greedy` does over layouts of the posterior.
Before each look the board is turned or mirrored at random, so that nobody can place by its habits.
The weights lie beside it. Those that `salvo train deep_adjusted` or `salvo train deep_salvo` makes
may be put in their place.

With `--posterior`, one shot a turn, it does not guess how likely each cell has a ship: it is shown
the posterior, and says what a shot is worth beyond that. Those weights learned from trials: what
games cost after cells that chance had chosen.

Source: taught and improved by `bots/training/deep_adjusted.py`, and with the posterior by
`bots/training/deep_trials.py`, which name their own.

Cost of a move: 40 million multiplications in numpy, and for a salvo two thousand layouts besides;
with the posterior 20 million, and a posterior.
"""

import argparse
import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import run
from arena.rules import RulesView
from bots.tactics.learned.placement_network import SHOWN
from bots.tactics.learned.placement_network_bot import PlacementNetworkBot
from bots.tactics.posterior.bayesian_bot import BeliefReader
from bots.tactics.posterior.belief import can_follow

FOLDER = Path(__file__).parent
TRAINED = FOLDER / SHOWN.name
"""Weights that are shown the posterior, where training put them beside the bot in place of those
that it shares with others; any other file is of a network that is not shown it."""


class DeepSalvo(PlacementNetworkBot):
    """Shoots where its network finds a ship likeliest."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def __init__(self, *, posterior: bool = False) -> None:
        others = [path for path in FOLDER.glob("*.npz") if path != TRAINED]
        # A folder that `salvo train deep_posterior` made has none of the others.
        self.is_shown = posterior or not others
        shown = TRAINED if TRAINED.exists() else SHOWN
        super().__init__(shown if self.is_shown else others[0])

    def plays(self, rules: RulesView) -> bool:
        """Return whether it was trained for the board and fleet, any number of shots a turn."""
        return super().plays(rules) and (not self.is_shown or can_follow(rules))

    def game_begins(self) -> None:
        """Nothing is known yet."""
        super().game_begins()
        self.reader = BeliefReader(self) if self.is_shown else None

    def posterior(self) -> NDArray[np.float64] | None:
        """Return how likely each cell has a ship, if the network is to be shown that."""
        return None if self.reader is None else self.reader.read().cells()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Shoots where its network finds a ship likeliest.")
    parser.add_argument("--posterior", action="store_true", help="be shown the posterior")
    options = parser.parse_args()
    run(functools.partial(DeepSalvo, posterior=options.posterior))
