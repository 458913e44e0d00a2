"""Shoot where most placements of the ships afloat lie.

Idea: list for each ship afloat every placement that no miss and no sunk ship forbids, and count for
each cell how many of them cover it. A placement over hits that are still open counts ``HIT_WEIGHT``
times for each hit it covers. The ships are counted as if each were alone: that they may not overlap
is left out. Of a salvo each shot is chosen as if the shots before it had missed, which spreads
them. Its own fleet lies anywhere, or with ``--hide`` where shooters like itself look late.

Source: the "probability density function" of Nick Berry's article on Battleship at DataGenetics.

Cost of a move: a dozen steps a ship on one large integer that holds the whole board, and a look at
the placements through each open hit; again for each shot of a salvo.
"""

import argparse
import functools
from collections import Counter
from collections.abc import Mapping, Sequence

from arena import Bot, run
from arena.rules import RulesView, cells_of
from bots.tactics.placement import place
from bots.tactics.placement_counts import HIT_WEIGHT, count_placements, runs_through
from bots.tactics.tracking import Tracker


class ProbabilityDensity(Bot):
    """Counts the placements over each cell."""

    author = "Salvo"
    version = "1.0"
    default_field = True

    def __init__(self, *, hide: bool = False) -> None:
        self.hide = hide

    def plays(self, rules: RulesView) -> bool:
        """Tell whether the opponent's fleet is known: its placements are what is counted."""
        return rules.opponent_fleet is not None

    def game_begins(self) -> None:
        """Start from an unknown sea."""
        self.tracker = Tracker(self.rules)

    def place_fleet(self) -> Mapping[str, Sequence[int]]:
        """Return a layout by the law of the rules, or one that its own like finds late."""
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
        """Return the weight of the placements over each cell."""
        rows, columns, hits = self.rules.rows, self.rules.columns, self.tracker.open_hits
        counts = count_placements(rows, columns, untried | self.tracker.unclear, ships)
        closed = ~(untried | hits)
        for hit in cells_of(hits):
            for length, number in ships.items():
                for mask, cells in runs_through(rows, columns, length, hit):
                    covered = mask & hits
                    # A run over several hits is met at each of them, and counted at the lowest.
                    if mask & closed or covered & -covered != 1 << hit:
                        continue
                    weight = number * HIT_WEIGHT ** covered.bit_count()
                    for cell in cells:
                        counts[cell] += weight
        return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Counts the placements over each cell.")
    parser.add_argument(
        "--hide", action="store_true", help="Place by what strong shooters find late."
    )
    run(functools.partial(ProbabilityDensity, hide=parser.parse_args().hide))
