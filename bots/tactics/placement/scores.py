"""The scores by which layouts are drawn, as ``python -m bots.tactics.placement.search`` found them.

The table holds one score for each placement, only once for those that are the same after turning
and mirroring the board, with cells joined by "+"; then the scores of ships that touch; then the
cap.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from arena.rules import RulesView, cells_of, placements
from bots.tactics.solver import turns_of

__all__ = ["FLEET", "SIDE", "TABLE", "Scores", "class_of", "scores_for"]

TABLE = Path(__file__).with_name("scores.csv")
SIDE = 10
FLEET = (5, 4, 3, 3, 2)


@dataclass(frozen=True)
class Scores:
    """The terms whose sum is the score of a layout.

    Attributes:
        placements: The score of a ship at each mask.
        touching_cells: The score of each pair of cells, of two ships, that share a side.
        touching_sides: That of two ships that have such a pair.
        touching_corners: That of two ships that touch at corners alone.
        cap: The score above which all count the same.
    """

    placements: Mapping[int, float]
    touching_cells: float
    touching_sides: float
    touching_corners: float
    cap: float


def scores_for(rules: RulesView) -> Scores | None:
    """Return the scores for a game, None if none were found for one like it.

    They are for one shot a turn, ships that may touch, and named sinkings: in salvos, and where
    sinkings are unnamed or silent, these layouts are found no later than others.
    """
    fleet = tuple(sorted((ship.length for ship in rules.fleet), reverse=True))
    if (rules.rows, rules.columns, fleet) != (SIDE, SIDE, FLEET):
        return None
    if rules.shots != 1 or rules.moves or rules.touching != "allowed" or rules.sinkings != "named":
        return None
    return _read()


@lru_cache(maxsize=1)
def _read() -> Scores:
    with TABLE.open(newline="", encoding="ascii") as lines:
        rows = {name: float(value) for name, value in csv.reader(lines)}
    found = {
        mask: rows["+".join(map(str, class_of(mask)))]
        for length in set(FLEET)
        for mask in placements(SIDE, SIDE, length)
    }
    return Scores(found, rows["cells"], rows["sides"], rows["corners"], rows["cap"])


def class_of(mask: int) -> tuple[int, ...]:
    """Return the smallest of the placements that turning and mirroring makes of one."""
    cells = cells_of(mask)
    return min(tuple(sorted(turn[cell] for cell in cells)) for turn in turns_of(SIDE, SIDE))
