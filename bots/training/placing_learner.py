"""Learns where to hide, by policy gradient: layouts that did better than expected become likelier.

Source: Williams, Simple statistical gradient-following algorithms for connectionist reinforcement
learning (1992), with a bonus for entropy and the steps of Adam (Kingma and Ba, 2015).
"""

import numpy as np
from numpy.typing import NDArray

from bots.tactics.learned.placing_policy import Drawn, PlacingPolicy, placements_of
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.placement.hard_layouts import Floats, features
from bots.tactics.placement.weighted_layouts import FLEET

BETA_1, BETA_2 = 0.9, 0.999  # of Adam, as its paper has them
TINY = 1e-8


class PlacingLearner:
    """A ``PlacingPolicy`` and the steps of Adam.

    Args:
        entropy: The bonus for entropy, in standard deviations of what a layout merits.
    """

    def __init__(self, entropy: float) -> None:
        self._entropy = entropy
        self.policy = PlacingPolicy.untrained()
        parts = self._parts
        self._means = {name: np.zeros_like(part) for name, part in parts.items()}
        self._squares = {name: np.zeros_like(part) for name, part in parts.items()}
        self._steps = 0

    @property
    def _parts(self) -> dict[str, Floats]:
        return {"places": self.policy.places, "pairs": self.policy.pairs}

    def step(self, drawn: Drawn, merits: Floats, rate: float) -> None:
        """Take one step towards layouts by their merits, whose mean is to be 0: (layouts,)."""
        self._steps += 1
        for name, slope in self._gradient(drawn, merits).items():
            self._means[name] += (1 - BETA_1) * (slope - self._means[name])
            self._squares[name] += (1 - BETA_2) * (slope**2 - self._squares[name])
            mean = self._means[name] / (1 - BETA_1**self._steps)
            square = self._squares[name] / (1 - BETA_2**self._steps)
            self._parts[name] += rate * mean / (np.sqrt(square) + TINY)

    def _gradient(self, drawn: Drawn, merits: Floats) -> dict[str, Floats]:
        number = len(features().names)
        found = {name: np.zeros_like(part) for name, part in self._parts.items()}
        for ship in range(len(FLEET)):
            own, odds = placements_of(ship), drawn.chances[ship]
            logarithms = np.log(odds + TINY)
            entropy = -(odds * logarithms).sum(axis=1, keepdims=True)
            slope = -odds * (merits[:, None] + self._entropy * (logarithms + entropy))
            slope += merits[:, None] * (own == drawn.ships[:, ship, None])
            slope /= len(merits)
            found["places"][ship] = np.bincount(features().places[own], slope.sum(axis=0), number)
            for other in range(ship):
                pairs = features().pairs[np.ix_(drawn.ships[:, other], own)]
                found["pairs"][ship, other] = np.bincount(pairs.ravel(), slope.ravel(), number)
        return found

    def state(self) -> dict[str, NDArray[np.generic]]:
        """Return the weights and what Adam keeps, as arrays that may be changed."""
        kept: dict[str, NDArray[np.generic]] = {"steps": np.array(self._steps)}
        for kind, arrays in self._kept().items():
            kept |= {f"{kind}:{name}": part.copy() for name, part in arrays.items()}
        return kept

    def restore(self, state: Arrays) -> None:
        """Go on from what ``state`` returned."""
        self._steps = int(state["steps"])
        for kind, arrays in self._kept().items():
            for name, part in arrays.items():
                part[:] = state[f"{kind}:{name}"]

    def _kept(self) -> dict[str, dict[str, Floats]]:
        return {"weights": self._parts, "mean": self._means, "square": self._squares}
