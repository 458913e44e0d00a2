"""Says what each cell is worth, by a network that learned it from trials.

In a trial one of some good cells is drawn by chance, and what the game then costs is compared
(``bots.training.deep_trials``). Its opinion of a board and of the same board turned or mirrored
differ a little, and their mean is better than each.
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

TURNS = 0.04  # a cell after which so many more turns are expected is worth 1 less to the network


class Advice:
    """Follows one game; make one a game, of rules that ``Advice.fits``."""

    def __init__(self, rules: RulesView) -> None:
        fleet = sorted(rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self._ships = {ship.name: number for number, ship in enumerate(fleet)}
        self._known = Evidence.none(rules.cells, len(fleet))
        self._turns = np.array(symmetries(rules.rows, rules.columns))

    @staticmethod
    def fits(rules: RulesView) -> bool:
        """Return whether the network learned to play by these rules."""
        # Most games are ruled out before the weights are read.
        return rules.shots == 1 and rules.touching == "allowed" and _network()[1].fits(rules)

    def follow(self, cells: Sequence[int], report: CellsReport) -> None:
        """Take in the answer to a shot."""
        assert isinstance(report.sunk, tuple)
        self._known.note(cells, report.hits, [self._ships[name] for name in report.sunk])

    def best(self, posterior: Floats, untried: Sequence[int], random: Random) -> int:
        """Return the cell to shoot, given how likely each has a ship; of equals any."""
        return highest(self.worth(posterior).round(3), untried, 1, random)[0]  # less is rounding

    def worth(self, posterior: Floats) -> Floats:
        """Return what a shot at each cell is worth, the more the better, (cells,).

        Cells that differ by 1 differ by ``TURNS``. It is the mean over all turnings of the board.
        """
        known = Evidence.joined(map(self._known.some_cells, self._turns))
        seen = _network()[0].look(known, posterior[self._turns])
        worth = np.zeros(len(posterior))
        np.add.at(worth, self._turns, seen.worth)
        return worth / len(self._turns)


@cache
def _network() -> tuple[PlacementNetwork, Origin]:
    return PlacementNetwork.read(SHOWN)
