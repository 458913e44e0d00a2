"""Find a single ship on a board by every n-th diagonal, find its direction, then go outwards.

Idea: a ship of n cells covers exactly one cell of each class of (column - row) modulo n, so it is
enough to try one class. After the first hit it tests in which direction the ship lies: less than n
cells from an edge one shot decides that, in the middle it may take two. From then on it searches a
row or a column as ``optimal_row`` does.

Source: the near optimal search for one ship in Austin Rochford's article on Battleship and Bayesian
search theory, which calls it a grid search, for boards that need not be square.

Cost of a move: one look at the cells of the class, or around the hit.
"""

from collections.abc import Sequence

from arena import Bot, run
from arena.rules import RulesView
from bots.tactics.lone_ship import length_of_lone_ship, outwards


class DiagonalSearch(Bot):
    """Tries one class of diagonals, then finds the ship's direction."""

    author = "Salvo"
    version = "1.0"

    def plays(self, rules: RulesView) -> bool:
        """Return whether there is a single ship that fits both ways, and one shot a turn."""
        length = length_of_lone_ship(rules)
        sides = (rules.rows, rules.columns)
        return length is not None and min(sides) > 1 and length <= min(sides)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the next cell of the class, or the one that says most about the ship."""
        del count
        length = length_of_lone_ship(self.rules)
        assert length is not None
        if not self.hits:
            return [self._hunted(length)]
        row, column = divmod(self.hits[0], self.rules.columns)
        test = self._test(row, column, length) if len(self.hits) == 1 else None
        if test is not None:
            return [test]
        columns = self.rules.columns
        if self._lies_along_row(row, length):
            line = range(row * columns, (row + 1) * columns)
        else:
            line = range(column, self.rules.cells, columns)
        return [outwards(line, self.shot, self.hits)]

    def _hunted(self, length: int) -> int:
        return next(
            cell
            for cell in range(self.rules.cells)
            if (cell // self.rules.columns - 1 - cell % self.rules.columns) % length == 0
            and cell not in self.shot
        )

    def _test(self, row: int, column: int, length: int) -> int | None:
        """Return the cell that shows the ship's direction, or None once that is known."""
        columns = self.rules.columns
        hit = row * columns + column
        if near_edge(row, self.rules.rows, length):
            tests = [hit + inwards(row, length) * columns]
        elif near_edge(column, columns, length):
            tests = [hit + inwards(column, length)]
        else:
            tests = [hit - 1, hit + 1]
        return next((cell for cell in tests if cell not in self.shot), None)

    def _lies_along_row(self, row: int, length: int) -> bool:
        """Return whether the ship lies along its row, once the tests are made."""
        if len(self.hits) > 1:
            return sum(cell // self.rules.columns == row for cell in self.hits) > 1
        # The tests missed: the one along the column, or those along the row.
        return near_edge(row, self.rules.rows, length)


def near_edge(position: int, side: int, length: int) -> bool:
    """Return whether a ship through ``position`` on this axis must cover the next cell inwards."""
    return position < length - 1 or position > side - length


def inwards(position: int, length: int) -> int:
    """Return the step that leads away from the near edge."""
    return 1 if position < length - 1 else -1


if __name__ == "__main__":
    run(DiagonalSearch)
