"""Estimates where ships lie at one moment, how many layouts are left, and the error."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bots.tactics.posterior.board_placements import Bools, Counts, Floats, Indices
from bots.tactics.posterior.completing import complete
from bots.tactics.posterior.counting import Group, OpenPlacements, Partial, count_free
from bots.tactics.posterior.explanation_table import FREE
from bots.tactics.posterior.explanations import Explanations, ImpossibleEvidenceError
from bots.tactics.posterior.systematic import draw_systematically

BATCHES = 8  # parts of a sample, whose scatter gives the error


@dataclass(frozen=True)
class Effort:
    """The work that one posterior may take, in counts rather than time: a game can be repeated."""

    limit: int = 1_000  # partial layouts up to which all are kept; of more, some are drawn
    draws: int = 400  # how many are drawn then, in one round
    # The standard error of a cell's probability below which no more rounds follow
    error: float = 0.05
    rounds: int = 4  # how many rounds at most


@dataclass(frozen=True)
class CountedGroup:
    """The layouts of some explanations that leave the same ships free."""

    explanations: Indices
    partial: Partial
    batch: Indices = field(repr=False)  # which part of the sample each partial layout is in

    @cached_property
    def weights(self) -> Floats:
        """Return the layouts that each partial layout stands for."""
        return self.partial.weights * self.partial.totals


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
        return np.asarray(self._mass[:, :-1].sum(axis=0) / self._total, float)

    @cached_property
    def errors(self) -> Floats:
        """Return the standard error of each of these; 0 where exact."""
        if self.exact:
            return np.zeros(self._known.board.cells)
        # The error of a ratio of two sums, from the scatter of its parts.
        scatter = self._mass[:, :-1] - self.cells * self._mass[:, -1:]
        scale = BATCHES / (BATCHES - 1)
        return np.asarray(np.sqrt(scale * (scatter**2).sum(axis=0)) / self._total, float)

    @cached_property
    def _mass(self) -> Floats:
        batches = 1 if self.exact else BATCHES
        mass = np.zeros((batches, self._known.board.cells + 1))
        for part in self._parts:
            mass += _cell_mass(self._known, part, batches)
        return mass

    def draw(self, number: int, random: np.random.Generator) -> Bools:
        """Return layouts drawn from the posterior, as the cells they cover, (number, cells).

        They are a systematic sample, evenly spread over the posterior, in no random order.
        """
        drawn, _ = draw_systematically(self._weights, number, random)
        layouts, start = [], 0
        for part in self._parts:
            end = start + len(part.weights)
            first, beyond = drawn.searchsorted((start, end))
            if part.weights.any():
                explained = self._known.covered.take(part.explanations, axis=0)
                chosen = drawn[first:beyond] - start
                layouts.append(complete(explained, part.partial, chosen, random))
            start = end
        return np.concatenate(layouts)


def estimate(known: Explanations, random: np.random.Generator, effort: Effort) -> Posterior:
    """Return the posterior: exact where ``effort.limit`` allows, else sampled.

    Raises:
        ImpossibleEvidenceError: If no layout agrees with what was observed.
    """
    groups = list(_groups(known))
    shares = np.array([group.room() for _, group in groups])
    shares /= max(shares.sum(), 1.0)
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


def count_roughly(known: Explanations) -> float:
    """Return how many layouts there would be if ships that were not hit could overlap."""
    return sum(group.room() for _, group in _groups(known))


def _groups(known: Explanations) -> Iterator[tuple[Indices, Group]]:
    left = OpenPlacements(known.board, known.untried)
    # Each explanation's free slots as the bits of some bytes, however many slots there are.
    bits = np.packbits(known.places == FREE, axis=1)
    keys, group_of = np.unique(bits.view(f"V{bits.shape[1]}").ravel(), return_inverse=True)
    for number in range(len(keys)):
        rows = np.flatnonzero(group_of == number)
        is_free = known.places[rows[0]] == FREE
        free = [length for slot, length in enumerate(known.lengths) if is_free[slot]]
        placed = [
            (length, known.places[rows, slot])
            for slot, length in enumerate(known.lengths)
            if not (is_free[slot] or known.out_of_the_way(slot, rows))
        ]
        fitting = {length: left.fitting(placed, length, len(rows)) for length in set(free)}
        yield rows, Group(known.weights[rows], free, fitting, left)


def _cell_mass(known: Explanations, part: CountedGroup, batches: int) -> Floats:
    """Return the weight of the layouts that cover each cell, batch by batch, and of all of them.

    The shape is (batches, cells + 1).
    """
    board, partial = known.board, part.partial
    batch = part.batch % batches
    mass = np.zeros((batches, board.cells + 1))

    def tally(numbers: Indices, length: int) -> Floats:
        codes = batch * length + numbers
        counts = np.bincount(codes, part.weights, batches * length)
        return counts.astype(float).reshape(batches, length)

    used = tally(partial.rows, len(part.explanations))
    mass[:, :-1] += used @ known.covered[part.explanations]
    mass[:, -1] = used.sum(axis=1)
    for length, places in partial.placed:
        covers = board.covers[length]
        mass[:, :-1] += tally(places, len(covers)) @ covers
    for length, ways in zip(partial.tail, partial.ways, strict=True):
        summed = _sum_ways(partial.weights, ways, batch, batches)
        mass[:, :-1] += summed @ board.covers[length][partial.left.places[length]]
    return mass


def _sum_ways(weights: Floats, ways: Counts, batch: Indices, batches: int) -> Floats:
    """Return the weighted sum of the ways of each batch, (batches, placements)."""
    if batches == 1 and weights.size and weights.min() == weights.max():
        return np.asarray(ways.sum(axis=0, dtype=float)[None] * weights[0], float)
    dtype = float if batches == 1 else np.float32  # a sample needs no exact sums
    chosen = np.zeros((batches, len(weights)), dtype)
    chosen[batch, np.arange(len(weights))] = weights / max(float(weights.max(initial=0)), 1e-300)
    return np.asarray((chosen @ ways) * float(weights.max(initial=0)), float)
