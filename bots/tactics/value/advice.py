"""Which cells are worth comparing: a network proposes them, which learned from many looks ahead.

The best cell by a look ahead is often not among those that seem the most promising by their
probability. A network that learned what looks ahead chose (``bots.training.deep_posterior``) knows
where to look, though not as exactly as a look ahead does at the position itself.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import numpy as np

from arena.rules import CellsReport, RulesView
from bots.tactics.learned import Origin, read_weights
from bots.tactics.learned.placement_network import (
    SHOWN,
    Evidence,
    PlacementNetwork,
    Places,
    symmetries,
)
from bots.tactics.posterior import Floats, highest

__all__ = ["Advice"]

CANDIDATES = 12
"""Cells that are proposed, at most."""

FAR = 10.0
"""A cell that is worth so much less to the network than the best is not proposed: it chooses one
after which 0.04 more turns are expected e times less, so that these are 0.4 turns."""


class Advice:
    """Follows one game; make one a game, of rules that ``Advice.fits``.

    Args:
        rules: The rules of the game.
    """

    def __init__(self, rules: RulesView) -> None:
        fleet = sorted(rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self._ships = {ship.name: number for number, ship in enumerate(fleet)}
        self._known = Evidence.none(rules.cells, len(fleet))
        self._turns = symmetries(rules.rows, rules.columns)

    @staticmethod
    def fits(rules: RulesView) -> bool:
        """Return whether the network learned to play by these rules."""
        return _network()[1].fits(rules) and rules.touching == "allowed"

    def follow(self, cells: Sequence[int], report: CellsReport) -> None:
        """Take in the answer to a shot."""
        assert isinstance(report.sunk, tuple)
        self._known.note(cells, report.hits, [self._ships[name] for name in report.sunk])

    def cells(self, posterior: Floats, untried: Sequence[int], random: Random) -> list[int]:
        """Return the cells that may be best, the most promising first.

        Args:
            posterior: How likely each cell has a ship, (cells,).
            untried: The cells to choose from.
            random: Draws how the board is turned and mirrored before the network sees it.
        """
        turned = random.choice(self._turns)
        worth = np.empty(len(turned))
        known = self._known.some_cells(turned)
        worth[turned] = _network()[0].look(known, posterior[turned]).worth
        cells = highest(worth, untried, min(CANDIDATES, len(untried)), random)
        return [cell for cell in cells if worth[cell] >= worth[cells[0]] - FAR]


@lru_cache(maxsize=1)
def _network() -> tuple[PlacementNetwork, Origin]:
    """Return the network, and what it is for."""
    arrays, origin = read_weights(SHOWN)
    places = Places(origin.rows, origin.columns, origin.lengths, named=origin.sinkings)
    return PlacementNetwork(arrays, places), origin
