"""Draws layouts from a distribution that strong shooters find harder than the uniform one.

Every placement has a score, and the score of a layout is the sum over its ships. Layouts are drawn
with a probability proportional to exp(score): uniformly, each kept with the probability
exp(score - cap). Scores above the cap count as the cap, so every legal layout is drawn now and
then, and none often.

``python -m bots.training.placing.search`` found the scores.
A table has a row for the score of each placement, its cells joined by "+", only once for those that
are the same after turning and mirroring the board, and the ``ENDS``.
"""

import math
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import NamedTuple

from arena.rules import RulesView, cells_of, draw, name_layout, placements, unusual
from arena.rules.rule_features import COUNTED, DETAILS, TURNS
from bots.tactics.solver.small_game import turns_of
from bots.tactics.tables import beside, rows_of

SIDE = 10
FLEET = (5, 4, 3, 3, 2)

_UNDERSTOOD = COUNTED | DETAILS | TURNS | {"shots=afloat", "reshoot", "lies", "layouts=sequential"}

ENDS = CAP, MEAN = ("cap", "mean odds")
"""The score above which all layouts count the same, and the mean of exp(score) over all layouts."""

MAX_DRAWS = 400  # the last of so many draws is kept: if one in ten is kept, once in 10**18 layouts


class Scores(NamedTuple):
    """The terms whose sum is the score of a layout."""

    placements: Mapping[int, float]  # the score of a ship at each mask
    cap: float  # the score above which all count the same
    mean: float  # the mean of exp(min(score, cap)) over all layouts


def name_for(rules: RulesView) -> str | None:
    """Return the name of the game whose layouts are for this one, None if none were searched.

    There are some for one shot a turn and some for the full salvo, where ships may touch and
    sinkings are named: where they are unnamed or silent, these layouts are found no later than
    others.
    """
    fleet = tuple(sorted((ship.length for ship in rules.fleet), reverse=True))
    features = unusual(rules)
    if (rules.rows, rules.columns, fleet) != (SIDE, SIDE, FLEET) or features - _UNDERSTOOD:
        return None
    return "salvo" if "shots=afloat" in features else "classic"


def scores_for(rules: RulesView) -> Scores | None:
    """Return the scores for a game, None if none were searched for one like it."""
    name = name_for(rules)
    return None if name is None else _scores(name)


def file_for(name: str) -> str:
    """Return the table for the game of a name: "classic" or "salvo"."""
    return beside(__file__, f"{name}.csv")


def read_table(name: str) -> dict[str, float]:
    """Return the numbers of a table by the names of their rows."""
    return {row: float(value) for row, value in rows_of(file_for(name))}


@cache
def _scores(name: str) -> Scores:
    rows = read_table(name)
    found = {
        mask: rows["+".join(map(str, class_of(mask)))]
        for length in set(FLEET)
        for mask in placements(SIDE, SIDE, length)
    }
    return Scores(found, rows[CAP], rows[MEAN])


def class_of(mask: int) -> tuple[int, ...]:
    """Return the smallest of the placements that turning and mirroring makes of one."""
    cells = cells_of(mask)
    return min(tuple(sorted(turn[cell] for cell in cells)) for turn in turns_of(SIDE, SIDE))


def place(rules: RulesView, random: Random) -> dict[str, list[int]]:
    """Return the cells of each ship by name, drawn uniformly where no better way is known.

    To be called in a bot's ``place_fleet`` with its ``rules`` and its ``random``.
    """
    scores = scores_for(rules)
    layout = draw(rules, random)
    if scores is not None:
        for _ in range(MAX_DRAWS):
            score = sum(scores.placements[mask] for mask in layout)
            if random.random() < math.exp(min(score - scores.cap, 0)):
                break
            layout = draw(rules, random)
    return name_layout(rules, layout)
