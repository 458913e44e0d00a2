"""Hunt on every n-th diagonal, n the smallest ship afloat, then follow the line of hits.

Idea: a ship of length n covers exactly one cell of each class of (row + column) modulo n, so it is
enough to hunt on one class. It takes the class with the most untried cells and stays with it until
that is used up or the smallest ship is sunk. Where two hits lie in line it goes on at the ends of
the line; around a single hit it tries the neighbours. Hits on ships that have sunk are forgotten.
In a salvo the ends of lines come first, then the neighbours of single hits in turns, then the hunt.

Source: the "hunt and target with parity" of Nick Berry's article on Battleship at DataGenetics,
with classes that follow the smallest ship afloat, and with lines.

Cost of a move: one look at the neighbours of every open hit, or at every cell of the class.
"""

from collections.abc import Sequence
from functools import lru_cache

from arena import Bot, run
from arena.rules import cells_of, mask_of
from bots.tactics.tracking import TRACKED, Tracker, in_turns, opposites


class HuntParity(Bot):
    """Hunts on one class of diagonals, then follows lines of hits."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    understands = TRACKED  # the fleet is known: it sets the classes

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet."""
        self.tracker = Tracker(self.rules)
        self.opposites = opposites(self.rules.rows, self.rules.columns)
        self.smallest = self.hunted = 0

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that hits point to, filled up by the hunt."""
        self.tracker.update(self, count)
        shots = self._targets()[:count]
        while len(shots) < count:
            shots += self._hunt(shots)[: count - len(shots)]
        return shots

    def _targets(self) -> list[int]:
        """Return the untried cells beside open hits, the most promising first."""
        untried, hits = self.tracker.candidates, self.tracker.open_hits
        ends: list[list[int]] = []
        singles: list[list[int]] = []
        others: list[list[int]] = []
        for hit in cells_of(hits):
            beside = [
                (ahead, behind) for ahead, behind in self.opposites[hit] if untried >> ahead & 1
            ]
            ends.append([ahead for ahead, behind in beside if behind >= 0 and hits >> behind & 1])
            in_line = any(hits >> ahead & 1 for ahead, _ in self.opposites[hit])
            (others if in_line else singles).append([ahead for ahead, _ in beside])
        first = in_turns(ends, self.random) + in_turns(singles, self.random)
        # Lines without an open end are ships side by side: only then look beside the lines.
        return list(dict.fromkeys(first)) or in_turns(others, self.random)

    def _hunt(self, shots: Sequence[int]) -> list[int]:
        """Return cells of one class in random order, as if ``shots`` had missed."""
        untried = self.tracker.candidates & ~mask_of(shots)
        smallest = min(self.tracker.afloat, default=1)
        if smallest != self.smallest or not self.hunted & untried:
            classes = diagonals(self.rules.rows, self.rules.columns, smallest)
            most = max((cells & untried).bit_count() for cells in classes)
            fullest = [cells for cells in classes if (cells & untried).bit_count() == most]
            self.smallest, self.hunted = smallest, self.random.choice(fullest)
        cells = cells_of(self.hunted & untried)
        self.random.shuffle(cells)
        return cells


@lru_cache
def diagonals(rows: int, columns: int, length: int) -> tuple[int, ...]:
    """Return the mask of each class of (row + column) modulo ``length``."""
    masks = [0] * length
    for cell in range(rows * columns):
        masks[sum(divmod(cell, columns)) % length] |= 1 << cell
    return tuple(masks)


if __name__ == "__main__":
    run(HuntParity)
