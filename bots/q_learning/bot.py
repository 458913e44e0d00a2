"""Ebel and Wan's Q-learning agent: the cell with the greatest value that was learned.

Idea: the value of a cell is a weighted sum of features that say what hits and how much room lie
around it, whatever the size of the board and without knowing the fleet; the weights were learned
by Q-learning. The weights lie beside it, and any that `salvo train q_learning` makes may be put in
their place: those of its `--features identity` are values of states that are known by heart.

Source: Jordan Ebel and Kai Wan, AI learning agent for the game of Battleship, where the memory
alone took 90 moves; features were what they planned next.

Cost of a move: some 30 small operations over the board.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena import Bot, run
from arena.rules import RulesView
from arena.rules.rule_features import CERTAIN
from bots.tactics.learned.cell_features import features_of
from bots.tactics.learned.q_table import QTable
from bots.tactics.learned.weight_files import read_weights


class QLearning(Bot):
    """Shoots where its features, or its memory, promise most."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    understands = CERTAIN | {"fleet_known", "lies"}

    def __init__(self) -> None:
        (path,) = Path(__file__).parent.glob("*.npz")
        self.arrays, self.origin = read_weights(path)

    def plays(self, rules: RulesView) -> bool:
        """Return whether cells are reported for good; by heart, whether the board is as large."""
        size = self.origin.rows, self.origin.columns
        fits = "slopes" in self.arrays or (rules.rows, rules.columns) == size
        return fits and super().plays(rules)

    def game_begins(self) -> None:
        """Make ready for a board of this size."""
        self.features = features_of(self.rules.rows, self.rules.columns)
        if "slopes" not in self.arrays:
            self.memory = QTable(self.rules.cells, self.arrays)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells of the greatest value."""
        hits = np.zeros(self.rules.cells, dtype=bool)
        hits[self.hits] = True
        if "slopes" not in self.arrays:
            return self._by_heart(hits, count)
        misses = np.zeros(self.rules.cells, dtype=bool)
        misses[self.shot] = True
        misses &= ~hits
        values = (self.features.of(hits, misses) @ self.arrays["slopes"]).tolist()
        untried = self.untried
        # Of cells that look alike any, so that nobody can place by the order in which it shoots.
        self.random.shuffle(untried)
        # To round takes long, and values that lie further apart stay in order without it.
        least = sorted(values[cell] for cell in untried)[-count] - 2e-9
        best = [cell for cell in untried if values[cell] >= least]
        return sorted(best, key=lambda cell: -round(values[cell], 9))[:count]

    def _by_heart(self, hits: NDArray[np.bool_], count: int) -> list[int]:
        state = self.memory.start
        for cell in self.shot:
            state = self.memory.after(state, cell, hit=bool(hits[cell]))
        untried = self.untried
        chosen: list[int] = []
        while len(chosen) < count:
            chosen.append(self.memory.best(state, untried)[1])
            untried.remove(chosen[-1])
        return chosen


if __name__ == "__main__":
    run(QLearning)
