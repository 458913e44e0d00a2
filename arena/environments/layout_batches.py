"""Draws layouts by the thousand as numpy arrays, by the distribution of ``arena.rules``."""

from random import Random

import numpy as np
from numpy.typing import NDArray

from arena.environments.sight import SEEDS, Cells
from arena.rules import Layout, Rules, barred, cells_of, draw, placements

FEWEST = 256
"""Layouts that are tried at once at least."""

FRUITLESS = 20
"""Rounds without a layout after which they are drawn one by one."""

KEPT = 2**22
"""Entries of the largest table of placements that is worth its memory."""


class Drawing:
    """Layouts of one rule set.

    Attributes:
        random: What they are drawn from.
    """

    def __init__(self, rules: Rules, random: np.random.Generator) -> None:
        self._rules = rules
        self.random = random
        places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
        fits = sum(map(len, places)) * rules.cells <= KEPT
        self._at_once = rules.layouts == "uniform" and fits
        if self._at_once:
            self._cells = [np.array([cells_of(mask) for mask in masks]) for masks in places]
            self._closes = [_closed(rules, masks) for masks in places]

    def draw(self, number: int) -> Cells:
        """Return which ship lies on each cell, or -1, of so many layouts: number x cells.

        All ships of a layout are drawn independently, and it is rejected if two overlap, which
        is uniform by construction; a board too full for that is left to ``arena.rules``.

        Raises:
            RulesError: If the board is too full to draw from.
        """
        found: list[Cells] = []
        missing = number
        fruitless = 0
        while missing and self._at_once and fruitless < FRUITLESS:
            ships = self._try(max(2 * missing, FEWEST))[:missing]
            found.append(ships)
            missing -= len(ships)
            fruitless = 0 if len(ships) else fruitless + 1
        for _ in range(missing):
            layout = draw(self._rules, Random(int(self.random.integers(SEEDS))))
            found.append(ships_on_cells(self._rules, layout)[None])
        empty = np.empty((0, self._rules.cells), dtype=np.int8)
        return np.concatenate([empty, *found])

    def _try(self, number: int) -> Cells:
        every = np.arange(number)[:, None]
        ships = np.full((number, self._rules.cells), -1, dtype=np.int8)
        closed = np.zeros((number, self._rules.cells), dtype=np.bool_)
        legal = np.ones(number, dtype=np.bool_)
        for ship, (cells, closes) in enumerate(zip(self._cells, self._closes, strict=True)):
            place = self.random.integers(len(cells), size=number)
            legal &= ~closed[every, cells[place]].any(axis=1)
            ships[every, cells[place]] = ship
            closed |= closes[place]
        return ships[legal]


def _closed(rules: Rules, masks: tuple[int, ...]) -> NDArray[np.bool_]:
    closed = np.zeros((len(masks), rules.cells), dtype=np.bool_)
    for place, mask in enumerate(masks):
        closed[place, cells_of(barred(rules.rows, rules.columns, mask, rules.touching))] = True
    return closed


def ships_on_cells(rules: Rules, layout: Layout) -> Cells:
    """Return which ship of a layout lies on each cell, its number in the fleet, or -1."""
    ships = np.full(rules.cells, -1, dtype=np.int8)
    for ship, mask in enumerate(layout):
        ships[cells_of(mask)] = ship
    return ships
