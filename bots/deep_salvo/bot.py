"""A network that learned from hidden layouts where ships lie.

Idea: a convolutional network looks at the board in rounds; in each it names, for every ship, how
likely each placement is, and sees what it named for all ships in the next. It is given nothing but
what the arena tells: no count of placements and no posterior. It shoots where a ship is likeliest,
corrected by what it learned to be worth more. For a salvo it draws layouts, each ship by the
probabilities that the network gave, keeps those that agree with the hits, and searches for the set
of cells whose answer says and hits most, as `posterior_greedy` does over layouts of the posterior.
Before each look the board is turned or mirrored at random, so that nobody can place by its habits.
The weights lie beside it, and any that `salvo train deep_salvo` makes may be put in their place.

With `--posterior`, one shot a turn, it does not guess how likely each cell has a ship: it is shown
the posterior, and says what a shot is worth beyond that. Those weights learned from a look ahead.

Source: taught and improved by `bots/training/deep_salvo.py`, and with the posterior by
`bots/training/deep_posterior.py`, which name their own.

Cost of a move: 20 million multiplications in numpy; for a salvo two thousand layouts besides, with
the posterior a posterior.
"""

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arena import Bot, run
from arena.rules import CellsReport, RulesView
from bots.tactics.learned.placement_network import (
    SHOWN,
    Evidence,
    PlacementNetwork,
    Prediction,
    symmetries,
)
from bots.tactics.posterior.bayesian_bot import BeliefReader
from bots.tactics.posterior.belief import can_follow
from bots.tactics.posterior.salvo import HIT_BITS, HIT_BITS_ALONE, best_set

LAYOUTS = 2_000  # how many layouts are drawn for a salvo

FOLDER = Path(__file__).parent
TRAINED = FOLDER / SHOWN.name
"""Weights that are shown the posterior, where training put them beside the bot in place of those
that it shares with others; any other file is of a network that is not shown it."""


class DeepSalvo(Bot):
    """Shoots where its network finds a ship likeliest."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def __init__(self, *, posterior: bool = False) -> None:
        others = [path for path in FOLDER.glob("*.npz") if path != TRAINED]
        # A folder that `salvo train deep_posterior` made has none of the others.
        self.posterior = posterior or not others
        shown = TRAINED if TRAINED.exists() else SHOWN
        self.network, self.origin = PlacementNetwork.read(shown if self.posterior else others[0])

    def plays(self, rules: RulesView) -> bool:
        """Return whether it was trained for the board and fleet, any number of shots a turn."""
        fits = self.origin.fits(rules) and rules.touching == "allowed"
        return fits and (not self.posterior or can_follow(rules))

    def game_begins(self) -> None:
        """Nothing is known yet."""
        fleet = sorted(self.rules.opponent_fleet or (), key=lambda ship: -ship.length)
        self.ships = {ship.name: number for number, ship in enumerate(fleet)}
        self.known = Evidence.none(self.rules.cells, len(fleet))
        self.reader = BeliefReader(self) if self.posterior else None
        self.read = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cell that is worth most, or the best set of cells."""
        for cells, report in self.reports[self.read :]:
            assert isinstance(report, CellsReport)
            self._read(cells, report)
        self.read = len(self.reports)
        turned = self.random.choice(symmetries(self.rules.rows, self.rules.columns))
        known = self.known.some_cells(turned)
        posterior = None if self.reader is None else self.reader.read().cells()[turned]
        seen = self.network.look(known, posterior)
        untried = np.flatnonzero(known.untried[0])
        chosen: Sequence[int] = [int(untried[seen.worth[untried].argmax()])]
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
        layouts = self.network.places.draw(seen.places, known, LAYOUTS, random)
        return best_set(layouts, untried, count, HIT_BITS_ALONE if self.solo else HIT_BITS)

    def _read(self, cells: Sequence[int], report: CellsReport) -> None:
        sunk = report.sunk if self.origin.sinkings and isinstance(report.sunk, tuple) else ()
        self.known.note(cells, report.hits, [self.ships[name] for name in sunk])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Shoots where its network finds a ship likeliest.")
    parser.add_argument("--posterior", action="store_true", help="be shown the posterior")
    options = parser.parse_args()
    run(functools.partial(DeepSalvo, posterior=options.posterior))
