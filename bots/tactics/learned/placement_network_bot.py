"""Shoots by a network that predicts where ships lie; ``deep_salvo`` and ``self_play`` share it."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import Bot
from arena.rules import CellsReport, RulesView
from bots.tactics.learned.placement_network import (
    Evidence,
    FleetPlacements,
    PlacementNetwork,
    Prediction,
    symmetries,
)
from bots.tactics.learned.weight_files import read_weights
from bots.tactics.posterior.salvo import HIT_BITS, HIT_BITS_ALONE, best_set

LAYOUTS = 2_000  # how many layouts are drawn for a salvo


class PlacementNetworkBot(Bot):
    """Shoots where its network finds a ship likeliest.

    Before each look the board is turned or mirrored at random, so that nobody can place by its
    habits. For a salvo it draws layouts, each ship by the probabilities that the network gave,
    keeps those that agree with the hits, and searches for the set of cells whose answer says and
    hits most, as ``posterior_greedy`` does over layouts of the posterior.
    """

    def __init__(self, weights: Path) -> None:
        self.weights, self.origin = read_weights(weights)
        self.network = PlacementNetwork(self.weights, FleetPlacements.of(self.origin))

    def plays(self, rules: RulesView) -> bool:
        """Return whether it was trained for the board and fleet, any number of shots a turn."""
        return self.origin.fits(rules) and rules.touching == "allowed"

    def game_begins(self) -> None:
        """Nothing is known yet."""
        fleet = sorted(self.rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self.ships = {ship.name: number for number, ship in enumerate(fleet)}
        self.known = Evidence.none(self.rules.cells, len(fleet))
        self.read = 0

    def posterior(self) -> NDArray[np.float64] | None:
        """Return how likely each cell has a ship, if the network is to be shown that."""
        return None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell that is worth most, or the best set of cells."""
        for cells, report in self.reports[self.read :]:
            assert isinstance(report, CellsReport)
            self._read(cells, report)
        self.read = len(self.reports)
        turned = self.random.choice(symmetries(self.rules.rows, self.rules.columns))
        known = self.known.some_cells(turned)
        posterior = self.posterior()
        seen = self.network.look(known, None if posterior is None else posterior[None, turned])
        untried = np.flatnonzero(known.untried[0])
        chosen: Sequence[int] = [int(untried[seen.worth[0, untried].argmax()])]
        if count > 1:
            chosen = self._salvo(seen, known, untried.tolist(), count)
        return [int(turned[cell]) for cell in chosen]

    def _salvo(
        self, seen: Prediction, known: Evidence, untried: list[int], count: int
    ) -> Sequence[int]:
        """Return the cells whose answer says and hits most, over layouts that the network draws."""
        if count >= len(untried):
            return untried
        random = np.random.default_rng(self.random.getrandbits(64))
        layouts = self.network.places.draw(seen.places[0], known, LAYOUTS, random)
        return best_set(layouts, untried, count, HIT_BITS_ALONE if self.solo else HIT_BITS)

    def _read(self, cells: Sequence[int], report: CellsReport) -> None:
        sunk = report.sunk if self.origin.sinkings and isinstance(report.sunk, tuple) else ()
        self.known.note(cells, report.hits, [self.ships[name] for name in sunk])
