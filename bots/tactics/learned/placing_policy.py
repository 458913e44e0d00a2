"""Places the standard fleet as it was learned: ship by ship, the longest first, by a softmax.

What a placement scores is a sum of learned numbers: one for where it lies, and one for how it lies
to each ship that was placed before. Placements that turning and mirroring makes of each other count
the same, so that no corner is preferred; see ``bots.tactics.placement.hard_layouts.Features``.

``bots.training.placing_learner`` trains it.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import Layout, Ship
from bots.tactics.learned.weight_files import Arrays
from bots.tactics.placement.hard_layouts import MASKS, Counts, Floats, Indices, features
from bots.tactics.placement.weighted_layouts import FLEET

NEVER = -1e9  # the score of a placement that lies on another ship


class Drawn(NamedTuple):
    """Layouts that were drawn.

    Attributes:
        ships: The placement of each ship, numbered in ``MASKS``, (layouts, ships).
        chances: For each ship how likely each of its placements was, (layouts, placements).
    """

    ships: Indices
    chances: Sequence[Floats]

    def masks(self, layout: int, fleet: Sequence[Ship]) -> Layout:
        """Return the masks of a layout, in the order of a fleet."""
        longest_first = sorted(range(len(fleet)), key=lambda ship: -fleet[ship].length)
        masks = [0] * len(fleet)
        for ship, number in zip(longest_first, self.ships[layout], strict=True):
            masks[ship] = MASKS[number]
        return tuple(masks)


class PlacingPolicy:
    """A way to place the fleet.

    Args:
        places: What each feature of where a ship lies counts, (ships, features).
        pairs: What each feature of how a ship lies to an earlier one counts,
            (ships, ships, features).
    """

    def __init__(self, places: Floats, pairs: Floats) -> None:
        self.places, self.pairs = places, pairs

    @classmethod
    def untrained(cls) -> "PlacingPolicy":
        """Return the policy to which all placements of a ship are alike."""
        ships, number = len(FLEET), len(features().names)
        return cls(np.zeros((ships, number)), np.zeros((ships, ships, number)))

    @classmethod
    def of(cls, arrays: Arrays) -> "PlacingPolicy":
        """Return the policy of some weights, as ``arrays`` returns them."""
        return cls(arrays["placing_places"].astype(float), arrays["placing_pairs"].astype(float))

    def arrays(self) -> dict[str, Counts]:
        """Return the weights."""
        return {
            "placing_places": self.places.astype(np.float32),
            "placing_pairs": self.pairs.astype(np.float32),
        }

    def draw(self, number: int, random: np.random.Generator) -> Drawn:
        """Return so many layouts."""
        ships = np.zeros((number, len(FLEET)), np.intp)
        chances = []
        for ship in range(len(FLEET)):
            scores = self.scores(ship, ships[:, :ship])
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
            odds /= odds.sum(axis=1, keepdims=True)
            bounds = odds.cumsum(axis=1)
            drawn = random.random((number, 1)) * bounds[:, -1:]
            ships[:, ship] = placements_of(ship)[(bounds <= drawn).sum(axis=1)]
            chances.append(odds)
        return Drawn(ships, chances)

    def scores(self, ship: int, earlier: Indices) -> Floats:
        """Return what each placement of a ship scores, (layouts, placements).

        ``earlier`` are the placements of the ships before it, (layouts, ships).
        """
        own = placements_of(ship)
        scores = np.tile(self.places[ship, features().places[own]], (len(earlier), 1))
        for other, placed in enumerate(earlier.T):
            scores += self.pairs[ship, other, features().pairs[np.ix_(placed, own)]]
            scores[_overlaps()[np.ix_(placed, own)]] = NEVER
        return scores


@lru_cache(maxsize=len(FLEET))
def placements_of(ship: int) -> Indices:
    """Return the placements of a ship, numbered in ``MASKS``."""
    return np.array([n for n, mask in enumerate(MASKS) if mask.bit_count() == FLEET[ship]])


@lru_cache(maxsize=1)
def _overlaps() -> NDArray[np.bool_]:
    """Return which two placements share a cell, (placements, placements)."""
    return np.array([[one & other != 0 for other in MASKS] for one in MASKS])
