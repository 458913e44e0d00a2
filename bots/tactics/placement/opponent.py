"""Estimates whether an opponent hides its fleet as ``place`` does."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arena.rules import RulesView, mask_of, placements
from bots.tactics.placement.weighted_layouts import SIDE, Scores, scores_for

SUREST = 4.0  # the bound of the log-odds in either direction: 98%. Opponents may change their ways.

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.signedinteger[Any]]


class Opponent:
    """An opponent that draws its layouts as ``place`` does, or uniformly: equally likely at first.

    Keep one for all games against it: each of its layouts that is seen says which, by Bayes' rule.
    """

    def __init__(self, scores: Scores) -> None:
        self._placements = scores.placements
        self._cap, self._mean = scores.cap, scores.mean
        self._scores = {
            length: np.array([scores.placements[mask] for mask in placements(SIDE, SIDE, length)])
            for length in {mask.bit_count() for mask in scores.placements}
        }
        self._log_odds = 0.0

    @classmethod
    def by_rules(cls, rules: RulesView) -> "Opponent | None":
        """Return an opponent of whom nothing is known; None where ``place`` knows no better way."""
        # The mean of the scores is that over layouts drawn uniformly.
        scores = scores_for(rules) if rules.layouts == "uniform" else None
        return None if scores is None else cls(scores)

    @property
    def hides(self) -> float:
        """Return how likely it is that it hides its fleet."""
        return 1 / (1 + math.exp(-self._log_odds))

    def saw(self, ships: Iterable[Sequence[int]]) -> None:
        """Learn from one of its layouts: the cells of each ship."""
        score = sum(self._placements[mask_of(cells)] for cells in ships)
        learned = self._log_odds + min(score, self._cap) - math.log(self._mean)
        self._log_odds = min(max(learned, -SUREST), SUREST)

    def chances_of(self, lengths: Sequence[int], places: Indices) -> Floats:
        """Return how likely layouts are, relative to uniform; places are (slots, layouts)."""
        scores = np.zeros(places.shape[1])
        for length, row in zip(lengths, places, strict=True):
            scores += self._scores[length].take(row)
        odds = np.exp(np.minimum(scores, self._cap)) / self._mean
        return np.asarray(1 - self.hides + self.hides * odds, float)
