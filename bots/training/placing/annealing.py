"""Searches for layouts that cost a shooter most, by simulated annealing of many side by side.

What a layout costs is the mean of some games against its turned and mirrored copies; so it is known
with noise, and that of a layout which is kept is measured again every now and then (Kirkpatrick,
Gelatt, Vecchi: "Optimization by simulated annealing", 1983).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from arena.rules import cells_of, mask_of
from bots.tactics.placement.weighted_layouts import FLEET, SIDE
from bots.tactics.solver.small_game import turns_of
from bots.training.placing.numbered_layouts import (
    FIRST,
    MASKS,
    Doubles,
    Indices,
    draw_layouts,
    features,
)

Cost = Callable[[Indices], Doubles]
"""Returns what one game at each of some layouts costs, (layouts, ships) -> (layouts,)."""

WARM, COLD = 2.3, 0.3  # temperatures at the start and at the end, in shots
FRESH = 5  # rounds after which what is kept is measured again
CHOSEN = 4  # uniform layouts for each that the search starts with


@dataclass(frozen=True)
class Annealing:
    """The settings of a search.

    Attributes:
        layouts: How many are improved side by side.
        rounds: How often each is changed, at most.
        games: Games by which a change is judged.
    """

    layouts: int
    rounds: int
    games: int

    @property
    def evaluations(self) -> int:
        """Return how many games a search takes."""
        return self.layouts * self.games * (CHOSEN + 1 + self.rounds + self.rounds // FRESH)


@lru_cache(maxsize=1)
def turnings() -> Indices:
    """Return what each placement becomes in the eight turns and mirrors, (8, placements)."""
    numbers = {mask: number for number, mask in enumerate(MASKS)}
    return np.array(
        [
            [numbers[mask_of([turn[cell] for cell in cells_of(mask)])] for mask in MASKS]
            for turn in turns_of(SIDE, SIDE)
        ]
    )


def turned(layouts: Indices, random: np.random.Generator) -> Indices:
    """Return layouts, each turned and mirrored at random."""
    turns = random.integers(len(turnings()), size=len(layouts))
    return np.asarray(turnings()[turns[:, None], layouts])


def cost_of(layouts: Indices, games: int, cost: Cost, random: np.random.Generator) -> Doubles:
    """Return the mean cost of each layout, over its copies turned at random."""
    copies = turned(np.repeat(layouts, games, axis=0), random)
    return np.asarray(cost(copies).reshape(len(layouts), games).mean(axis=1), float)


def changed(layouts: Indices, random: np.random.Generator) -> Indices:
    """Return layouts, one ship of each moved to any place that is free."""
    starts = np.array([FIRST[length] for length in FLEET])
    numbers = np.bincount(np.searchsorted(np.unique(starts), np.arange(len(MASKS)), "right"))[1:]
    by_start = dict(zip(np.unique(starts).tolist(), numbers.tolist(), strict=True))
    sizes = np.array([by_start[start] for start in starts.tolist()])
    found, todo = layouts.copy(), np.arange(len(layouts))
    while len(todo):
        every, ship = np.arange(len(todo)), random.integers(len(FLEET), size=len(todo))
        new = layouts[todo]
        new[every, ship] = starts[ship] + (random.random(len(todo)) * sizes[ship]).astype(np.intp)
        clear = np.ones(len(todo), bool)
        for one, two in combinations(range(len(FLEET)), 2):
            clear &= features().clear[new[:, one], new[:, two]]
        found[todo[clear]] = new[clear]
        todo = todo[~clear]
    return found


def anneal(
    cost: Cost, settings: Annealing, random: np.random.Generator
) -> Iterator[tuple[Indices, Doubles]]:
    """Yield after each round the layouts, (layouts, ships), and what each seems to cost."""
    number, games = settings.layouts, settings.games
    layouts = draw_layouts(CHOSEN * number, random)
    first = cost_of(layouts, games, cost, random)
    layouts = layouts[np.argsort(-first, kind="stable")[:number]]
    costs, times = cost_of(layouts, games, cost, random), 1
    for done in range(settings.rounds):
        heat = COLD + (WARM - COLD) * (1 - done / settings.rounds)
        others = changed(layouts, random)
        found = cost_of(others, games, cost, random)
        better = random.random(number) < np.exp(np.minimum((found - costs) / heat, 0))
        layouts[better], costs[better] = others[better], found[better]
        if done % FRESH == FRESH - 1:
            again = cost_of(layouts, games, cost, random)
            costs, times = (costs * times + again) / (times + 1), times + 1
        yield layouts.copy(), costs.copy()
