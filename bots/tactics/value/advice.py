"""Proposes cells by a network that learned from many looks ahead.

It does not know what a shot is worth as exactly as a look ahead at the position itself. But what
the value network gets wrong at one position it gets wrong otherwise at another, and a network that
learned from 88,000 of them (``bots.training.deep_posterior``) knows the mean. So it proposes the
cells that a look ahead compares, and has a say in which of them is best.
"""

from collections.abc import Sequence
from functools import cache
from random import Random

import numpy as np

from arena.rules import CellsReport, RulesView
from bots.tactics.learned.placement_network import (
    SHOWN,
    Evidence,
    PlacementNetwork,
    symmetries,
)
from bots.tactics.learned.weight_files import Origin
from bots.tactics.posterior.belief import highest
from bots.tactics.posterior.board_placements import Floats

CANDIDATES = 8  # cells that are proposed, unless another number is asked for
FAR = 0.4  # a cell that costs so many turns more than the best is not proposed
TURNS = 0.04  # a cell after which so many more turns are expected is worth 1 less to the network


class Advice:
    """Follows one game; make one a game, of rules that ``Advice.fits``."""

    def __init__(self, rules: RulesView) -> None:
        fleet = sorted(rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self._ships = {ship.name: number for number, ship in enumerate(fleet)}
        self._known = Evidence.none(rules.cells, len(fleet))
        self._turns = symmetries(rules.rows, rules.columns)

    @staticmethod
    def fits(rules: RulesView) -> bool:
        """Return whether the network learned to play by these rules."""
        # Most games are ruled out before the weights are read.
        return rules.shots == 1 and rules.touching == "allowed" and _network()[1].fits(rules)

    def follow(self, cells: Sequence[int], report: CellsReport) -> None:
        """Take in the answer to a shot."""
        assert isinstance(report.sunk, tuple)
        self._known.note(cells, report.hits, [self._ships[name] for name in report.sunk])

    def propose(
        self, posterior: Floats, untried: Sequence[int], random: Random, most: int = CANDIDATES
    ) -> tuple[list[int], Floats]:
        """Return the cells that may be best, and how many turns each costs more than the best."""
        turned = random.choice(self._turns)
        worth = np.empty(len(turned))
        known = self._known.some_cells(turned)
        (worth[turned],) = _network()[0].look(known, posterior[None, turned]).worth
        cells = highest(worth, untried, min(most, len(untried)), random)
        costs = TURNS * (worth[cells[0]] - worth[cells])
        near = costs <= FAR
        return np.array(cells)[near].tolist(), costs[near]


@cache
def _network() -> tuple[PlacementNetwork, Origin]:
    return PlacementNetwork.read(SHOWN)
