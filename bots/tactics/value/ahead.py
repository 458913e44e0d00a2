"""Estimates what a shot is worth: follows the path of misses, and values its ends by the network.

A path is a cell and those that a shooter would take after it, one after another, as long as all of
them miss. It ends with the first hit or with its last miss, and what is left then is valued by the
network. So of a shot c that is followed by c', c'', ... up to the D-th,

    Q(c) = sum over i = 1..D, answers o of P(the first hit is the i-th, with answer o) (i + V(o))
         + P(all miss) (D + V(all missed))

in turns. The network never compares two cells by the state after one shot alone, where what it
gets wrong would decide, but by the mean of many states along both paths. All paths are followed
over the same layouts.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bots.tactics.posterior.board_placements import Bools, Counts, Floats, Indices
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.features import KINDS, Rows, by_kind, describe_rows
from bots.tactics.value.layout_set import NOWHERE, LayoutSet
from bots.tactics.value.network import Network

LEAST_GAIN = 0.0005  # what the exchange of a cell of a salvo must gain, in turns
ALTERNATIVES = 3  # cells that it may be exchanged for
SWEEPS = 3  # times that each cell of a salvo may be exchanged
SMALL = 1 << 14  # numbers below it are listed in a table, many times faster than sorting
EXACT_32, EXACT_64 = 1 << 24, 1 << 53  # floats of so many bits hold all whole numbers up to these


def paths_of_misses(layouts: LayoutSet, cells: list[int], depth: int, off_class: float) -> Indices:
    """Return each of some cells, followed by those to shoot while all miss, (cells, depth).

    Each next cell is the likeliest of the layouts that are left, where cells off the class of
    diagonals with the fewest left count ``off_class`` of their probability.
    """
    every = np.arange(len(cells))
    paths = np.empty((len(cells), depth), np.intp)
    paths[:, 0] = cells
    alive = np.repeat(layouts.drawn.weights.astype(np.float32)[None], len(cells), axis=0)
    smallest, columns = layouts.smallest, layouts.board.columns
    occupied = layouts.occupied
    for step in range(1, depth):
        alive *= 1 - occupied.T[paths[:, step - 1]]
        chances = alive @ occupied
        chances[every[:, None], paths[:, :step]] = 0
        scores = chances * prospects(chances, columns, smallest, off_class)
        scores[:, ~layouts.untried] = -1
        scores[every[:, None], paths[:, :step]] = -1
        paths[:, step] = scores.argmax(axis=1)
    return paths


def worth_of_paths(sets: Sequence[LayoutSet], network: Network, paths: Indices) -> Floats:
    """Return how many turns are expected to be left by each path, one shot a turn, (paths,).

    The mean over the sets of layouts is taken. Paths are different untried cells, as far as there
    are some, (paths, depth).
    """
    number, depth = paths.shape
    found = [_after_paths(layouts, paths) for layouts in sets]
    left = _turns_left(sets, network, found, 1)
    worth = np.zeros(number)
    for one, more in zip(found, left, strict=True):
        step = one.answer // (len(sets[0].board.lengths) + 1)
        turns = np.minimum(step + 1, depth)
        worth += np.bincount(one.choice, one.share * (turns + more), number)
    return worth / len(sets)


def _after_paths(layouts: LayoutSet, paths: Indices) -> "_Found":
    """Return what each path may come to: by the step of the first hit, and what that sank."""
    depth = paths.shape[1]
    every = np.arange(len(layouts.drawn.weights))
    struck = layouts.owner[paths] != NOWHERE  # (paths, depth, layouts)
    first = np.where(struck.any(axis=1), struck.argmax(axis=1), depth)
    hit_at = np.take_along_axis(paths, np.minimum(first, depth - 1), axis=1)
    ship = layouts.owner[hit_at, every]
    # What sank, by its place among the lengths, from 1; 0 is nothing.
    kinds = np.array([layouts.board.lengths.index(length) + 1 for length in layouts.lengths])
    sank = np.where((first < depth) & (layouts.left[ship, every] == 1), kinds[ship], 0)
    answers = len(layouts.board.lengths) + 1
    choice, answer, share, rows = _tell_apart(layouts, first * answers + sank)
    step = answer // answers
    taken = np.arange(depth) <= step[:, None]
    # Of the cells of a path none but its last before the answer is hit.
    last = paths[choice, np.minimum(step, depth - 1)]
    struck_places = layouts.board.all_covers_32.T.take(last, axis=0) * (step < depth)[:, None]
    unhit = layouts.unhit - struck_places
    state = np.arange(len(choice))
    return _Found(choice, answer, share, rows, paths, taken, step < depth, unhit, state)


def worth_of_salvos(layouts: LayoutSet, network: Network, salvos: Indices) -> Floats:
    """Return how many turns are left by each salvo, (salvos, shots), in expectation, itself one."""
    number, shots = salvos.shape
    covers = layouts.board.all_covers_32
    # For each placement, the bits of the cells at which each salvo would hit a ship there, and how
    # many these are, (placements, salvos)
    dtype = np.float32 if 1 << shots <= EXACT_32 else float
    fired = np.zeros((2, layouts.board.cells, number), dtype)
    fired[0, salvos, np.arange(number)[:, None]] = 2.0 ** np.arange(shots)[::-1]
    fired[1, salvos, np.arange(number)[:, None]] = 1
    answers = (covers @ fired[0]).astype(np.int64)
    unhit = layouts.unhit[:, None] - covers @ fired[1]
    weight = 1 << shots
    for length in layouts.board.lengths:
        ships = layouts.board.numbers[length]
        answers[ships] += weight * ((unhit[ships] == 0) & (answers[ships] > 0))
        weight *= layouts.lengths.count(length) + 1
    answer = answers.T.take(layouts.ships, axis=1).sum(axis=1)  # (salvos, layouts)
    choice, answer, share, rows = _tell_apart(layouts, answer)
    hits = (answer[:, None] >> np.arange(shots) & 1).sum(axis=1)
    taken = np.ones((len(answer), shots), bool)
    found = _Found(choice, answer, share, rows, salvos, taken, hits, unhit.T, choice)
    (turns,) = _turns_left([layouts], network, [found], shots)
    return np.asarray(1 + np.bincount(choice, share * turns, number), float)


def improved_salvo(layouts: LayoutSet, network: Network, cells: Sequence[int]) -> list[int]:
    """Return a salvo of which no single cell should be exchanged for another.

    Each cell in turn is left for the best of those that are likeliest if the others miss, until
    that gains nothing for any, three times at most. A salvo of so many shots that its answers
    cannot be numbered stays as it is.
    """
    salvo = sorted(cells)
    if not can_number(layouts, len(salvo)):
        return salvo
    (left,) = worth_of_salvos(layouts, network, np.array([salvo]))
    as_good = 0  # cells in a row of which no other is better
    for place in SWEEPS * [*range(len(salvo))]:
        if as_good == len(salvo):
            break
        as_good += 1
        if tried := _exchanges(layouts, salvo, place):
            worth = worth_of_salvos(layouts, network, np.sort(tried))
            best = int(worth.round(9).argmin())  # less than that is rounding
            if worth[best] < left - LEAST_GAIN:
                salvo, left, as_good = tried[best], worth[best], 1
    return sorted(salvo)


def _exchanges(layouts: LayoutSet, salvo: list[int], place: int) -> list[list[int]]:
    """Return salvos with other cells in a place: the likeliest ones if the others miss."""
    covers, ships = layouts.board.all_covers_32, layouts.ships
    others = [*salvo[:place], *salvo[place + 1 :]]
    hit = covers[:, others].any(axis=1).take(ships).any(axis=0)
    weights = np.where(hit, 0, layouts.drawn.weights)
    times = np.bincount(ships.ravel(), np.tile(weights, len(ships)), len(covers))
    dtype = np.float32 if layouts.alike else float
    chances = (times.astype(dtype) @ covers) * layouts.untried
    chances[salvo] = 0
    likeliest = np.argsort(-chances, kind="stable")[:ALTERNATIVES].tolist()
    return [[*salvo[:place], cell, *salvo[place + 1 :]] for cell in likeliest if chances[cell] > 0]


def can_number(layouts: LayoutSet, shots: int) -> bool:
    """Return whether the answers to a few salvos of so many shots can be numbered."""
    answers = 1 << shots
    for length in layouts.board.lengths:
        answers *= layouts.lengths.count(length) + 1
    return answers * (shots + 1) <= EXACT_64


class _Found(NamedTuple):
    """The answers that some choices may get, one a row, and what was fired before each."""

    choice: Indices  # the number of the choice
    answer: Indices
    share: Floats  # the share of the layouts that give the answer
    rows: Indices  # for each choice and layout the row of its answer, (choices * layouts,)
    cells: Indices  # the cells of each choice, (choices, shots)
    taken: Bools  # which of them were shot by then, (rows, shots)
    hits: Indices  # how many of these hit, (rows,)
    # How many cells of a ship at each placement of any length are not hit, (states, placements)
    unhit: Counts
    state: Indices  # after which of these states each answer comes, (rows,)


def _tell_apart(layouts: LayoutSet, answers: Indices) -> tuple[Indices, Indices, Floats, Indices]:
    """Return the first fields of ``_Found``, given each layout's answer, (choices, layouts)."""
    number = len(answers)
    size = int(answers.max()) + 1
    codes = (np.arange(number)[:, None] * size + answers).ravel()
    seen, rows = _distinct(codes)
    weights = np.tile(layouts.drawn.weights, number)
    choice, answer = np.divmod(seen, size)
    return choice, answer, np.bincount(rows, weights) / layouts.drawn.weights.sum(), rows


