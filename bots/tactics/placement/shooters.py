"""Many games of a shooter that counts placements, played side by side, for the search for layouts.

The shooter is that of ``probability_density``, for one shot a turn and named sinkings, but it can
weight placements if it knows the distribution of layouts. It also learns where each sunk ship lay,
which is nearly always obvious.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from arena.rules import cells_of, placements
from bots.tactics.placement.scores import FLEET, SIDE
from bots.tactics.placement_counts import HIT_WEIGHT

__all__ = ["COVERS", "FIRST", "LENGTHS", "Floats", "Games", "Indices", "draw_layouts", "play"]

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.signedinteger[Any]]

CELLS = SIDE * SIDE
LENGTHS = sorted(set(FLEET), reverse=True)
MASKS = [mask for length in LENGTHS for mask in placements(SIDE, SIDE, length)]
FIRST = dict(
    zip(
        LENGTHS,
        np.cumsum([0, *(len(placements(SIDE, SIDE, length)) for length in LENGTHS)]).tolist(),
        strict=False,
    )
)
"""The number of the first placement of each length, of all placements in one row."""

BATCH = 2000


def _covers() -> Floats:
    covers = np.zeros((len(MASKS), CELLS), np.float32)
    for number, mask in enumerate(MASKS):
        covers[number, cells_of(mask)] = 1
    return covers


COVERS = _covers()
"""Whether a placement covers a cell, (placements, cells)."""


def draw_layouts(number: int, random: np.random.Generator) -> Indices:
    """Draw layouts uniformly, each as the numbers of its ships' placements."""
    found: list[Indices] = []
    while sum(map(len, found)) < number:
        drawn = np.stack(
            [
                FIRST[length] + random.integers(len(placements(SIDE, SIDE, length)), size=BATCH)
                for length in FLEET
            ],
            axis=1,
        )
        covered = sum(COVERS[drawn[:, ship]] for ship in range(len(FLEET)))
        found.append(drawn[(covered <= 1).all(axis=1)])
    return np.concatenate(found)[:number]


def play(layouts: Indices, weights: Floats | None, random: np.random.Generator) -> Indices:
    """Return the shots that the shooter takes for each layout.

    Args:
        layouts: The layouts.
        weights: What a placement counts for the shooter; None if all count the same.
        random: Breaks ties.
    """
    if weights is None:
        weights = np.ones(len(COVERS), np.float32)
    return np.concatenate(
        [
            Games(layouts[start : start + BATCH], weights, random).shots()
            for start in range(0, len(layouts), BATCH)
        ]
    )


class Games:
    """Games that are played side by side."""

    def __init__(self, layouts: Indices, weights: Floats, random: np.random.Generator) -> None:
        games = len(layouts)
        self.random = random
        self.numbers = np.arange(games)
        self.ships = np.full((games, CELLS), -1, np.int8)
        for ship in range(len(FLEET)):
            self.ships[COVERS[layouts[:, ship]] > 0] = ship
        self.left = np.tile(np.array(FLEET), (games, 1))
        self.weights = np.tile(weights, (games, 1))
        self.untried = np.ones((games, CELLS), bool)
        self.open_hits = np.zeros((games, CELLS), np.float32)

    def shots(self) -> Indices:
        """Play all games to their end, and return how many shots each took."""
        taken = np.zeros(len(self.numbers), np.int64)
        for shot in range(1, CELLS + 1):
            self.shoot(self.aim())
            over = self.left.sum(axis=1) == 0
            if over.any():
                taken[self.numbers[over]] = shot
                self.keep(~over)
        return taken

    def aim(self) -> Indices:
        """Return the cell that most placements cover, of each game."""
        weights = self.weights * np.power(np.float32(HIT_WEIGHT), self.open_hits @ COVERS.T)
        for length in LENGTHS:
            ships = [ship for ship, other in enumerate(FLEET) if other == length]
            afloat = (self.left[:, ships] > 0).sum(axis=1, keepdims=True)
            first = FIRST[length]
            weights[:, first : first + len(placements(SIDE, SIDE, length))] *= afloat
        counts = weights @ COVERS
        ties = self.random.random(counts.shape, np.float32) * counts.max(axis=1, keepdims=True)
        best: Indices = np.where(self.untried, counts + ties * np.float32(1e-4), -1).argmax(axis=1)
        return best

    def shoot(self, cells: Indices) -> None:
        """Shoot once in each game, and rule out placements."""
        every = np.arange(len(cells))
        ships = self.ships[every, cells]
        self.untried[every, cells] = False
        missed = ships < 0
        self.weights[missed] *= 1 - COVERS.T[cells[missed]]
        hit = np.flatnonzero(~missed)
        self.open_hits[hit, cells[hit]] = 1
        self.left[hit, ships[hit]] -= 1
        for game in hit[self.left[hit, ships[hit]] == 0]:
            wreck = self.ships[game] == ships[game]
            self.open_hits[game, wreck] = 0
            self.weights[game] *= COVERS[:, wreck].sum(axis=1) == 0

    def keep(self, games: npt.NDArray[np.bool_]) -> None:
        """Leave the games that are over."""
        for name in ("numbers", "ships", "left", "weights", "untried", "open_hits"):
            setattr(self, name, getattr(self, name)[games])
