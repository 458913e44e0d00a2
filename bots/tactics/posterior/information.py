"""Measures how much the answer to each further cell of a salvo says about layouts, in bits."""

from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from bots.tactics.posterior.board_placements import Bools, Counts

MOST_SHOTS = 8  # shots whose answers are told apart: the information of the first eight counts


class HitPatterns(NamedTuple):
    """Layouts by the pattern of hits of the cells that were chosen for a salvo."""

    # Whether each layout has a ship on each cell, and a column of ones, so that layouts are counted
    # as hits are, (layouts, cells + 1)
    covered: Counts
    chosen: tuple[int, ...]
    # For each pattern how many layouts with it hit each cell, (2, ..., 2, cells + 1): an axis for
    # each chosen cell, with one more than count, so that any of them can be left out. Whole
    # numbers, and so exact as floats.
    hits: Counts

    @classmethod
    def of(cls, layouts: Bools) -> Self:
        """Begin with no cell chosen, of layouts as the cells they cover, (layouts, cells)."""
        covered = np.ones((len(layouts), layouts.shape[1] + 1), np.float32)
        covered[:, :-1] = layouts
        # Faster than a sum along the first axis.
        return cls(covered, (), np.ones(len(covered), np.float32) @ covered)

    def expected_hits(self) -> Counts:
        """Return how likely each cell is hit, (cells,); call it before a cell is chosen."""
        return np.asarray(self.hits[:-1] / self.hits[-1], np.float32)

    def bits(self) -> Counts:
        """Return the entropy that each cell adds to the answer, up to a common constant."""
        shown = self._told_apart()
        counts = shown.reshape(-1, shown.shape[-1]).astype(np.intp)
        hits = counts[:, :-1]
        terms = log_weighted_to(len(self.covered))
        # The order of the sum is part of what ties are decided by: pattern by pattern.
        bits = (terms.take(hits) + terms.take(counts[:, -1:] - hits)).sum(axis=0)
        return np.asarray(-bits / len(self.covered), np.float32)

    def without(self, place: int) -> Self:
        """Return the same with one of the chosen cells left out."""
        chosen = self.chosen[:place] + self.chosen[place + 1 :]
        hits = self.hits.sum(axis=place) if place <= MOST_SHOTS else self.hits
        return self._replace(chosen=chosen, hits=hits)

    def insert(self, place: int, cell: int) -> Self:
        """Return the same with one more cell chosen."""
        chosen = (*self.chosen[:place], cell, *self.chosen[place:])
        if place > MOST_SHOTS:
            return self._replace(chosen=chosen)
        # Only the layouts that hit the cell are counted anew: the others are the difference.
        struck = self.covered.take(np.flatnonzero(self.covered[:, cell]), axis=0)
        others = np.array(self.chosen[:MOST_SHOTS], np.intp)
        pattern = struck.take(others, axis=1) @ _powers_of_two(len(others))
        alike = np.zeros((2 ** len(others), len(struck)), np.float32)
        alike[pattern.astype(np.intp), np.arange(len(struck))] = 1
        shown = self._told_apart()
        hits = np.empty((*shown.shape[:place], 2, *shown.shape[place:]), np.float32)
        parts = hits.reshape(2**place, 2, -1)
        parts[:, 1] = (alike @ struck).reshape(2**place, -1)
        np.subtract(shown.reshape(2**place, -1), parts[:, 1], out=parts[:, 0])
        return self._replace(chosen=chosen, hits=hits)

    def _told_apart(self) -> Counts:
        """Return the hits by pattern of as many cells as count."""
        return self.hits if self.hits.ndim <= MOST_SHOTS + 1 else self.hits.sum(axis=MOST_SHOTS)


class HitNumbers(NamedTuple):
    """Layouts by the number of hits of the cells that were chosen for a salvo."""

    covered: Counts  # whether each layout has a ship on each cell, (layouts, cells)
    chosen: tuple[int, ...]

    @classmethod
    def of(cls, layouts: Bools) -> Self:
        """Begin with no cell chosen, of layouts as the cells they cover, (layouts, cells)."""
        return cls(layouts.astype(np.float32), ())

    def expected_hits(self) -> Counts:
        """Return how likely each cell is hit, (cells,)."""
        return np.asarray(self.covered.mean(axis=0), np.float32)

    def bits(self) -> Counts:
        """Return the entropy of the number of hits with each cell, up to a common constant."""
        covered = self.covered
        number = covered[:, list(self.chosen)].sum(axis=1).astype(np.intp)
        alike = np.zeros((len(self.chosen) + 1, len(covered)), np.float32)
        alike[number, np.arange(len(covered))] = 1
        hits = alike @ covered
        after = np.zeros((len(self.chosen) + 2, covered.shape[1]), np.float32)
        after[:-1] += alike.sum(axis=1)[:, None] - hits
        after[1:] += hits
        return np.asarray(-log_weighted(after).sum(axis=0) / len(covered), np.float32)

    def without(self, place: int) -> Self:
        """Return the same with one of the chosen cells left out."""
        return self._replace(chosen=self.chosen[:place] + self.chosen[place + 1 :])

    def insert(self, place: int, cell: int) -> Self:
        """Return the same with one more cell chosen."""
        return self._replace(chosen=(*self.chosen[:place], cell, *self.chosen[place:]))


def log_weighted(counts: Counts) -> Counts:
    """Return n log n of some counts, in bits, 0 for none."""
    return counts * np.log2(np.maximum(counts, 1))


@lru_cache(maxsize=MOST_SHOTS + 1)
def _powers_of_two(number: int) -> Counts:
    """Return the powers below 2 ** ``number``, the greatest first."""
    return 2 ** np.arange(number, dtype=np.float32)[::-1]


@lru_cache(maxsize=4)
def log_weighted_to(most: int) -> Counts:
    """Return n log n of 0 to ``most``: to look a logarithm up is faster than to compute it."""
    return log_weighted(np.arange(most + 1, dtype=np.float32))
