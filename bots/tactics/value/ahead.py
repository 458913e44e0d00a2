"""What a shot is worth: a look along the path of misses, with the value network at its ends.

A path is a cell and those that a shooter would take after it, one after another, as long as all of
them miss. It ends with the first hit or with its last miss, and what is left then is valued by the
network. So of a shot c that is followed by c', c'', ... up to the D-th,

    Q(c) = sum over i = 1..D, answers o of P(the first hit is the i-th, with answer o) (i + V(o))
         + P(all miss) (D + V(all missed))

in turns. The network never compares two cells by the state after one shot alone, where what it
gets wrong would decide, but by the mean of many states along both paths. All paths are followed
over the same layouts.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rules import mask_of, placements
from bots.tactics.posterior.board_placements import Board, Bools, Counts, Floats, Indices
from bots.tactics.posterior.salvo import distinct
from bots.tactics.posterior.systematic import draw_systematically
from bots.tactics.solver.endgame import Afloat
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.features import Rows, describe_rows
from bots.tactics.value.network import Network

NOWHERE = -1

LEAST_GAIN = 0.002
"""What the exchange of a cell of a salvo must gain, in turns."""

Owners = npt.NDArray[np.int8]


class Sea(NamedTuple):
    """Layouts that agree with all answers so far, and which of their cells are still to be hit.

    Attributes:
        board: The placements.
        drawn: The layouts.
        hit: The cells that were hit, (cells,).
        untried: The cells that were not shot, (cells,).
        owner: The slot of the ship on each untried cell, NOWHERE where there is none,
            (cells, layouts).
        left: How many cells of the ship in each slot are not hit, (slots, layouts).
        lengths: The length of the ship in each slot.
    """

    board: Board
    drawn: Drawn
    hit: Bools
    untried: Bools
    owner: Owners
    left: Indices
    lengths: tuple[int, ...]

    @classmethod
    def of(
        cls, board: Board, lengths: tuple[int, ...], drawn: Drawn, hit: Bools, untried: Bools
    ) -> "Sea":
        """Return the sea of some layouts, at least one; ``lengths`` are those of their slots."""
        owner = np.full((board.cells, drawn.places.shape[1]), NOWHERE, np.int8)
        left = np.empty(drawn.places.shape, np.intp)
        every = np.arange(owner.shape[1])[:, None]
        open_cells = hit.astype(np.float32)
        for slot, length in enumerate(lengths):
            places = drawn.places[slot]
            owner[_cells(board, length)[places], every] = slot
            left[slot] = (length - board.covers_32[length] @ open_cells).astype(np.intp)[places]
        owner[~untried] = NOWHERE
        return cls(board, drawn, hit, untried, owner, left, lengths)

    @property
    def occupied(self) -> Counts:
        """Return which untried cells of each layout hold a ship, as floats, (layouts, cells)."""
        return np.asarray((self.owner != NOWHERE).T, np.float32)

    @property
    def cells(self) -> Floats:
        """Return the share of the layouts that have a ship on each untried cell, (cells,)."""
        weights = self.drawn.weights.astype(np.float32)
        return np.asarray(weights @ self.occupied / weights.sum(), float)

    def weighed(self, weigh: Callable[[Sequence[int], Indices], Floats]) -> "Sea":
        """Return the same layouts, each with a weight.

        Args:
            weigh: Returns how likely layouts are, by the lengths of their ships and their places.
        """
        weights = self.drawn.weights * weigh(self.lengths, self.drawn.places)
        return self._replace(drawn=self.drawn._replace(weights=weights))

    def drawn_again(self, number: int, random: Random) -> Bools:
        """Draw layouts by their weights: which untried cells hold a ship, (number, cells).

        Each is drawn as often as its weight says, to within one.
        """
        rows, _ = draw_systematically(self.drawn.weights, number, random)
        return np.asarray(self.owner.T[rows] != NOWHERE)

    def afloat(self) -> list[list[Afloat]]:
        """Return the ships afloat in each layout."""
        masks = {
            length: placements(self.board.rows, self.board.columns, length)
            for length in self.board.lengths
        }
        unhit = ~mask_of(np.flatnonzero(self.hit).tolist())
        return [
            [
                Afloat(cells, length)
                for length, place in zip(self.lengths, places, strict=True)
                if (cells := masks[length][place] & unhit)
            ]
            for places in self.drawn.places.T.tolist()
        ]

    @property
    def smallest(self) -> int:
        """Return the length of the smallest ship afloat in any layout."""
        afloat = [n for slot, n in enumerate(self.lengths) if self.left[slot].any()]
        return min(afloat, default=1)


@lru_cache(maxsize=64)
def _cells(board: Board, length: int) -> Indices:
    """Return the cells of each placement, (placements, length)."""
    return np.nonzero(board.covers[length])[1].reshape(-1, length)


def paths_of_misses(sea: Sea, cells: list[int], depth: int, off_class: float) -> Indices:
    """Return each of some cells, followed by those to shoot while all miss, (cells, depth).

    Each next cell is the likeliest of the layouts that are left, where cells off the class of
    diagonals with the fewest left count ``off_class`` of their probability.
    """
    every = np.arange(len(cells))
    paths = np.empty((len(cells), depth), np.intp)
    paths[:, 0] = cells
    alive = np.repeat(sea.drawn.weights.astype(np.float32)[None], len(cells), axis=0)
    smallest, columns = sea.smallest, sea.board.columns
    occupied = sea.occupied
    for step in range(1, depth):
        alive *= 1 - occupied.T[paths[:, step - 1]]
        chances = alive @ occupied
        chances[every[:, None], paths[:, :step]] = 0
        scores = chances * prospects(chances, columns, smallest, off_class)
        scores[:, ~sea.untried] = -1
        scores[every[:, None], paths[:, :step]] = -1
        paths[:, step] = scores.argmax(axis=1)
    return paths


def worth_of_paths(seas: Sequence[Sea], network: Network, paths: Indices) -> Floats:
    """Return how many turns are expected to be left by each path, one shot a turn, (paths,).

    Args:
        seas: What is known: one set of layouts or several, of which the mean is taken.
        network: Values what is left at the end of a path.
        paths: Different untried cells, as far as there are some, (paths, depth).
    """
    number, depth = paths.shape
    found = [_after_paths(sea, paths) for sea in seas]
    left = _turns_left(seas, network, found, 1)
    worth = np.zeros(number)
    for one, more in zip(found, left, strict=True):
        step = one.answer // (len(seas[0].board.lengths) + 1)
        turns = np.minimum(step + 1, depth)
        worth += np.bincount(one.choice, one.share * (turns + more), number)
    return worth / len(seas)


def _after_paths(sea: Sea, paths: Indices) -> "_Found":
    """Return what each path may come to: by the step of the first hit, and what that sank."""
    depth = paths.shape[1]
    every = np.arange(len(sea.drawn.weights))
    struck = sea.owner[paths] != NOWHERE  # (paths, depth, layouts)
    first = np.where(struck.any(axis=1), struck.argmax(axis=1), depth)
    hit_at = np.take_along_axis(paths, np.minimum(first, depth - 1), axis=1)
    ship = sea.owner[hit_at, every]
    # What sank, by its place among the lengths, from 1; 0 is nothing.
    kinds = np.array([sea.board.lengths.index(length) + 1 for length in sea.lengths])
    sank = np.where((first < depth) & (sea.left[ship, every] == 1), kinds[ship], 0)
    answers = len(sea.board.lengths) + 1
    choice, answer, share, rows = _tell_apart(sea, first * answers + sank)
    step = answer // answers
    taken = np.arange(depth) <= step[:, None]
    return _Found(choice, answer, share, rows, paths, taken, step < depth)


def worth_of_salvos(sea: Sea, network: Network, salvos: Indices) -> Floats:
    """Return how many turns are expected to be left by each salvo, itself one, (salvos,).

    Args:
        sea: What is known.
        network: Values what is left after it.
        salvos: Different untried cells, (salvos, shots).
    """
    number, shots = salvos.shape
    owners = sea.owner[salvos]  # (salvos, shots, layouts)
    answer = np.zeros((number, owners.shape[2]), np.int64)
    for shot in range(shots):
        answer = 2 * answer + (owners[:, shot] != NOWHERE)
    for slot in range(len(sea.lengths)):
        sunk = (owners == slot).sum(axis=1) == sea.left[slot]
        same = sea.lengths.index(sea.lengths[slot])
        answer += (sunk & (sea.left[slot] > 0)).astype(np.int64) << shots + 3 * same
    choice, answer, share, rows = _tell_apart(sea, answer)
    hits = np.array([(one & (1 << shots) - 1).bit_count() for one in answer.tolist()])
    found = _Found(choice, answer, share, rows, salvos, np.ones((len(hits), shots), bool), hits)
    (left,) = _turns_left([sea], network, [found], shots)
    return np.asarray(1 + np.bincount(choice, share * left, number), float)


def improved_salvo(sea: Sea, network: Network, cells: Sequence[int]) -> list[int]:
    """Return a salvo with one cell exchanged, if that is worth it.

    Each cell in turn is left for the one that is likeliest if the others miss.

    Args:
        sea: What is known.
        network: Values what is left after each answer.
        cells: The salvo to begin with.
    """
    salvos = [sorted(cells)]
    occupied = sea.occupied.astype(float)
    for place in range(len(cells)):
        others = [*cells[:place], *cells[place + 1 :]]
        missed = sea.drawn.weights * (1 - occupied[:, others].max(axis=1, initial=0))
        chances = missed @ occupied
        chances[list(cells)] = 0
        if chances.any():
            salvos.append(sorted([*others, int(chances.argmax())]))
    worth = worth_of_salvos(sea, network, np.array(salvos))
    worth[0] -= LEAST_GAIN
    return salvos[int(worth.argmin())]


class _Found(NamedTuple):
    """The answers that some choices may get, one a row, and what was fired before each.

    Attributes:
        choice: The number of the choice.
        answer: The number of the answer.
        share: The share of the layouts that give it.
        rows: For each choice and layout the row of its answer, (choices * layouts,).
        cells: The cells of each choice, (choices, shots).
        taken: Which of them were shot by then, (rows, shots).
        hits: How many of these hit, (rows,).
    """

    choice: Indices
    answer: Indices
    share: Floats
    rows: Indices
    cells: Indices
    taken: Bools
    hits: Indices


def _tell_apart(sea: Sea, answers: Indices) -> tuple[Indices, Indices, Floats, Indices]:
    """Return which answers there are: the first fields of ``_Found``.

    Args:
        sea: What is known.
        answers: The number of the answer that each layout gives, (choices, layouts).
    """
    number = len(answers)
    size = int(answers.max()) + 1
    codes = (np.arange(number)[:, None] * size + answers).ravel()
    seen, rows = distinct(codes)
    weights = np.tile(sea.drawn.weights, number)
    choice, answer = np.divmod(seen, size)
    return choice, answer, np.bincount(rows, weights) / sea.drawn.weights.sum(), rows


def _turns_left(
    seas: Sequence[Sea], network: Network, found: Sequence[_Found], shots: int
) -> list[Floats]:
    """Return how many turns are left after each answer, for each set of layouts."""
    # All at once: the network takes many rows as fast as few.
    parts = [_rows(sea, one) for sea, one in zip(seas, found, strict=True)]
    lengths = seas[0].board.lengths
    known = Rows(
        {length: np.concatenate([part.counts[length] for part in parts]) for length in lengths},
        {length: np.concatenate([part.unhit[length] for part in parts]) for length in lengths},
        np.concatenate([part.untried for part in parts]),
        np.concatenate([part.share for part in parts]),
        np.concatenate([part.to_hit for part in parts]),
        np.concatenate([part.log_layouts for part in parts]),
    )
    misses = network.misses(describe_rows(seas[0].board, known))
    left = np.where(known.to_hit > 0, known.to_hit + misses, 0) / shots
    ends = np.cumsum([len(one.share) for one in found])
    return np.split(left, ends[:-1])


def _rows(sea: Sea, found: _Found) -> Rows:
    """Return what describes the answers over one set of layouts."""
    number = len(found.share)
    row, place = np.nonzero(found.taken)
    cells = found.cells[found.choice[row], place]
    shot = np.repeat(sea.hit.astype(np.float32)[None], number, axis=0)
    shot[row, cells] = 1
    untried = np.repeat(sea.untried[None], number, axis=0)
    untried[row, cells] = False
    choices = len(found.cells)
    alike = (sea.drawn.weights == 1).all()
    weights = None if alike else np.tile(sea.drawn.weights, choices)
    counts, unhit = {}, {}
    for length, covers in sea.board.covers_32.items():
        size = len(covers)
        tally = np.zeros(number * size)
        for slot, own in enumerate(sea.lengths):
            if own == length:
                at = found.rows * size + np.tile(sea.drawn.places[slot], choices)
                tally += np.bincount(at, weights, len(tally))
        counts[length] = tally.reshape(number, size) / sea.drawn.weights.sum()
        unhit[length] = length - shot @ covers.T
    to_hit = sum(sea.lengths) - int(sea.hit.sum()) - found.hits
    log_layouts = np.full(number, sea.drawn.log_layouts)
    return Rows(counts, unhit, untried, found.share, to_hit, log_layouts)
