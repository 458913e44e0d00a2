"""Draws layouts that agree with all answers so far, each with the same probability.

A layout consists of an explanation of the hits and of free ships on untried cells. An explanation
is drawn with the weight that it would have if free ships could overlap, each free ship uniformly
from the placements over untried cells, and the whole draw is rejected if two ships cannot lie so.
That is uniform by construction, as the arena's own draw of an empty board is.

Where the hits have too many explanations, layouts that were drawn before and still agree are
multiplied instead: each copy has every ship moved to a place drawn from all that it may take while
the others stay. Such a step (Gibbs sampling: Geman and Geman, 1984) leaves a uniform layout
uniform, so that each copy by itself is as likely to be any layout as before; only copies resemble
each other.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Board, Bools, Floats, Indices
from bots.tactics.posterior.explanation_table import FREE, rows_alike
from bots.tactics.posterior.explanations import Explanations

Words = npt.NDArray[np.uint64]

MOST_TRIES = 300  # draws in vain for each layout that is wanted, after which drawing is given up
AT_ONCE = 20_000  # the most draws at a time


class Drawn(NamedTuple):
    """Layouts that agree with the answers."""

    places: Indices  # the placement of the ship in each slot, (slots, layouts)
    weights: Floats  # how many layouts each stands for, ships of one length being different
    log_layouts: float  # the natural logarithm of how many there are in all, estimated where drawn
    whole: bool  # whether these are all there are


class Room(NamedTuple):
    """The places of free ships that the shots allow."""

    left: list[Indices]  # for each slot, the placements over untried cells
    weights: Floats  # for each explanation, how many layouts it had if free ships could overlap


def room_of(known: Explanations) -> Room:
    """Return where free ships may lie; ``known`` must not be a sample."""
    by_length = {
        length: np.flatnonzero(known.is_open[numbers])
        for length, numbers in known.board.numbers.items()
    }
    left = [by_length[length] for length in known.lengths]
    numbers = np.array([len(places) for places in left], float)
    return Room(left, known.weights * np.where(known.places == FREE, numbers, 1.0).prod(axis=1))


def draw_layouts(known: Explanations, number: int, random: np.random.Generator) -> Drawn | None:
    """Return ``number`` layouts drawn uniformly and independently; None if that takes too long."""
    room = room_of(known)
    bounds = np.cumsum(room.weights)
    if not known.exact or not bounds[-1] > 0:
        return None
    found: list[Indices] = []
    accepted = tried = 0
    while accepted < number:
        if tried >= MOST_TRIES * number:
            return None
        share = max(accepted / tried, 0.02) if tried else 0.5
        batch = min(int((number - accepted) / share * 1.05) + 20, AT_ONCE)
        rows = np.searchsorted(bounds, random.random(batch) * bounds[-1], side="right")
        rows = np.minimum(rows, len(bounds) - 1)
        found.append(_compatible(known, _drawn_once(known, room, rows, random)))
        accepted += found[-1].shape[1]
        tried += batch
    log_layouts = float(np.log(bounds[-1]) + np.log(accepted / tried))
    places = np.concatenate(found, axis=1)[:, :number]
    return Drawn(places, np.ones(number), log_layouts, whole=False)


def _drawn_once(
    known: Explanations, room: Room, rows: Indices, random: np.random.Generator
) -> Indices:
    """Return some explanations with a placement for each free ship, (slots, rows)."""
    places = known.places.T.astype(np.intp).take(rows, axis=1)
    for slot, left in enumerate(room.left):
        if len(left) and (free := places[slot] == FREE).any():
            drawn = left.take((random.random(len(rows)) * len(left)).astype(np.intp))
            np.copyto(places[slot], drawn, where=free)
    return places


def list_layouts(known: Explanations, limit: int) -> Drawn | None:
    """Return all layouts that agree with the answers; None if there may be more than ``limit``."""
    if not known.exact:
        return None
    room = room_of(known)
    if not 0 < room.weights.sum() <= limit:
        return None
    parts, weights = [], []
    is_free = known.places == FREE
    for rows in rows_alike(is_free):
        # The last row of the places says which explanation it was.
        places = np.vstack([known.places[rows].T.astype(np.intp), rows])
        for slot in np.flatnonzero(is_free[rows[0]]).tolist():
            left = room.left[slot]
            placed = np.tile(left, places.shape[1])
            places = places.repeat(len(left), axis=1)
            places[slot] = placed
            places = _compatible(known, places)
        parts.append(places[:-1])
        weights.append(known.weights[places[-1]])
    every = np.concatenate(weights)
    if not every.sum() > 0:
        return None
    return Drawn(np.concatenate(parts, axis=1), every, float(np.log(every.sum())), whole=True)


def _compatible(known: Explanations, places: Indices) -> Indices:
    """Return the columns in which no two of the ships that are placed are in each other's way.

    Rows beyond those of the slots are kept with their columns.
    """
    board = known.board
    taken: Words | int = 0
    clash = np.zeros(places.shape[1], bool)
    for length, row in zip(known.lengths, places, strict=False):
        ship = _words(board, length, reach=False).take(row, axis=1)
        apart = board.touching != "allowed"
        reach = _words(board, length, reach=True).take(row, axis=1) if apart else ship
        clash |= (taken & reach).any(axis=0)
        taken = taken | ship
    return places.compress(~clash, axis=1) if clash.any() else places


@lru_cache
def _words(board: Board, length: int, *, reach: bool) -> Words:
    """Return the cells of each placement, or what they deny, as bits, (words, placements + 1).

    The last column, which FREE finds too, has none.
    """
    cells = (board.reach if reach else board.covers)[length]
    beyond = -board.cells % 64
    packed = np.packbits(np.pad(cells, ((0, 1), (0, beyond))), axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def multiply(  # noqa: PLR0913 - all that is known of the layouts
    board: Board,
    lengths: Sequence[int],
    places: Indices,
    number: int,
    *,
    hit: Bools,
    untried: Bools,
    random: np.random.Generator,
) -> Indices:
    """Return ``number`` layouts, (slots, number): copies of some, with their ships moved.

    ``places`` are the layouts, at least one, which agree with all answers, (slots, layouts).
    """
    order = random.permutation(places.shape[1])
    copies = places[:, order[np.arange(number) % len(order)]]
    missed = (~untried & ~hit).astype(np.float32)
    for slot, length in enumerate(lengths):
        covers = board.covers_32[length]
        hits = (covers @ hit.astype(np.float32)).astype(np.intp)
        # Ships do not overlap: what covers as many hits as before covers the same ones.
        may_be = (hits[copies[slot]][:, None] == hits) & (covers @ missed == 0)
        ways = may_be.astype(np.float32)
        for other, its_length in enumerate(lengths):
            if other != slot:
                ways *= board.fits[its_length, length].take(copies[other], axis=0)
        bounds = np.cumsum(ways, axis=1)
        points = random.random(number, np.float32) * bounds[:, -1]
        copies[slot] = (bounds > points[:, None]).argmax(axis=1)
    return copies
