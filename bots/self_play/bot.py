"""Plays the whole game as it learned by playing against itself and others.

Idea: it hides where opponents found its fleet late: ship by ship, each placement by what it scores
where it lies and how it lies to the ships before. It shoots by a network that, as `deep_salvo`'s,
tells how likely each placement of each ship is, and that learned from the fleets of those it met:
earlier selves, which hide well, and bundled bots. The weights lie beside it, and any that
`salvo train self_play` makes may be put in their place.

Source: trained by `bots/training/self_play.py`, which names its own.

Cost of a move: 20 million multiplications in numpy, for a salvo two thousand layouts besides.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from arena import run
from arena.rules import name_layout
from bots.tactics.learned.placement_network_bot import PlacementNetworkBot
from bots.tactics.learned.placing_policy import PlacingPolicy

WEIGHTS = Path(__file__).with_name("salvo.npz")


class SelfPlay(PlacementNetworkBot):
    """Hides where shooters look last, and shoots where others hide."""

    author = "Salvo"
    version = "1.0"

    def __init__(self) -> None:
        super().__init__(WEIGHTS)
        self.policy = PlacingPolicy.of(self.weights)

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        """Return a layout drawn as it learned to hide."""
        drawn = self.policy.draw(1, np.random.default_rng(self.random.getrandbits(64)))
        return name_layout(self.rules, drawn.masks(0, self.rules.fleet))


if __name__ == "__main__":
    run(SelfPlay)
