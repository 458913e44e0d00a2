"""Counts the layouts in which the ships that were not hit lie beside those that were.

These free ships are placed one after another, in every possible way, until two remain: one matrix
product counts the ways of these two for all the others at once. Where there are too many ways, a
systematic sample of them is drawn by weight, and each stands for its share of the total; the ways
of the last two ships are still counted exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bots.tactics.posterior.board_placements import Bits, Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.packed_bits import count_ones, ones, unpacked
from bots.tactics.posterior.systematic import draw_systematically


class OpenPlacements:
    """The placements of each length over untried cells, and which of them fit beside which."""

    def __init__(self, board: Board, is_open: Bools) -> None:
        """Take in which placements of all lengths are over untried cells."""
        self.board = board
        self.places: dict[int, Indices] = {}
        self._bits: dict[int, Bits] = {}
        for length in board.lengths:
            is_one_open = is_open[board.numbers[length]]
            self.places[length] = np.flatnonzero(is_one_open)
            self._bits[length] = np.packbits(is_one_open)
        self._beside: dict[tuple[int, int], Counts] = {}

    def fitting(self, slots: Sequence[tuple[int, Indices]], length: int, rows: int) -> Bits:
        """Return which open placements of ``length`` fit beside all ships that are placed.

        ``slots`` are, for each of these, its length and its placement in each row. The shape is
        (rows, bytes).
        """
        fitting = np.empty((rows, len(self._bits[length])), np.uint8)
        fitting[:] = self._bits[length]
        for other, placed in slots:
            fitting &= self.board.fits_bits[other, length].take(placed, axis=0)
        return fitting

    def floats(self, fitting: Bits, length: int) -> Counts:
        """Return ``fitting`` as 1.0 and 0.0 for each open placement, (rows, placements left)."""
        return unpacked(fitting)[:, self.places[length]].astype(np.float32)

    def beside(self, one: int, two: int) -> Counts:
        """Return 1.0 where an open placement of one length fits beside one of another."""
        found = self._beside.get((one, two))
        if found is None:
            found = self.board.fits[one, two][self.places[one]][:, self.places[two]]
            self._beside[one, two] = found
        return found


@dataclass(frozen=True)
class Group:
    """Explanations that leave the same ships free."""

    weights: Floats  # of each explanation
    free: list[int]  # the lengths of the ships that are free
    # For each of these lengths, which placements fit beside the explanation's ships,
    # (explanations, bytes)
    fitting: Mapping[int, Bits]
    left: OpenPlacements

    @cached_property
    def counts(self) -> dict[int, Floats]:
        """Return how many placements of each length fit beside each explanation's ships."""
        return {length: count_ones(fitting) for length, fitting in self.fitting.items()}

    def room(self) -> float:
        """Return how many layouts there would be if the free ships could overlap."""
        ways = self.weights.copy()
        for length in self.free:
            ways *= self.counts[length]
        return float(ways.sum())


@dataclass(frozen=True)
class Partial:
    """Layouts that lack the last two free ships."""

    rows: Indices  # the explanation that each continues, by its number in the group
    weights: Floats  # how many layouts of its kind each stands for
    placed: list[tuple[int, Indices]]  # for each free ship placed, its length and its placements
    tail: list[int]  # the lengths of the ships not placed, two at most
    # For each ship of the tail, which placements fit beside those placed, (partial layouts, bytes)
    fitting: list[Bits] = field(repr=False)
    left: OpenPlacements = field(repr=False)

    @cached_property
    def _floats(self) -> list[Counts]:
        pairs = zip(self.tail, self.fitting, strict=True)
        return [self.left.floats(fitting, length) for length, fitting in pairs]

    @cached_property
    def ways_of_last(self) -> Counts:
        """Return how many ways the tail of two has with its last ship at each placement left.

        Exact, as all numbers are whole and below 2**24; (partial layouts, placements left).
        """
        first, last = self._floats
        ways = first @ self.left.beside(*self.tail)
        ways *= last
        return ways

    @cached_property
    def ways(self) -> list[Counts]:
        """Return the same for each ship of the tail."""
        if len(self.tail) < 2:  # noqa: PLR2004 - a ship by itself has one way at each placement
            return self._floats
        first, last = self._floats
        ways = last @ self.left.beside(*self.tail).T
        ways *= first
        return [ways, self.ways_of_last]

    @cached_property
    def totals(self) -> Floats:
        """Return how many ways the tail has, (partial layouts,)."""
        if not self.tail:
            return np.ones(len(self.rows))
        if len(self.tail) == 1:
            return count_ones(self.fitting[0])
        ways = self.ways_of_last
        return (ways @ ones(ways.shape[1])).astype(float)


def count_free(
    group: Group, limit: int, draws: int, random: np.random.Generator
) -> tuple[Partial, bool]:
    """Return the partial layouts of a group, and whether all of them were kept.

    Of more than ``limit``, ``draws`` are drawn.
    """
    room = {length: float(counts.sum()) for length, counts in group.counts.items()}
    order = sorted(group.free, key=lambda length: (room[length], -length))
    rows: Indices = np.arange(len(group.weights))
    weights, exact = group.weights, True
    fitting = dict(group.fitting)
    placed: list[tuple[int, Indices]] = []
    for number, length in enumerate(order[:-2]):
        row, place, weights, all_there = _place(fitting[length], weights, limit, draws, random)
        exact &= all_there
        rows = rows[row]
        placed = [(other, places[row]) for other, places in placed]
        placed.append((length, place))
        for other in set(order[number + 1 :]):
            fits = group.left.board.fits_bits[length, other]
            fitting[other] = fitting[other].take(row, axis=0) & fits.take(place, axis=0)
    tail = order[-2:]
    fitting_tail = [fitting[length] for length in tail]
    return Partial(rows, weights, placed, tail, fitting_tail, group.left), exact


def _place(
    fitting: Bits, weights: Floats, limit: int, draws: int, random: np.random.Generator
) -> tuple[Indices, Indices, Floats, bool]:
    """Place a ship beside each partial layout, in every way or in ``draws``; say whether in all."""
    columns = 8 * fitting.shape[1]
    pairs = np.flatnonzero(unpacked(fitting))
    weights = weights.repeat(count_ones(fitting).astype(np.intp))
    if whole := len(pairs) <= limit:
        row, place = np.divmod(pairs, columns)
    else:
        drawn, share = draw_systematically(weights, draws, random)
        row, place = np.divmod(pairs[drawn], columns)
        weights = np.full(draws, share)
    return row, place, weights, whole
