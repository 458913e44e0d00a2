"""Counts the layouts in which the ships that were not hit lie beside those that were.

These free ships are placed one after another, in every possible way, until two remain: one matrix
product counts the ways of these two for all the others at once. Where there are too many ways, a
systematic sample of them is drawn by weight, and each stands for its share of the total; the ways
of the last two ships are still counted exactly.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from bots.tactics.posterior.board_placements import Bits, Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.packed_bits import count_ones, ones, unpacked
from bots.tactics.posterior.systematic import draw_systematically

TAIL = 2  # how many free ships are counted at once, at most


class OpenPlacements:
    """The placements of each length over untried cells, and which of them fit beside which."""

    def __init__(self, board: Board, is_open: Bools) -> None:
        """Take in which placements of all lengths are over untried cells."""
        self.board = board
        self._is_open = is_open
        self._places: dict[int, Indices] = {}
        is_one = np.zeros(8 * board.all_fits_bits.shape[1], bool)
        is_one[board.bits] = is_open
        self._open_bits = np.packbits(is_one)[None]
        self._beside: dict[tuple[int, int], Counts] = {}

    def places(self, length: int) -> Indices:
        """Return the open placements of a length."""
        if (found := self._places.get(length)) is None:
            found = np.flatnonzero(self._is_open[self.board.numbers[length]])
            self._places[length] = found
        return found

    def fitting(self, slots: Iterable[Indices], rows: int) -> Bits:
        """Return which open placements of each length fit beside all ships that are placed.

        ``slots`` are, for each of these, the number of its placement in each row. The shape is
        (rows, bytes), as that of ``all_fits_bits``.
        """
        fitting = self._open_bits.repeat(rows, axis=0)
        for numbers in slots:
            fitting &= self.board.all_fits_bits.take(numbers, axis=0)
        return fitting

    def floats(self, fitting: Bits, length: int) -> Counts:
        """Return ``fitting`` as 1.0 and 0.0 for each open placement, (rows, placements left)."""
        return unpacked(fitting)[:, self.places(length)].astype(np.float32)

    def beside(self, one: int, two: int) -> Counts:
        """Return 1.0 where an open placement of one length fits beside one of another."""
        found = self._beside.get((one, two))
        if found is None:
            found = self.board.fits[one, two][self.places(one)][:, self.places(two)]
            self._beside[one, two] = found
        return found


class Group(Struct, frozen=True, dict=True):
    """Explanations that leave the same ships free."""

    weights: Floats  # of each explanation
    free: list[int]  # the lengths of the ships that are free
    # Which placements of any length fit beside an explanation's ships, (explanations, bytes)
    fitting: Bits
    left: OpenPlacements

    @cached_property
    def counts(self) -> dict[int, Floats]:
        """Return how many placements of each length fit beside each explanation's ships."""
        fitting, bytes_of = self.fitting, self.left.board.bytes_of
        return {length: count_ones(fitting[:, bytes_of[length]]) for length in set(self.free)}

    def room(self) -> float:
        """Return how many layouts there would be if the free ships could overlap."""
        ways = self.weights.copy()
        for length in self.free:
            ways *= self.counts[length]
        return float(ways.sum())


class Tail(NamedTuple):
    """The last ships, two at most, beside some partial layouts.

    Attributes:
        fitting: For each ship, which placements fit beside those placed, (partial layouts, bytes).
        floats: The same as 1.0 and 0.0 for each placement left, (partial layouts, placements left);
            empty unless there are two ships.
        ways_of_last: How many ways two ships have with the second at each placement left, (partial
            layouts, placements left). Exact, as all numbers are whole and below 2**24.
        totals: How many ways the ships have, (partial layouts,).
    """

    left: OpenPlacements
    lengths: list[int]
    fitting: list[Bits]
    floats: list[Counts]
    ways_of_last: Counts | None
    totals: Floats

    def ways(self) -> list[Counts]:
        """Return for each ship how many ways there are with it at each placement left."""
        if self.ways_of_last is None:
            return [
                self.left.floats(*ship) for ship in zip(self.fitting, self.lengths, strict=True)
            ]
        one, two = self.lengths
        if one == two:
            return [self.ways_of_last, self.ways_of_last]
        ways = self.floats[1] @ self.left.beside(one, two).T
        ways *= self.floats[0]
        return [ways, self.ways_of_last]


class Partial(NamedTuple):
    """Layouts that lack the last two free ships."""

    rows: Indices  # the explanation that each continues, by its number in the group
    weights: Floats  # how many layouts of its kind each stands for
    placed: list[tuple[int, Indices]]  # for each free ship placed, its length and its placements
    tail: Tail


def count_free(
    group: Group, limit: int, draws: int, random: np.random.Generator
) -> tuple[Partial, bool]:
    """Return the partial layouts of a group, and whether all of them were kept.

    Of more than ``limit``, ``draws`` are drawn.
    """
    order = group.free
    if len(order) > 1:
        room = {length: float(counts.sum()) for length, counts in group.counts.items()}
        order = sorted(order, key=lambda length: (room[length], -length))
    rows: Indices = np.arange(len(group.weights))
    weights, exact = group.weights, True
    fitting, board = group.fitting, group.left.board
    placed: list[tuple[int, Indices]] = []
    for length in order[:-TAIL]:
        fitting_it = fitting[:, board.bytes_of[length]]
        row, place, weights, all_there = _place(fitting_it, weights, limit, draws, random)
        exact &= all_there
        rows = rows[row]
        placed = [(other, places[row]) for other, places in placed]
        placed.append((length, place))
        fitting = fitting.take(row, axis=0)
        fitting &= board.all_fits_bits.take(place + board.numbers[length].start, axis=0)
    lengths = order[-TAIL:]
    of_tail = [fitting[:, board.bytes_of[length]] for length in lengths]
    tail = _tail(group.left, lengths, of_tail, len(rows))
    return Partial(rows, weights, placed, tail), exact


def _tail(left: OpenPlacements, lengths: list[int], fitting: list[Bits], rows: int) -> Tail:
    if not lengths:
        return Tail(left, lengths, fitting, [], None, np.ones(rows))
    if len(lengths) == 1:
        return Tail(left, lengths, fitting, [], None, count_ones(fitting[0]))
    one, two = lengths
    of_one = left.floats(fitting[0], one)
    of_two = of_one if one == two else left.floats(fitting[1], two)
    ways = of_one @ left.beside(one, two)
    ways *= of_two
    totals = (ways @ ones(ways.shape[1])).astype(float)
    return Tail(left, lengths, fitting, [of_one, of_two], ways, totals)


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
