"""Counts, lists and draws the ones in rows of packed bits, eight to a byte as ``np.packbits`` does.

Whether a ship may lie at each placement is a bit, not a number: some thousand such rows are then
read and written in a few microseconds, and their memory is not mapped anew for every move.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Bits, Bools, Counts, Floats, Indices

_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)  # of each byte
_ONES: npt.NDArray[np.uint8] = _BITS.sum(axis=1, dtype=np.uint8)
_ONES_32 = _ONES.astype(np.float32)
_PLACE_OF_ONE = np.argsort(1 - _BITS.astype(np.int8), axis=1, kind="stable")  # ones come first


@lru_cache
def ones(number: int) -> Counts:
    """Return a row of ones, by which a product sums up rows."""
    return np.ones(number, np.float32)


@lru_cache
def up_to(number: int) -> Counts:
    """Return a matrix by which a product sums up each row, from the first to each number."""
    return np.triu(np.ones((number, number), np.float32))


def unpacked(rows: Bits) -> Bools:
    """Return whether each bit is one; of the last byte's bits, those that are left over too."""
    return np.unpackbits(rows, axis=1).view(bool)


def count_ones(rows: Bits) -> Floats:
    """Return how many ones each row has."""
    # A product takes less time than ``sum``.
    return (_ONES_32.take(rows) @ ones(rows.shape[1])).astype(float)


def draw_from(rows: Bits, counts: Floats, drawn: Indices, random: np.random.Generator) -> Indices:
    """Return the place of a one, drawn with equal chances, for each row in ``drawn``.

    ``counts`` is how many ones each row has. Where few rows are drawn again and again, to list all
    ones takes less time than ``draw_ones``.
    """
    points = (np.cumsum(counts) - counts).take(drawn)
    points += np.floor(random.random(len(drawn)) * counts.take(drawn))
    places = np.flatnonzero(unpacked(rows)).take(points.astype(np.intp))
    return np.asarray(places % (8 * rows.shape[1]), np.intp)


def draw_ones(rows: Bits, random: np.random.Generator) -> Indices:
    """Return the place of a one in each row, drawn with equal chances."""
    bounds = _ONES_32.take(rows) @ up_to(rows.shape[1])
    points = np.floor(random.random(len(rows)) * bounds[:, -1]).astype(np.float32)
    at = (bounds > points[:, None]).argmax(axis=1)
    flat = np.arange(0, rows.size, rows.shape[1]) + at
    byte = rows.ravel().take(flat)
    nth = (points - bounds.ravel().take(flat)).astype(np.intp) + _ONES.take(byte)
    place = _PLACE_OF_ONE.take(byte.astype(np.intp) * 8 + nth)
    return np.asarray(at * 8 + place, np.intp)
