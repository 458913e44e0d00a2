"""Find a single ship in a row by every n-th cell, then go outwards from the hit.

Idea: a ship of n cells covers exactly one of every n cells in a row, so it is enough to try one
class of cells modulo n; the class of the last of every n cells is the smallest. From the first hit
it follows the ship to one end, and then to the other.

Source: the optimal search of a row in Austin Rochford's article on Battleship and Bayesian search
theory. Over all layouts it takes 3.6667 turns on average for a ship of 3 in a row of 5, and 4.5 in
a row of 10: nothing takes fewer.

Cost of a move: one look along the row.
"""

from collections.abc import Sequence

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.lone_ship import length_of_lone_ship, outwards


class OptimalRow(Bot):
    """Tries one class of cells, then goes outwards."""

    author = "Salvo"
    version = "1.0"

    def plays(self, rules: RulesView) -> bool:
        """Return whether there is a single ship in a single row or column, and one shot a turn."""
        return min(rules.rows, rules.columns) == 1 and length_of_lone_ship(rules) is not None

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the next cell of the class, or one beside the hits."""
        del count
        row = range(self.rules.cells)
        if self.hits:
            return [outwards(row, self.shot, self.hits)]
        length = length_of_lone_ship(self.rules)
        assert length is not None
        return [next(cell for cell in row[length - 1 :: length] if cell not in self.shot)]


if __name__ == "__main__":
    run(OptimalRow)
