"""Draws and describes layouts of the standard fleet as numbers, many at once.

A layout is a row of five placements, the longest ship first, each by its number among the
placements of all lengths. The two ships of three keep their order.
"""

from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rules import Layout, placements
from bots.tactics.placement.weighted_layouts import CAP, FLEET, MEAN, SIDE, class_of, read_table

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Indices = npt.NDArray[np.signedinteger[Any]]

CELLS = SIDE * SIDE
LENGTHS = sorted(set(FLEET), reverse=True)
MASKS = [mask for length in LENGTHS for mask in placements(SIDE, SIDE, length)]
AT_ONCE = 20_000
# The number of the first placement of each length, of all placements in one row.
FIRST = {length: [mask.bit_count() for mask in MASKS].index(length) for length in LENGTHS}
# Whether a placement covers a cell, (placements, cells).
COVERS = np.array([[mask >> cell & 1 for cell in range(CELLS)] for mask in MASKS], np.float32)


def draw_layouts(number: int, random: np.random.Generator) -> Indices:
    """Draw layouts uniformly, (number, ships)."""
    clear = features().clear
    found: list[Indices] = []
    while sum(map(len, found)) < number:
        drawn = np.stack(
            [
                FIRST[length] + random.integers(len(placements(SIDE, SIDE, length)), size=AT_ONCE)
                for length in FLEET
            ],
            axis=1,
        )
        legal = np.ones(len(drawn), bool)
        for one, two in combinations(range(len(FLEET)), 2):
            legal &= clear[drawn[:, one], drawn[:, two]]
        found.append(drawn[legal])
    return np.concatenate(found)[:number]


def masks_of(layout: Indices) -> Layout:
    """Return one layout, (ships,), as masks."""
    return tuple(MASKS[place] for place in layout.tolist())


class Features:
    """The features of layouts: the classes of their ships' placements.

    Attributes:
        names: What each feature is called in a table.
        classes: The feature of each placement, (placements,).
        clear: Whether two placements share no cell, (placements, placements).
    """

    def __init__(self) -> None:
        keys = [class_of(mask) for mask in MASKS]
        classes = sorted(set(keys), key=lambda key: (-len(key), key))
        self.names = ["+".join(map(str, cells)) for cells in classes]
        numbers = {key: number for number, key in enumerate(classes)}
        self.classes = np.array([numbers[key] for key in keys])
        self.clear = COVERS @ COVERS.T == 0

    def of(self, layouts: Indices) -> Floats:
        """Return the features of layouts, (layouts, features)."""
        found = np.zeros((len(layouts), len(self.names)), np.float32)
        every = np.arange(len(layouts))
        for ship in range(len(FLEET)):
            found[every, self.classes[layouts[:, ship]]] += 1
        return found


@lru_cache(maxsize=1)
def features() -> Features:
    """Return the features."""
    return Features()


class Tilt(NamedTuple):
    """A distribution of layouts: the uniform one times exp(score), the score a sum over features.

    All scores above the cap count the same; ``mean`` is that of exp(score) over all layouts.
    """

    scores: Doubles
    cap: float
    mean: float

    def odds(self, described: Floats) -> Doubles:
        """Return how many times likelier layouts are than under the uniform distribution.

        ``described`` are their features, (layouts, features).
        """
        scores = np.minimum(described @ self.scores.astype(np.float32), self.cap)
        return np.asarray(np.exp(scores.astype(float)) / self.mean, float)

    def draw(self, number: int, random: np.random.Generator) -> Indices:
        """Draw layouts, as ``place`` does."""
        kept = [np.zeros((0, len(FLEET)), np.int64)]
        while sum(map(len, kept)) < number:
            layouts = draw_layouts(AT_ONCE, random)
            odds = self.odds(features().of(layouts)) * self.mean / np.exp(self.cap)
            kept.append(layouts[random.random(AT_ONCE) < odds])
        return np.concatenate(kept)[:number]


def stored_tilt(name: str) -> Tilt:
    """Return the distribution for the game of a name: "classic" or "salvo"."""
    rows = read_table(name)
    scores = np.array([rows[feature] for feature in features().names])
    return Tilt(scores, rows[CAP], rows[MEAN])
