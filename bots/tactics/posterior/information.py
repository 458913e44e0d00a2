"""Measures how much the answer to each further cell of a salvo says about layouts, in bits."""

from functools import lru_cache
from typing import NamedTuple, Self

import numpy as np

from bots.tactics.posterior.board_placements import Bools, Counts, Indices
from bots.tactics.posterior.ship_layouts import ShipLayouts

MOST_SHOTS = 8  # shots whose answers are told apart: the information of the first eight counts


class HitPatterns(NamedTuple):
    """Layouts by the pattern of hits of the cells that were chosen for a salvo."""

    layouts: ShipLayouts
    chosen: tuple[int, ...]
    struck: tuple[Bools, ...]  # for each chosen cell that counts, which layouts hit it
    # For each pattern how many layouts with it hit each cell, and in the last column how many have
    # it, (2, ..., 2, cells + 1): an axis for each chosen cell, with one more than count, so that
    # any of them can be left out.
    hits: Indices

    @classmethod
    def of(cls, layouts: ShipLayouts) -> Self:
        """Begin with no cell chosen."""
        few = layouts.compacted()
        return cls(few, (), (), np.append(few.hits(), few.number).astype(np.intp))

    def expected_hits(self) -> Counts:
        """Return how likely each cell is hit, (cells,); call it before a cell is chosen."""
        return np.asarray(self.hits[:-1] / self.hits[-1], np.float32)

    def bits(self) -> Counts:
        """Return the entropy that each cell adds to the answer, up to a common constant."""
        shown = self._told_apart()
        hits = shown.reshape(-1, shown.shape[-1])
        terms = log_weighted_to(self.layouts.number)
        # The order of the sum is part of what ties are decided by: pattern by pattern. The last
        # column goes along, as it costs less than to leave it out.
        bits = terms.take(hits)
        bits += terms.take(hits[:, -1:] - hits)
        return np.asarray(-bits.sum(axis=0)[:-1] / self.layouts.number, np.float32)

    def without(self, place: int) -> Self:
        """Return the same with one of the chosen cells left out."""
        chosen = self.chosen[:place] + self.chosen[place + 1 :]
        if place > MOST_SHOTS:
            return self._replace(chosen=chosen)
        struck = self.struck[:place] + self.struck[place + 1 :]
        return type(self)(self.layouts, chosen, struck, self.hits.sum(axis=place))

    def insert(self, place: int, cell: int) -> Self:
        """Return the same with one more cell chosen."""
        chosen = (*self.chosen[:place], cell, *self.chosen[place:])
        if place > MOST_SHOTS:
            return self._replace(chosen=chosen)
        covers, ships = self.layouts
        struck = np.asarray((covers[:, cell] > 0).take(ships).any(axis=0), bool)
        # Either the layouts that hit the cell are counted anew or those that do not, whichever are
        # fewer: the others are the difference.
        (rows,) = struck.nonzero()
        fewer = int(2 * len(rows) <= len(struck))
        counted = self._count(rows if fewer else np.flatnonzero(~struck))
        shown = self._told_apart()
        hits = np.empty((*shown.shape[:place], 2, *shown.shape[place:]), np.intp)
        parts = hits.reshape(2**place, 2, -1)
        parts[:, fewer] = counted.reshape(2**place, -1)
        np.subtract(shown.reshape(2**place, -1), parts[:, fewer], out=parts[:, 1 - fewer])
        others = self.struck[:MOST_SHOTS]
        struck_by = (*others[:place], struck, *others[place:])
        return type(self)(self.layouts, chosen, struck_by, hits)

    def _count(self, rows: Indices) -> Indices:
        """Return how many of some layouts have each pattern, as ``hits``, (patterns, cells + 1)."""
        covers, ships = self.layouts
        others = self.struck[:MOST_SHOTS]
        pattern = np.zeros(len(rows), np.intp)
        for struck in others:
            pattern += pattern
            pattern += struck.take(rows)
        number = 2 ** len(others)
        at = ships.take(rows, axis=1) + pattern * len(covers)
        times = np.bincount(at.ravel(), minlength=number * len(covers)).reshape(number, -1)
        counted = np.empty((number, covers.shape[1] + 1), np.intp)
        # Whole numbers below 2**24, and so exact as floats of 32 bits.
        counted[:, :-1] = times.astype(np.float32) @ covers
        counted[:, -1] = np.bincount(pattern, minlength=number)
        return counted

    def _told_apart(self) -> Indices:
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


@lru_cache(maxsize=4)
def log_weighted_to(most: int) -> Counts:
    """Return n log n of 0 to ``most``: to look a logarithm up is faster than to compute it."""
    return log_weighted(np.arange(most + 1, dtype=np.float32))