def _distinct(numbers: Indices) -> tuple[Indices, Indices]:
    """Return the different ones of some numbers from 0, in order, and which of them each is."""
    if numbers.max() >= SMALL:
        return np.unique(numbers, return_inverse=True)
    there = np.bincount(numbers) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


def _turns_left(
    sets: Sequence[LayoutSet], network: Network, found: Sequence[_Found], shots: int
) -> list[Floats]:
    board, cells = sets[0].board, np.flatnonzero(sets[0].untried)
    # All at once: the network takes many rows as fast as few.
    parts = [_rows(layouts, one, cells) for layouts, one in zip(sets, found, strict=True)]
    known = parts[0] if len(parts) == 1 else _together(parts)
    misses = network.misses(describe_rows(board, known, cells, shots))
    left = np.where(known.to_hit > 0, known.to_hit + misses, 0) / shots
    ends = np.cumsum([len(one.share) for one in found])
    return np.split(left, ends[:-1])


def _together(parts: Sequence[Rows]) -> Rows:
    ships, afloat, struck, *others = zip(*parts, strict=True)
    return Rows(
        *(np.concatenate(ships, axis=1), np.concatenate(afloat, axis=1)),
        np.concatenate(struck, axis=1),
        *map(np.concatenate, others),
    )


def _rows(layouts: LayoutSet, found: _Found, cells: Indices) -> Rows:
    """Return the state after each answer; ``cells`` are those that are untried before it."""
    number, choices = len(found.share), len(found.cells)
    drawn = layouts.drawn
    # Whole numbers as large as these have exact sums as floats of 32 bits, too.
    dtype = np.dtype(np.float32 if layouts.alike else float)
    total = found.share * drawn.weights.sum()
    rows = found.rows.reshape(choices, -1)

    def tally(values: Indices, size: int) -> Floats:
        """Return how often each row has each value below ``size``, (rows, size)."""
        at = (rows * size + values).ravel()
        weights = None if layouts.alike else np.tile(drawn.weights, at.size // len(drawn.weights))
        return np.asarray(np.bincount(at, weights, number * size), dtype).reshape(number, size)

    ships = np.zeros((len(KINDS) + 1, number, len(cells)))
    afloat, struck = np.zeros((2, len(KINDS), number))
    open_hits = np.zeros(number)
    for kind, lengths in enumerate(by_kind(layouts.board)):
        for length in lengths:
            slots = [slot for slot, own in enumerate(layouts.lengths) if own == length]
            places, at = _occurring(drawn.places[slots], len(layouts.board.covers[length]))
            counts = tally(places[:, None], len(at))
            ships[kind] += counts @ layouts.board.covers_32[length].take(at, axis=0)[:, cells]
            unhit = found.unhit.take(layouts.board.numbers[length].start + at, axis=1)
            here = unhit > 0
            tables = np.array([here, here & (unhit < length), here * (length - unhit)], dtype)
            # For each answer: ships afloat, those of them that were hit, and how often they were
            found_here = np.einsum("krp,rp->kr", tables.take(found.state, axis=1), counts)
            afloat[kind] += found_here[0]
            struck[kind] += found_here[1]
            open_hits += found_here[2]
    row, place = np.nonzero(found.taken)
    untried = np.repeat(layouts.untried[None], number, axis=0)
    untried[row, found.cells[found.choice[row], place]] = False
    untried = untried.take(cells, axis=1)
    ships *= untried / total[:, None]
    ships[-1] = ships[:-1].sum(axis=0)
    return Rows(
        *(ships, afloat / total, struck / total, open_hits / total),
        untried.sum(axis=1),
        sum(layouts.lengths) - int(layouts.hit.sum()) - found.hits,
        drawn.log_layouts + np.log(found.share),
    )


def _occurring(places: Indices, most: int) -> tuple[Indices, Indices]:
    """Return placements below ``most`` by their number among those that occur, and these."""
    occurs = np.bincount(places.ravel(), minlength=most) > 0
    return (np.cumsum(occurs) - 1).take(places), np.flatnonzero(occurs)
