"""Completes partial layouts by a tail of ships, drawn from all that fit."""

import numpy as np

from bots.tactics.posterior.board_placements import Counts, Floats, Indices
from bots.tactics.posterior.counting import Partial
from bots.tactics.posterior.packed_bits import draw_from, draw_ones, ones, up_to

_BLOCK = 16  # numbers of which a point is first looked for in the sum


def complete(
    explained: Indices, partial: Partial, drawn: Indices, random: np.random.Generator
) -> Indices:
    """Return some partial layouts with the ships that they lack, (ships, drawn).

    A ship is the number of its placement among those of all lengths; ``explained`` are those that
    were hit in each explanation, (ships, explanations).
    """
    tail, numbers = partial.tail, partial.tail.left.board.numbers
    ships = [*explained.take(partial.rows.take(drawn), axis=1)]
    ships += [places.take(drawn) + numbers[length].start for length, places in partial.placed]
    if tail.lengths:
        one, *last = tail.lengths
        if tail.ways_of_last is None:
            places = draw_from(tail.fitting[0], tail.totals, drawn, random)
        else:
            fitting = tail.fitting[0].take(drawn, axis=0)
            column = _draw_columns(tail.ways_of_last, tail.totals, drawn, random)
            places = tail.left.places(last[0]).take(column)
            ships.append(places + numbers[last[0]].start)
            fitting &= tail.left.board.fits_bits[last[0], one].take(places, axis=0)
            places = draw_ones(fitting, random)
        ships.append(places + numbers[one].start)
    return np.array(ships)


def _draw_columns(
    ways: Counts, totals: Floats, rows: Indices, random: np.random.Generator
) -> Indices:
    """Return a column for each of some rows, drawn in proportion to the whole numbers in it.

    ``totals`` are the sums of all rows.
    """
    columns = ways.shape[1]
    starts = np.cumsum(totals) - totals
    points = starts.take(rows) + np.floor(random.random(len(rows)) * totals.take(rows))
    # Summing up all numbers one by one takes long, so each point is looked for in two steps.
    blocks = np.zeros((-(-ways.size // _BLOCK), _BLOCK), np.float32)
    blocks.ravel()[: ways.size] = ways.ravel()
    sums = (blocks @ ones(_BLOCK)).astype(float)
    bounds = np.cumsum(sums)
    block = np.searchsorted(bounds, points, side="right")
    points -= (bounds - sums).take(block)
    within = blocks.take(block, axis=0) @ up_to(_BLOCK)
    place = (within > points.astype(np.float32)[:, None]).argmax(axis=1)
    return np.asarray(block * _BLOCK + place - rows * columns, np.intp)
