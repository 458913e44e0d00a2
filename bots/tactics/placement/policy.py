"""Draw layouts from a distribution that strong shooters find harder than the uniform one.

Every placement has a score, and the score of a layout is the sum over its ships. Layouts are drawn
with a probability proportional to exp(score): uniformly, each kept with the probability
exp(score - cap). Scores above the cap count as the cap, so every legal layout is drawn now and
then, and none often.
"""

import math
from random import Random

from arena.rules import RulesView, draw, name_layout
from bots.tactics.placement.scores import scores_for

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
            score = sum(scores.placements[mask] for mask in layout)
            if random.random() < math.exp(min(score - scores.cap, 0)):
                break
            layout = draw(rules, random)
    return name_layout(rules, layout)
