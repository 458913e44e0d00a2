"""Counts the layouts in which the ships that were not hit lie beside those that were.

These free ships are placed one after another, in every possible way, until two remain: one matrix
product counts the ways of these two for all the others at once. Where there are too many ways, a
systematic sample of them is drawn by weight, and each stands for its share of the total; the ways
of the last two ships are still counted exactly.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.systematic import draw_systematically


class Partial(NamedTuple):
    """Layouts that lack the last two free ships."""

    rows: Indices  # the explanation that each continues, by its number in the group
    weights: Floats  # how many layouts of its kind each stands for
    placed: list[tuple[int, Indices]]  # for each free ship placed, its length and its placements
    tail: list[int]  # the lengths of the ships not placed, two at most
    # For each ship of the tail, how many ways the tail has with that ship at each placement,
    # (partial layouts, placements left)
    ways: list[Counts]
    totals: Floats  # how many ways the tail has


class OpenPlacements:
    """The placements of each length over untried cells, and which of them fit beside which."""

    def __init__(self, board: Board, untried: Bools) -> None:
        self._board = board
        shot = (~untried).astype(np.float32)
        self.places: dict[int, Indices] = {
            length: np.flatnonzero(covers @ shot == 0) for length, covers in board.covers_32.items()
        }
        self._beside: dict[tuple[int, int], Counts] = {}
        self._fits: dict[tuple[int, int], Counts] = {}

    def fitting(self, slots: Sequence[tuple[int, Indices]], length: int, rows: int) -> Counts:
        """Return 1.0 where a placement of ``length`` fits beside all ships that are placed.

        ``slots`` are, for each of these, its length and its placement in each row.
        """
        fitting = np.ones((rows, len(self.places[length])), np.float32)
        for other, placed in slots:
            if (found := self._fits.get((other, length))) is None:
                found = self._board.fits[other, length][:, self.places[length]]
                self._fits[other, length] = found
            fitting *= found.take(placed, axis=0)
        return fitting

    def beside(self, one: int, two: int) -> Counts:
        """Return 1.0 where a placement of one length fits beside one of another."""
        found = self._beside.get((one, two))
        if found is None:
            fits = self._board.fits[one, two]
            found = fits[self.places[one]][:, self.places[two]]
            self._beside[one, two] = found
        return found


class Group(NamedTuple):
    """Explanations that leave the same ships free."""

    weights: Floats  # of each explanation
    free: list[int]  # the lengths of the ships that are free
    # For each of these lengths, whether a placement fits beside the explanation's ships,
    # (explanations, placements left)
    fitting: Mapping[int, Counts]
    left: OpenPlacements


def count_free(
    group: Group, limit: int, draws: int, random: np.random.Generator
) -> tuple[Partial, bool]:
    """Return the partial layouts of a group, and whether all of them were kept.

    Of more than ``limit``, ``draws`` are drawn.
    """
    room = {length: float(group.fitting[length].sum()) for length in group.free}
    order = sorted(group.free, key=lambda length: (room[length], -length))
    rows: Indices = np.arange(len(group.weights))
    weights, exact = group.weights, True
    fitting = {length: group.fitting[length] for length in group.free}
    placed: list[tuple[int, Indices]] = []
    for number, length in enumerate(order[:-2]):
        row, place, weights, all_there = _place(fitting[length], weights, limit, draws, random)
        exact &= all_there
        rows = rows[row]
        placed = [(other, places[row]) for other, places in placed]
        placed.append((length, group.left.places[length][place]))
        for other in set(order[number + 1 :]):
            beside = group.left.beside(length, other)
            fitting[other] = fitting[other].take(row, axis=0) * beside.take(place, axis=0)
    tail = order[-2:]
    ways, totals = _tail(group.left, tail, fitting, len(rows))
    return Partial(rows, weights, placed, tail, ways, totals), exact


def _place(
    fitting: Counts, weights: Floats, limit: int, draws: int, random: np.random.Generator
) -> tuple[Indices, Indices, Floats, bool]:
    """Place a ship beside each partial layout, in every way or in ``draws``; say whether in all."""
    columns = fitting.shape[1]
    pairs = np.flatnonzero(fitting)
    if len(pairs) <= limit:
        row, place = np.divmod(pairs, max(columns, 1))
        return row, place, weights[row], True
    row, place = np.divmod(pairs, columns)
    drawn, share = draw_systematically(weights[row], draws, random)
    return row[drawn], place[drawn], np.full(draws, share), False


def _tail(
    left: OpenPlacements, tail: list[int], fitting: Mapping[int, Counts], rows: int
) -> tuple[list[Counts], Floats]:
    """Count the ways of the last ships: exact, as all numbers are whole and below 2**24."""
    if not tail:
        return [], np.ones(rows)
    if len(tail) == 1:
        ways = fitting[tail[0]]
        return [ways], ways.sum(axis=1).astype(float)
    one, two = tail
    beside = left.beside(one, two)
    ways_two = (fitting[one] @ beside) * fitting[two]
    ways_one = (fitting[two] @ beside.T) * fitting[one]
    return [ways_one, ways_two], ways_two.sum(axis=1).astype(float)
