"""Searches for a single ship along a line."""

from collections.abc import Collection, Sequence

from arena.rules import RulesView, unusual
from arena.rules.rule_features import CERTAIN

__all__ = ["length_of_lone_ship", "outwards"]


_UNDERSTOOD = CERTAIN | {"reshoot"}


def length_of_lone_ship(rules: RulesView) -> int | None:
    """Return the length of the only ship, if it stays and each single shot is reported truly."""
    fleet = rules.opponent_fleet or ()
    if len(fleet) != 1 or unusual(rules) - _UNDERSTOOD:
        return None
    shots = {"afloat": 1, "by-ship": fleet[0].shots}.get(str(rules.shots), rules.shots)
    return fleet[0].length if shots == 1 else None


def outwards(line: Sequence[int], shot: Collection[int], hits: Collection[int]) -> int:
    """Return the cell to try next on the line, its cells in order, on which the ship was hit.

    From the first hit towards the start of the line until a miss or the edge, then towards its end.
    """
    first = next(index for index, cell in enumerate(line) if cell in hits)
    if first > 0 and line[first - 1] not in shot:
        return line[first - 1]
    return next(cell for cell in line[first:] if cell not in shot)
