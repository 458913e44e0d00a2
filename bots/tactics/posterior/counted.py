"""Samples layouts where only the number of hits of a salvo is reported.

What a ship adds to each of these numbers depends on its placement alone, so all numbers of a layout
are a sum over its ships. Each salvo gets a random number, and each placement the sum of those of
the shots on it: a layout agrees with what was reported if the sums of its ships make up what the
reports make up, and by chance hardly ever otherwise. The fleet is halved, the placements of each
half are listed, or some of them drawn, and two halves that make up the whole are found by sorting
(meet in the middle).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.rules import CountReport, Report, RulesView
from bots.tactics.posterior.board_placements import Floats, Indices
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.particles import Words, unpacked
from bots.tactics.posterior.sampled import AFLOAT, Sample, SampledBelief

LAYOUTS = 2_000  # how many layouts are drawn of those found
HALVES = 16  # how many halves are drawn for each layout to be drawn, where there are more


class Half(NamedTuple):
    """Some ways to place some ships beside each other."""

    covered: Words  # the cells they cover, as words, (ways, words)
    closed: Words  # the cells they deny to other ships, as words, (ways, words)
    sums: Words  # what they make up of the reports, (ways,)
    share: float  # which share of all ways these are


class CountedBelief(SampledBelief):
    """Follows a game in which hits are counted, by salvo or by ship, and ships stay."""

    def __init__(self, rules: RulesView, random: np.random.Generator) -> None:
        super().__init__(rules, random, LAYOUTS)
        self._possible = {
            name: self._all.kinds == self._board.lengths.index(length)
            for name, length in self._by_name.items()
        }
        self._shot_at = np.full(rules.cells, AFLOAT)
        self._salvos = 0
        self._sums = np.zeros(len(self._all.kinds), np.uint64)
        self._sum = np.zeros(1, np.uint64)

    def density(self) -> Floats:
        """Return how many placements of the ships are over each cell, as if each were alone."""
        possible = sum((there.astype(np.intp) for there in self._possible.values()), 0)
        return np.asarray(possible @ self._all.covers, float)

    def _observe(self, cells: tuple[int, ...], report: Report) -> None:
        if not isinstance(report, CountReport):
            raise TypeError(f"a report that says which cells hit is no count: {report}")
        fresh = [cell for cell in cells if self._shot_at[cell] == AFLOAT]
        self._shot_at[fresh] = self._salvos
        struck = self._all.covers[:, fresh].sum(axis=1)
        sunk_at = np.where(self._all.covers, self._shot_at, -1).max(axis=1)
        sinks = sunk_at == self._salvos
        for name, possible in self._possible.items():
            there = struck <= report.hits
            if report.ships is not None:
                there &= struck == report.ships.get(name, 0)
            if isinstance(report.sunk, tuple):
                there &= sinks == (name in report.sunk)
            elif report.sunk == 0:
                there &= ~sinks
            if report.sunk_cells and name in report.sunk_cells:
                there &= self._all.covers[:, list(report.sunk_cells[name])].all(axis=1)
            self._possible[name] = possible & there
        keys = self.random.integers(0, 1 << 64, 2, np.uint64)
        self._sums += struck.astype(np.uint64) * keys[0]
        self._sum += np.uint64(report.hits) * keys[:1]
        if isinstance(report.sunk, int):
            self._sums += sinks.astype(np.uint64) * keys[1]
            self._sum += np.uint64(report.sunk) * keys[1:]
        self._salvos += 1

    def _draw(self, number: int) -> Sample:
        ships = sorted((np.flatnonzero(there) for there in self._possible.values()), key=len)
        # The ships with most placements and with fewest together, so that the halves are alike.
        halves = [self._half(ships[part::2][::-1], HALVES * number) for part in range(2)]
        one, two = sorted(halves, key=lambda half: len(half.sums))
        order = np.argsort(one.sums, kind="stable")
        wanted = self._sum - two.sums
        first = np.searchsorted(one.sums[order], wanted, side="left")
        last = np.searchsorted(one.sums[order], wanted, side="right")
        bounds = np.cumsum(last - first)
        found = int(bounds[-1]) if len(bounds) else 0
        if found > 4 * number:
            points = (np.arange(4 * number) + self.random.random()) * (found / (4 * number))
            pairs = points.astype(np.intp)
        else:
            pairs = np.arange(found)
        rows_two = np.searchsorted(bounds, pairs, side="right")
        rows_one = order[first[rows_two] + pairs - (bounds - (last - first))[rows_two]]
        meet = (one.closed[rows_one] & two.covered[rows_two]).any(axis=1)
        covered = (one.covered[rows_one] | two.covered[rows_two])[~meet]
        if not len(covered):
            raise ImpossibleEvidenceError("no layout was found that agrees with the numbers")
        layouts = unpacked(covered, self._board.cells)
        exact = one.share == two.share == 1 and len(pairs) == found
        return Sample(layouts, np.ones(len(layouts)), layouts, exact=exact)

    def _half(self, ships: Sequence[Indices], limit: int) -> Half:
        """Return the ways to place some ships, or about ``limit`` of them drawn at random."""
        covers, reach = self._all.cover_words, self._all.reach_words
        ways = Half(np.zeros((1, covers.shape[1]), np.uint64), covers[:0], self._sum[:1] * 0, 1.0)
        ways = ways._replace(closed=ways.covered)
        for places in ships:
            total = len(ways.sums) * len(places)
            drawn = np.arange(total)
            share = ways.share
            if total > limit:
                drawn = np.sort(self.random.integers(0, total, limit))
                share *= limit / total
            row, place = np.divmod(drawn, max(len(places), 1))
            place = places[place]
            free = ~(ways.closed[row] & covers[place]).any(axis=1)
            row, place = row[free], place[free]
            ways = Half(
                ways.covered[row] | covers[place],
                ways.closed[row] | reach[place],
                ways.sums[row] + self._sums[place],
                share,
            )
        return ways
