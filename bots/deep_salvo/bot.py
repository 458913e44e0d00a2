"""A network that learned from hidden layouts where ships lie.

Idea: a convolutional network looks at the board in rounds; in each it names, for every ship, how
likely each placement is, and sees what it named for all ships in the next. It is given nothing but
what the arena tells: no count of placements and no posterior. It shoots where a ship is likeliest,
corrected by what it learned to be worth more. For a salvo it draws layouts, each ship by the
probabilities that the network gave, keeps those that agree with the hits, and searches for the set
of cells whose answer says and hits most, as `posterior_greedy` does over layouts of the posterior.
Before each look the board is turned or mirrored at random, so that nobody can place by its habits.
The weights lie beside it, and any that `salvo train deep_salvo` makes may be put in their place.

Source: taught and improved by `bots/training/deep_salvo.py`, which names its own.

Cost of a move: 20 million multiplications in numpy; for a salvo two thousand layouts besides.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import Bot, run
from arena.rules import CellsReport, RulesView
from bots.tactics.learned import read_weights
from bots.tactics.learned.placement_network import Evidence, Outlook, PlacementNetwork, Places
from bots.tactics.posterior import HIT_BITS, HIT_BITS_ALONE, best_set

LAYOUTS = 2_000
"""How many layouts are drawn for a salvo."""


class DeepSalvo(Bot):
    """Shoots where its network finds a ship likeliest."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def __init__(self) -> None:
        (path,) = Path(__file__).parent.glob("*.npz")
        arrays, self.origin = read_weights(path)
        origin = self.origin
        places = Places(origin.rows, origin.columns, origin.lengths, named=origin.sinkings)
        self.network = PlacementNetwork(arrays, places)

    def plays(self, rules: RulesView) -> bool:
        """Tell whether it was trained for the board and fleet, any number of shots a turn."""
        return self.origin.fits(rules) and rules.touching == "allowed"

    def game_begins(self) -> None:
        """Nothing is known yet."""
        fleet = sorted(self.rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self.ships = {ship.name: number for number, ship in enumerate(fleet)}
        shape = 1, self.rules.cells
        self.known = Evidence(
            missed=np.zeros(shape, dtype=bool),
            hit=np.zeros(shape, dtype=bool),
            sank=np.zeros(shape, dtype=np.int64),
            afloat=np.ones((1, len(fleet)), dtype=bool),
        )
        self.read = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell that is worth most, or the best set of cells."""
        for cells, report in self.reports[self.read :]:
            assert isinstance(report, CellsReport)
            self._read(cells, report)
        self.read = len(self.reports)
        turned = self.random.choice(symmetries(self.rules.rows, self.rules.columns))
        known = self.known.some_cells(turned)
        seen = self.network.look(known)
        untried = np.flatnonzero(known.untried[0])
        chosen: Sequence[int] = [int(untried[seen.worth[untried].argmax()])]
        if count > 1:
            chosen = self._salvo(seen, known, untried.tolist(), count)
        return [int(turned[cell]) for cell in chosen]

    def _salvo(
        self, seen: Outlook, known: Evidence, untried: list[int], count: int
    ) -> Sequence[int]:
        """Return the cells whose answer says and hits most, over layouts that the network draws."""
        if count >= len(untried):
            return untried
        random = np.random.default_rng(self.random.getrandbits(64))
        layouts = self.network.places.draw(seen.places, known, LAYOUTS, random)
        return best_set(layouts, untried, count, HIT_BITS_ALONE if self.solo else HIT_BITS)

    def _read(self, cells: Sequence[int], report: CellsReport) -> None:
        self.known.missed[0, list(cells)] = True
        hits = list(report.hits)
        self.known.missed[0, hits] = False
        self.known.hit[0, hits] = True
        if not self.origin.sinkings or not isinstance(report.sunk, tuple):
            return
        for name in report.sunk:
            self.known.sank[0, hits] |= 1 << self.ships[name]
            self.known.afloat[0, self.ships[name]] = False


def symmetries(rows: int, columns: int) -> list[NDArray[np.intp]]:
    """Return the ways to turn and mirror a board: for each new cell the cell that comes there."""
    board = np.arange(rows * columns).reshape(rows, columns)
    upright = [board, board.T] if rows == columns else [board]
    return [
        turned[::down, ::right].ravel()
        for turned in upright
        for down in (1, -1)
        for right in (1, -1)
    ]


if __name__ == "__main__":
    run(DeepSalvo)
