"""Shoot where most placements of the ships afloat lie.

Idea: for each ship afloat, list every placement that no miss and no sunk ship rules out, and count
for each cell how many of them cover it. A placement counts ``HIT_WEIGHT`` times for each open hit
that it covers. Each ship is counted as if it were alone: that ships may not overlap is ignored.
Each shot of a salvo is chosen as if the shots before it had missed, which spreads them out. Its own
fleet lies anywhere, or with ``--hide`` where shooters like itself look late.

Source: the "probability density function" of Nick Berry's article on Battleship at DataGenetics.

Cost of a move: a dozen operations a ship on one large integer that holds the whole board, and a
look at the placements through each open hit; again for each shot of a salvo.
"""

import argparse
import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from arena import Bot, run
from arena.rules import cells_of
from arena.rules.rule_features import COUNTED
from bots.tactics.placement.weighted_layouts import place
from bots.tactics.placement_counts import HIT_WEIGHT, count_placements, runs_through
from bots.tactics.tracking import TRACKED, Tracker


class ProbabilityDensity(Bot):
    """Counts the placements over each cell."""

    author = "Salvo"
    version = "1.0"
    default_field = True
    understands = TRACKED | COUNTED  # the fleet is known: its placements are what is counted

    def __init__(self, *, hide: bool = False) -> None:
        self.hide = hide

    def game_begins(self) -> None:
        """Start from an opponent of whom nothing is known but the fleet."""
        self.tracker = Tracker(self.rules)

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        """Return a layout drawn as the rules say, or one that shooters like itself find late."""
        return place(self.rules, self.random) if self.hide else super().place_fleet()

    def choose_shots(self, count: int) -> Sequence[int]:
        """Return the cells that most placements cover, each as if those before it had missed."""
        self.tracker.update(self, count)
        untried = self.tracker.candidates
        ships = self.tracker.afloat
        shots: list[int] = []
        for _ in range(count):
            counts = self._count(untried, ships)
            cells = cells_of(untried)
            most = max(counts[cell] for cell in cells)
            shots.append(self.random.choice([cell for cell in cells if counts[cell] == most]))
            untried &= ~(1 << shots[-1])
        return shots

    def _count(self, untried: int, ships: Counter[int]) -> list[int]:
        rows, columns, hits = self.rules.rows, self.rules.columns, self.tracker.open_hits
        counts = count_placements(rows, columns, untried | self.tracker.unclear, ships)
        closed = ~(untried | hits)
        for hit in cells_of(hits):
            for length, number in ships.items():
                for mask, cells in runs_through(rows, columns, length, hit):
                    covered = mask & hits
                    # A run over several hits comes up at each of them; count it at the lowest.
                    if mask & closed or covered & -covered != 1 << hit:
                        continue
                    weight = number * HIT_WEIGHT ** covered.bit_count()
                    for cell in cells:
                        counts[cell] += weight
        return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Counts the placements over each cell.")
    parser.add_argument(
        "--hide", action="store_true", help="Place the fleet where strong shooters look late."
    )
    run(functools.partial(ProbabilityDensity, hide=parser.parse_args().hide))
