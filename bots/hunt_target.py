"""Shoot at random until something is hit, then around the hit until the ship is sunk.

Idea: ships are straight, so the rest of a ship that was hit begins at a neighbour of the hit. Hits
on ships that have sunk are forgotten. In a salvo the neighbours of different hits take turns, and
the remaining shots go at random.

Source: the "hunt and target" of Nick Berry's article on Battleship at DataGenetics, without its
parity. It follows no lines.

Cost of a move: one look at the neighbours of every open hit.
"""

from collections.abc import Sequence

from arena import Bot, run
from arena.rules import cells_of
from bots.tactics.tracking import TRACKED, Tracker, in_turns, neighbours


class HuntTarget(Bot):
    """Hunts at random, then tries the neighbours of hits."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    understands = TRACKED | {"fleet_known"}

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet."""
        self.tracker = Tracker(self.rules)
        self.beside = neighbours(self.rules.rows, self.rules.columns)

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return untried neighbours of open hits, filled up with random cells."""
        self.tracker.update(self, count)
        untried = self.tracker.candidates
        hits = cells_of(self.tracker.open_hits)
        groups = [[cell for cell in self.beside[hit] if untried >> cell & 1] for hit in hits]
        shots = in_turns(groups, self.random)[:count]
        if len(shots) < count:
            others = [cell for cell in cells_of(untried) if cell not in shots]
            shots += self.random.sample(others, count - len(shots))
        return shots


if __name__ == "__main__":
    run(HuntTarget)
