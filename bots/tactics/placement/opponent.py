"""Estimates how an opponent places its fleet, from the layouts that it had so far."""

import math
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from arena.rules import RulesView, mask_of, placements
from bots.tactics.placement.hard_layouts import (
    Floats,
    HardLayouts,
    Indices,
    hard_layouts,
    numbers_of,
)
from bots.tactics.placement.weighted_layouts import FLEET, SIDE, Scores, name_for, scores_for
from bots.tactics.solver.small_game import turns_of

SUREST = 4.0  # how much less likely than another anything gets, in logarithms: 2%.
"""Opponents may change their ways."""

UNIFORM, HIDES, HARD = 0.4, 0.3, 0.3
"""How likely it is at first that an opponent places its fleet uniformly, as ``place`` does, or in
one of the kinds of layouts that are hard to find."""

REPEATS = 0.2  # how likely it is at first that an opponent has but a few layouts, which it turns
KEPT = 10.0  # how many layouts such an opponent has, about

Layout = tuple[int, ...]


class Repeated(NamedTuple):
    """Layouts that an opponent may have once more."""

    places: Indices  # the placement of each ship among those of its length, (slots, layouts)
    chance: float  # that it has any of them; all are equally likely


class Opponent:
    """An opponent that places its fleet in one of a few ways.

    It draws its layouts uniformly; or as ``place`` does; or it searched for such as shooters find
    late, of one of several kinds. Besides, it may have a layout again that it had before, turned or
    mirrored. Keep one for all games against it, and call ``game_begins`` in each: every layout that
    is seen says which, by Bayes' rule. Which of the hard kinds is expected in a game is drawn by
    chance, since no layout is hard for all that may be drawn.
    """

    def __init__(self, scores: Scores, hard: Sequence[HardLayouts]) -> None:
        self._placements = scores.placements
        self._cap, self._mean = scores.cap, scores.mean
        self._scores = {
            length: np.array([scores.placements[mask] for mask in placements(SIDE, SIDE, length)])
            for length in {mask.bit_count() for mask in scores.placements}
        }
        self._hard = hard
        self._logs = np.log([UNIFORM, HIDES, *[HARD / len(hard)] * len(hard)])
        self._seen: list[Layout] = []
        self._repeats = math.log(REPEATS / (1 - REPEATS))
        self._kind = 0

    @classmethod
    def by_rules(cls, rules: RulesView) -> "Opponent | None":
        """Return an opponent of whom nothing is known; None where ``place`` knows no better way."""
        # The mean of the scores is that over layouts drawn uniformly.
        name = name_for(rules) if rules.layouts == "uniform" else None
        scores = scores_for(rules)
        return None if name is None or scores is None else cls(scores, hard_layouts(name))

    @property
    def ways(self) -> Floats:
        """Return how likely each way is: uniformly, as ``place`` does, and each hard kind."""
        shares = np.exp(self._logs - self._logs.max())
        return np.asarray(shares / shares.sum())

    @property
    def hides(self) -> float:
        """Return how likely it is that it hides its fleet as ``place`` does."""
        return float(self.ways[1])

    def game_begins(self, random: Random) -> None:
        """Draw which of the hard kinds is expected in this game, if any is used."""
        (self._kind,) = random.choices(range(len(self._hard)), self.ways[2:].tolist())

    def saw(self, ships: Iterable[Sequence[int]]) -> None:
        """Learn from one of its layouts: the cells of each ship."""
        layout = tuple(sorted((mask_of(cells) for cells in ships), key=_by_length))
        score = sum(self._placements[mask] for mask in layout)
        places = [[placements(SIDE, SIDE, mask.bit_count()).index(mask)] for mask in layout]
        numbers = numbers_of(FLEET, np.array(places))
        logs = [0.0, min(score, self._cap) - math.log(self._mean)]
        logs += [math.log(kind.odds(numbers)[0]) for kind in self._hard]
        self._logs = self._logs + logs
        self._logs = np.maximum(self._logs, self._logs.max() - SUREST)
        self._saw_again(min(turned(layout)))

    def _saw_again(self, layout: Layout) -> None:
        """Learn whether it has but a few layouts; each of these is given as its first turning."""
        if layout in self._seen:
            # Whoever has more than a few hardly ever has one again.
            self._repeats = SUREST
        elif self._seen:
            more = math.log(KEPT) - math.log(len(self._seen) + KEPT)
            self._repeats = max(self._repeats + more, -SUREST)
        self._seen.append(layout)

    def repeated(self) -> Repeated:
        """Return the layouts that it may have once more: all that were seen, in every turning."""
        number = len(self._seen)
        if not number:
            return Repeated(np.zeros((len(FLEET), 0), np.intp), 0)
        index = {
            length: {mask: at for at, mask in enumerate(placements(SIDE, SIDE, length))}
            for length in set(FLEET)
        }
        every = [layout for seen in self._seen for layout in turned(seen)]
        places = [[index[mask.bit_count()][mask] for mask in layout] for layout in every]
        few = 1 / (1 + math.exp(-self._repeats))
        return Repeated(np.array(places).T, few * number / (number + KEPT))

    def chances_of(self, lengths: Sequence[int], places: Indices) -> Floats:
        """Return how likely layouts are, relative to uniform; places are (slots, layouts)."""
        scores = np.zeros(places.shape[1])
        for length, row in zip(lengths, places, strict=True):
            scores += self._scores[length].take(row)
        odds = np.exp(np.minimum(scores, self._cap)) / self._mean
        uniform, hides, *hard = self.ways
        found = self._hard[self._kind].odds(numbers_of(lengths, places))
        return np.asarray(uniform + hides * odds + sum(hard) * found, float)


def turned(layout: Layout) -> list[Layout]:
    """Return a layout in all turns and mirrors of the board, its ships in order of length."""
    bits = [[cell for cell in range(SIDE * SIDE) if mask >> cell & 1] for mask in layout]
    return [
        tuple(sorted((mask_of([turn[cell] for cell in ship]) for ship in bits), key=_by_length))
        for turn in turns_of(SIDE, SIDE)
    ]


def _by_length(mask: int) -> tuple[int, int]:
    return -mask.bit_count(), mask
