"""What a shot costs beyond the best one: a network that learned it from many looks ahead.

A look ahead over a few thousand layouts errs by as much as good cells differ by. Its errors differ
from position to position, so that a network which learned from some hundred thousand of them
(``bots.training.deep_posterior``) knows their mean.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np

from arena.rules import CellsReport, RulesView
from bots.tactics.learned import Origin, read_weights
from bots.tactics.learned.placement_network import (
    Evidence,
    PlacementNetwork,
    Places,
    symmetries,
)
from bots.tactics.posterior import Floats

__all__ = ["TURNS", "Advice"]

WEIGHTS = Path(__file__).with_name("advice.npz")

TURNS = 0.04
"""A cell after which so many more turns are expected is worth 1 less to the network."""


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

    def cost(self, posterior: Floats, random: Random) -> Floats:
        """Return how many turns each cell costs, beyond what is the same for all, (cells,).

        Args:
            posterior: How likely each cell has a ship, (cells,).
            random: Draws how the board is turned and mirrored before the network sees it.
        """
        turned = random.choice(self._turns)
        seen = _network()[0].look(self._known.some_cells(turned), posterior[turned])
        cost = np.empty(len(turned))
        cost[turned] = -TURNS * seen.worth
        return cost


@lru_cache(maxsize=1)
def _network() -> tuple[PlacementNetwork, Origin]:
    """Return the network, and what it is for."""
    arrays, origin = read_weights(WEIGHTS)
    places = Places(origin.rows, origin.columns, origin.lengths, named=origin.sinkings)
    return PlacementNetwork(arrays, places), origin
