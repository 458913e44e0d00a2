"""Estimates where ships lie at one moment, how many layouts are left, and the error."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from bots.tactics.posterior.board_placements import Floats, Indices
from bots.tactics.posterior.completing import complete
from bots.tactics.posterior.counting import TAIL, Group, OpenPlacements, Partial, count_free
from bots.tactics.posterior.explanation_table import FREE, rows_alike
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.packed_bits import ones
from bots.tactics.posterior.ship_layouts import ShipLayouts
from bots.tactics.posterior.systematic import draw_systematically

BATCHES = 8  # parts of a sample, whose scatter gives the error


class Effort(NamedTuple):
    """The work that one posterior may take, in counts rather than time: a game can be repeated."""

    limit: int = 1_000  # partial layouts up to which all are kept; of more, some are drawn
    draws: int = 400  # how many are drawn then, in one round
    # The standard error of a cell's probability below which no more rounds follow
    error: float = 0.05
    rounds: int = 4  # how many rounds at most


class CountedGroup(Struct, frozen=True, dict=True):
    """The layouts of some explanations that leave the same ships free."""

    explanations: Indices
    partial: Partial
    batch: Indices  # which part of the sample each partial layout is in

    @cached_property
    def weights(self) -> Floats:
        """Return the layouts that each partial layout stands for."""
        return self.partial.weights * self.partial.tail.totals


class Posterior:
    """The probabilities of the opponent's layouts at one moment.

    Attributes:
        exact: Whether every layout was counted; otherwise the numbers come from a sample whose
            weights are without bias.
        layouts: How many layouts are left; ships of one length count as different.
        effective: The effective size of the sample: how many draws of equal weight say as much.
    """

    def __init__(self, known: Explanations, parts: Sequence[CountedGroup], rounds: int) -> None:
        self.exact = known.exact and rounds == 0
        self._known, self._parts = known, parts
        self._weights = np.concatenate([part.weights for part in parts])
        self._total = float(self._weights.sum())
        if not self._total > 0:
            raise ImpossibleEvidenceError("no layout agrees with what was observed")
        self.layouts = self._total / max(rounds, 1)
        self.effective = self._total**2 / float((self._weights**2).sum())

    # Bots that draw layouts ask for neither cells nor errors.

    @cached_property
    def cells(self) -> Floats:
        """Return the probability that a ship lies on each cell; 1 where it was hit."""
        return np.asarray(self._mass.sum(axis=0) / self._total, float)

    @cached_property
    def errors(self) -> Floats:
        """Return the standard error of each of these; 0 where exact."""
        if self.exact:
            return np.zeros(self._known.board.cells)
        # The error of a ratio of two sums, from the scatter of its parts.
        batch = np.concatenate([part.batch for part in self._parts])
        totals = np.bincount(batch, self._weights, BATCHES)
        scatter = self._mass - self.cells * totals[:, None]
        scale = BATCHES / (BATCHES - 1)
        return np.asarray(np.sqrt(scale * (scatter**2).sum(axis=0)) / self._total, float)

    @cached_property
    def _mass(self) -> Floats:
        """Return the weight of the layouts that cover each cell, (batches, cells)."""
        batches = 1 if self.exact else BATCHES
        mass = np.zeros((batches, len(self._known.board.all_covers) + 1))
        for part in self._parts:
            mass += _placement_mass(self._known, part, batches)
        board = self._known.board
        placements, cells = board.all_pairs
        rows = [np.bincount(cells, row.take(placements), board.cells) for row in mass]
        return np.asarray(rows, float)

    def draw(self, number: int, random: np.random.Generator) -> ShipLayouts:
        """Return layouts drawn from the posterior.

        They are a systematic sample, evenly spread over the posterior, in no random order.
        """
        drawn, _ = draw_systematically(self._weights, number, random)
        known, layouts, start = self._known, [], 0
        for part in self._parts:
            end = start + len(part.weights)
            first, beyond = drawn.searchsorted((start, end))
            if first < beyond and part.weights.any():
                # All explanations of a part leave the same ships free.
                explained = known.numbers.take(part.explanations, axis=0).T
                hit = explained[explained[:, 0] < len(known.board.all_covers)]
                chosen = drawn[first:beyond] - start
                layouts.append(complete(hit, part.partial, chosen, random))
            start = end
        return ShipLayouts.of(known.board, np.concatenate(layouts, axis=1))


def estimate(known: Explanations, random: np.random.Generator, effort: Effort) -> Posterior:
    """Return the posterior: exact where ``effort.limit`` allows, else sampled.

    Raises:
        ImpossibleEvidenceError: If no layout agrees with what was observed.
    """
    groups = list(_groups(known))
    shares = _shares([group for _, group in groups])
    parts: list[CountedGroup] = []
    for turn in range(1, effort.rounds + 1):
        exact = True
        for (rows, group), share in zip(groups, shares, strict=True):
            limit = max(int(effort.limit * share), effort.limit // 16)
            draws = max(int(effort.draws * share), effort.draws // 16)
            partial, whole = count_free(group, limit, draws, random)
            batch = random.permutation(len(partial.rows)) % BATCHES
            parts.append(CountedGroup(rows, partial, batch))
            exact &= whole
        if exact:
            return Posterior(known, parts, 0)
        found = Posterior(known, parts, turn)
        if turn == effort.rounds or found.errors[known.untried].max(initial=0) <= effort.error:
            break
    return found


def _shares(groups: Sequence[Group]) -> Floats:
    """Return which share of the work is for each group."""
    if all(len(group.free) <= TAIL for group in groups):
        return np.ones(len(groups))  # there is nothing to place
    shares = np.array([group.room() for group in groups])
    return np.asarray(shares / max(shares.sum(), 1.0), float)


def count_roughly(known: Explanations) -> float:
    """Return how many layouts there would be if ships that were not hit could overlap."""
    return sum(group.room() for _, group in _groups(known))


def _groups(known: Explanations) -> Iterator[tuple[Indices, Group]]:
    left = OpenPlacements(known.board, known.is_open)
    is_free = known.places == FREE
    in_the_way = known.in_the_way(np.arange(len(is_free)))
    for rows in rows_alike(is_free):
        is_free_here = is_free[rows[0]].tolist()
        free = list(compress(known.lengths, is_free_here))
        fitting = np.empty((len(rows), 0), np.uint8)
        if free:
            numbers = known.numbers.take(rows, axis=0)
            placed = (numbers[:, slot] for slot in in_the_way if not is_free_here[slot])
            fitting = left.fitting(placed, len(rows))
        yield rows, Group(known.weights.take(rows), free, fitting, left)


def _placement_mass(known: Explanations, part: CountedGroup, batches: int) -> Floats:
    """Return the weight of the layouts that have a ship at each placement, batch by batch.

    The shape is (batches, all placements + 1); the last column is of ships that are not placed.
    """
    board, partial = known.board, part.partial
    columns = len(board.all_covers) + 1
    batch = part.batch if batches > 1 else np.zeros_like(part.batch)
    explained = known.numbers.take(part.explanations.take(partial.rows), axis=0)
    placed = [(places + board.numbers[n].start)[:, None] for n, places in partial.placed]
    codes = np.concatenate([explained, *placed], axis=1)
    codes += (batch * columns)[:, None]
    weights = part.weights.repeat(codes.shape[1])
    summed = np.bincount(codes.ravel(), weights, batches * columns)
    mass: Floats = summed.reshape(batches, columns).astype(float, copy=False)  # whole, of none
    left = partial.tail.left
    every = _summed_ways(partial, batch, batches)
    for length, ways in zip(partial.tail.lengths, every, strict=True):
        mass[:, left.places(length) + board.numbers[length].start] += ways
    return mass


def _summed_ways(partial: Partial, batch: Indices, batches: int) -> Iterator[Floats]:
    """Yield the weighted sum of the ways of each ship of the tail, (batches, placements)."""
    weights, tail = partial.weights, partial.tail
    greatest = float(weights.max(initial=0))
    if batches == 1 and (weights == greatest).all():
        # Whole numbers below 2**24 have exact sums as floats of 32 bits, too.
        small = tail.totals.sum() < 2**24
        for ways in tail.ways():
            summed = ones(len(ways)) @ ways if small else ways.sum(axis=0, dtype=float)
            yield summed[None] * np.float64(greatest)
        return
    dtype = float if batches == 1 else np.float32  # a sample needs no exact sums
    chosen = np.zeros((batches, len(weights)), dtype)
    chosen[batch, np.arange(len(weights))] = weights / max(greatest, 1e-300)
    for ways in tail.ways():
        yield np.asarray((chosen @ ways) * greatest, float)
