"""Builds many layouts at once, ship by ship, drawn again in proportion to what they count.

Each particle is a layout in the making. In every step each particle gets one more ship, on one of
some placements, drawn by their weights; what the weights sum to is what the particle counts from
then on. Once a few particles count nearly everything, all are drawn again by what they count
(sequential Monte Carlo). Nothing is carried over from one move to the next, so that a sample that
lost the truth finds it again.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bots.tactics.posterior.board_placements import Board, Bools, Floats, Indices
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.systematic import draw_systematically, effective_size

Words = npt.NDArray[np.uint64]  # sets of cells, 64 cells a word, (sets, words)

WORD = 64


def words(cells: Bools) -> Words:
    """Return sets of cells, (sets, cells), as words."""
    missing = -cells.shape[1] % WORD
    padded = np.pad(cells, ((0, 0), (0, missing)))
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def unpacked(sets: Words, cells: int) -> Bools:
    """Return whether each set holds each cell, (sets, cells)."""
    data = sets.astype("<u8").view(np.uint8)
    return np.unpackbits(data, axis=1, count=cells, bitorder="little").astype(bool)


def clear_of(closed: Words, covers: Words) -> Bools:
    """Return whether each of some sets shares no cell with each of others, (closed, covers)."""
    meet = closed[:, :1] & covers[:, 0]
    for word in range(1, covers.shape[1]):
        meet |= closed[:, word : word + 1] & covers[:, word]
    return np.asarray(meet == 0, bool)


class Catalogue:
    """The placements of all lengths in one table.

    Attributes:
        kinds: The number of the length of each placement, in the order of ``board.lengths``.
        covers: Whether each covers a cell, (placements, cells).
        cover_words: The same as words.
        reach_words: The cells that each denies to other ships, as words.
    """

    def __init__(self, board: Board) -> None:
        """List the placements of a board."""
        self.kinds: Indices = board.kinds
        self.covers: Bools = board.all_covers
        self.cover_words = words(self.covers)
        self.reach_words = words(np.concatenate([board.reach[n] for n in board.lengths]))


@lru_cache(maxsize=16)
def catalogue_of(board: Board) -> Catalogue:
    """Return the catalogue of a board; of equal boards the same one."""
    return Catalogue(board)


class Options(NamedTuple):
    """The placements for one more ship: their numbers, weights, and how many lies each makes."""

    places: Indices
    weights: Floats
    lies: Indices


class Particles:
    """Some layouts in the making, with weights.

    Attributes:
        covered: The cells of the ships placed, as words, (particles, words).
        closed: The cells that these deny to other ships, as words, (particles, words).
        left: How many ships of each length are still to be placed, (particles, lengths).
        lies: How many reports are lies, (particles,).
    """

    def __init__(
        self,
        catalogue: Catalogue,
        fleet: Indices,
        number: int,
        random: np.random.Generator,
        budget: int = 0,
    ) -> None:
        """Start from empty boards, with a fleet of so many ships of each length.

        Up to ``budget`` reports may be lies.
        """
        self._catalogue, self._random, self._budget = catalogue, random, budget
        self.covered: Words = np.zeros((number, catalogue.cover_words.shape[1]), np.uint64)
        self.closed = self.covered.copy()
        self.left: Indices = np.repeat(fleet[None], number, axis=0)
        self.lies: Indices = np.zeros(number, np.intp)
        self.weights: Floats = np.ones(number)
        self._prospects: Floats = np.ones(number)
        self._marked = self.covered

    def place(
        self,
        rows: Indices,
        options: Options,
        *,
        skip: float = 0.0,
        any_of_kind: bool = True,
        in_turn: bool = False,
    ) -> None:
        """Place one more ship on each of some boards, or none, which would make a report a lie.

        To place none counts ``skip``. It is the next ship, or any of its length, each of which
        counts. If ships were placed in turn, each anywhere where it fitted, it counts the less, the
        more options fit, of weight 0 or not.
        """
        chances = self._chances(rows, options, any_of_kind=any_of_kind)
        chances[:, -1] = skip * (self.lies[rows] < self._budget)
        bounds = np.cumsum(chances, axis=1)
        totals = bounds[:, -1]
        self.weights[rows] *= totals
        if in_turn:
            fits = clear_of(self.closed[rows], self._catalogue.cover_words[options.places])
            self.weights[rows] /= np.maximum(fits.sum(axis=1), 1)
        points = self._random.random(len(rows)) * totals
        chosen = (bounds > points[:, None]).argmax(axis=1)
        skipped = chosen == len(options.places)
        self.lies[rows[skipped]] += 1
        rows, chosen = rows[~skipped], chosen[~skipped]
        places = options.places[chosen]
        self.covered[rows] |= self._catalogue.cover_words[places]
        self.closed[rows] |= self._catalogue.reach_words[places]
        self.left[rows, self._catalogue.kinds[places]] -= 1
        self.lies[rows] += options.lies[chosen]
        self._settle()

    def expect(self, prospects: Floats) -> None:
        """Count each particle by what its remaining ships will count, as far as can be foreseen.

        What was expected before no longer counts, so the last call should give what is certain.
        """
        self.weights *= prospects / self._prospects
        self._prospects = prospects
        self._settle()

    def holding(self, cell: int) -> Bools:
        """Return whether a ship lies on a cell, (particles,)."""
        word, bit = divmod(cell, WORD)
        return np.asarray(self.covered[:, word] >> np.uint64(bit) & np.uint64(1), bool)

    def layouts(self, cells: int) -> Bools:
        """Return whether a ship lies on each cell, (particles, cells)."""
        return unpacked(self.covered, cells)

    def mark(self) -> None:
        """Remember the ships placed so far, for ``since_mark``."""
        self._marked = self.covered.copy()

    def since_mark(self, cells: int) -> Bools:
        """Return whether a ship placed since ``mark`` lies on each cell, (particles, cells)."""
        return unpacked(self.covered & ~self._marked, cells)

    def _chances(self, rows: Indices, options: Options, *, any_of_kind: bool) -> Floats:
        """Return what each option counts on each board, and a last column of zeros."""
        covers = self._catalogue.cover_words[options.places]
        free = clear_of(self.closed[rows], covers)
        kinds = self._catalogue.kinds[options.places]
        if options.lies.any():
            free &= self.lies[rows][:, None] + options.lies <= self._budget
        left = self.left[rows] if any_of_kind else self.left[rows] > 0
        chances = np.zeros((len(rows), len(options.places) + 1))
        np.multiply(free, options.weights, out=chances[:, :-1])
        chances[:, :-1] *= left[:, kinds]
        return chances

    def _settle(self) -> None:
        """Draw the particles again if few of them count nearly everything."""
        total = float(self.weights.sum())
        if not total > 0:
            raise ImpossibleEvidenceError("every particle came to a dead end")
        if effective_size(self.weights) < len(self.weights) / 2:
            rows, _ = draw_systematically(self.weights, len(self.weights), self._random)
            self.covered, self.closed = self.covered[rows], self.closed[rows]
            self.left, self.lies = self.left[rows], self.lies[rows]
            self._prospects, self._marked = self._prospects[rows], self._marked[rows]
            self.weights = np.ones(len(rows))
        else:
            self.weights /= total / len(self.weights)
