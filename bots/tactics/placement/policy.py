"""Draw layouts from a distribution that strong shooters find harder than the uniform one.

Every placement has a score, and so has what two ships may have in common; the score of a layout is
the sum over its ships and pairs. Layouts are drawn with a probability proportional to exp(score):
uniformly, each kept with the probability exp(score - cap). Scores above the cap count as the cap,
so every legal layout is drawn now and then, and none often.
"""

import math
from itertools import combinations
from random import Random

from arena.rules import Layout, RulesView, barred, draw, name_layout
from bots.tactics.placement.scores import Scores, scores_for

__all__ = ["place"]

MAX_DRAWS = 400
"""The last of so many draws is kept: if one in ten is kept, once in 10**18 layouts."""


def place(rules: RulesView, random: Random) -> dict[str, list[int]]:
    """Return the cells of each ship by name, drawn uniformly where no better way is known.

    To be called in a bot's ``place_fleet`` with its ``rules`` and its ``random``.
    """
    scores = scores_for(rules)
    layout = draw(rules, random)
    if scores is not None:
        for _ in range(MAX_DRAWS):
            if random.random() < math.exp(min(score(rules, scores, layout) - scores.cap, 0)):
                break
            layout = draw(rules, random)
    return name_layout(rules, layout)


def score(rules: RulesView, scores: Scores, layout: Layout) -> float:
    """Return the score of a layout."""
    total = sum(scores.placements[mask] for mask in layout)
    for one, two in combinations(layout, 2):
        around = barred(rules.rows, rules.columns, one, "never")
        if around & two:
            beside = barred(rules.rows, rules.columns, one, "corners") & two
            total += scores.pairs["sides" if beside else "corners"]
            total += scores.pairs["cells"] * beside.bit_count()
        if _lies_across(one) == _lies_across(two):
            total += scores.pairs["parallel"]
    return total


def _lies_across(mask: int) -> bool:
    """Return whether a ship of two cells or more lies along a row."""
    return bool(mask & mask >> 1)
