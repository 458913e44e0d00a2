"""Predicts where ships lie by a network: a probability for each placement of each ship.

It looks at a board in rounds. A round is a residual block of two convolutions; each ship's
placements then get a score, the sum of what their cells say, one weight a cell of the ship; a
softmax over the places that the reports allow makes them probabilities; and how likely each
ship covers each cell is shown to the next round. So ships can take hits from each other, which one
look cannot tell. A last head says, for each cell, what shooting there is worth beyond the chance of
a hit.

``bots.training.deep_network`` is the same in PyTorch; ``bots.training.deep_learner`` trains it.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rules import cells_of, placements
from bots.tactics.learned.salvo_network import patches_of
from bots.tactics.learned.weight_files import Origin, read_weights
from bots.tactics.posterior.ship_layouts import ShipLayouts

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Integers = NDArray[np.integer[Any]]

SHOWN = Path(__file__).with_name("posterior.npz")
"""Weights of a network that is shown the posterior, as ``salvo train deep_trials`` made them."""

NEVER = np.float32(-60)  # the score of a place that the reports rule out
LEAST = np.float32(1e-6)  # added to the chance of a hit before its logarithm is taken
FEWEST = 20  # with fewer drawn layouts that agree with the reports, others are taken as well
_STEPS = np.float32(2048)  # in which drawn places are looked up
PLANES = 4  # planes beside two a ship: the board, untried cells, misses, hits


class Evidence(NamedTuple):
    """The reports of some boards, one a row."""

    missed: Flags  # the cells that missed, boards x cells
    hit: Flags  # the cells that hit
    sank: Integers  # for each cell that hit, which ships its salvo sank: bit n stands for ship n
    afloat: Flags  # which ships are afloat, boards x ships

    @classmethod
    def none(cls, cells: int, ships: int) -> "Evidence":
        """Return what is known of one board before the first shot: nothing."""
        return cls(
            missed=np.zeros((1, cells), dtype=bool),
            hit=np.zeros((1, cells), dtype=bool),
            sank=np.zeros((1, cells), dtype=np.int64),
            afloat=np.ones((1, ships), dtype=bool),
        )

    @classmethod
    def joined(cls, parts: Iterable["Evidence"]) -> "Evidence":
        """Return what is known of all boards of some parts."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    def note(self, cells: Sequence[int], hits: Sequence[int], sunk: Sequence[int]) -> None:
        """Take in the answer to a salvo on the one board: the cells, the hits, the ships sunk."""
        self.missed[0, list(cells)] = True
        self.missed[0, list(hits)] = False
        self.hit[0, list(hits)] = True
        for ship in sunk:
            self.sank[0, list(hits)] |= 1 << ship
            self.afloat[0, ship] = False

    @property
    def untried(self) -> Flags:
        """Return the cells that may be shot, boards x cells."""
        found: Flags = ~(self.missed | self.hit)
        return found

    def planes(self) -> Floats:
        """Return what a network sees: boards x (4 + 2 x ships) x cells, each 0 or 1."""
        boards, cells = self.hit.shape
        ships = self.afloat.shape[1]
        planes = np.empty((boards, PLANES + 2 * ships, cells), dtype=np.float32)
        planes[:, 0] = 1
        planes[:, 1] = self.untried
        planes[:, 2] = self.missed
        planes[:, 3] = self.hit
        for ship in range(ships):
            planes[:, PLANES + ship] = self.sank >> ship & 1
            planes[:, PLANES + ships + ship] = self.afloat[:, ship, None]
        return planes

    def some(self, rows: Any) -> "Evidence":  # noqa: ANN401 - whatever numpy takes as an index
        """Return the evidence of some of the boards."""
        return Evidence(*(column[rows] for column in self))

    def some_cells(self, cells: Integers) -> "Evidence":
        """Return the evidence of the same boards with their cells in another order."""
        return Evidence(self.missed[:, cells], self.hit[:, cells], self.sank[:, cells], self.afloat)


class FleetPlacements:
    """Lists where each ship can lie: from each cell on along its row, and down its column.

    A place is a number below ``2 x cells``: the first cell of the ship, plus ``cells`` if it lies
    upright. Not all of them fit on the board. ``lengths`` has the longest ship first; ``named``
    says whether it is reported which ships sink.

    Attributes:
        covers: Which cells a ship covers at each place, ships x places x cells; none where it does
            not fit.
    """

    def __init__(self, rows: int, columns: int, lengths: Sequence[int], *, named: bool) -> None:
        self.rows, self.columns, self.lengths = rows, columns, tuple(lengths)
        self.named = named
        self.cells = rows * columns
        self.covers = np.zeros((len(lengths), 2 * self.cells, self.cells), dtype=np.float32)
        for ship, length in enumerate(lengths):
            for cells in map(cells_of, placements(rows, columns, length)):
                upright = len(cells) > 1 and cells[1] - cells[0] == columns
                self.covers[ship, cells[0] + self.cells * upright, cells] = 1
        self._fits = self.covers.any(axis=2)
        # As bits, by which drawn layouts are compared: ships x words x places.
        self._words = np.stack([_words(covers > 0) for covers in self.covers])
        # As one matrix: cells x (ships x places).
        self._across = np.ascontiguousarray(self.covers.reshape(-1, self.cells).T)

    @classmethod
    def of(cls, origin: Origin) -> "FleetPlacements":
        """Return the placements of the fleet that weights are for."""
        return cls(origin.rows, origin.columns, origin.lengths, named=origin.sinkings)

    def possible(self, known: Evidence) -> Flags:
        """Return which places the reports allow each ship by itself, boards x ships x places.

        No ship lies on a miss. Where sinkings are named, one afloat does not lie on hits alone, and
        one that sank does, one of which is of the salvo that sank it.
        """
        shape = -1, *self._fits.shape
        found: Flags = (known.missed.astype(np.float32) @ self._across == 0).reshape(shape)
        found &= self._fits
        if not self.named:
            return found
        untried = (known.untried.astype(np.float32) @ self._across).reshape(shape) > 0
        for ship, covers in enumerate(self.covers):
            if known.afloat[:, ship].all():
                found[:, ship] &= untried[:, ship]
                continue
            last = (known.sank >> ship & 1).astype(np.float32) @ covers.T > 0
            afloat = known.afloat[:, ship, None]
            found[:, ship] &= np.where(afloat, untried[:, ship], ~untried[:, ship] & last)
        return found

    def numbers_of(self, ships: Integers) -> Integers:
        """Return the place of each ship, given the ship on each cell, or -1: boards x ships."""
        found = [
            ((ships == ship).astype(np.float32) @ covers.T).argmax(axis=1)
            for ship, covers in enumerate(self.covers)
        ]
        return np.stack(found, axis=1)

    def draw(
        self, odds: Floats, known: Evidence, number: int, random: np.random.Generator
    ) -> ShipLayouts:
        """Return layouts drawn as a network thinks them likely.

        Each ship is drawn by itself. Where ships overlap, or leave a hit unexplained, the layout is
        thrown away, so that the network's doubts about single ships become one about all of them:
        of two ships that each may have been hit, one was. So fewer are returned than ``number``,
        unless too few would be left.
        """
        ships = np.empty((len(odds), number), dtype=np.intp)
        layouts = np.zeros((self._words.shape[1], number), dtype=np.uint64)
        agrees = np.ones(number, dtype=bool)
        every = zip(ships, odds.cumsum(axis=1), self._words, strict=True)
        for places, chances, covers in every:
            drawn = random.random(number, dtype=np.float32) * chances[-1]
            places[:] = _count_up_to(chances[:-1], drawn, chances[-1])
            ship = covers.take(places, axis=1)
            agrees &= ~(layouts & ship).any(axis=0)
            layouts |= ship
        hit = _words(known.hit)
        agrees &= (layouts & hit == hit).all(axis=0)
        if agrees.sum() >= FEWEST:
            ships += (np.arange(len(ships)) * self.covers.shape[1])[:, None]
            covers = self.covers.reshape(-1, self.cells)
            return ShipLayouts(covers, ships.compress(agrees, axis=1))
        cells = np.ascontiguousarray(layouts.T).view(np.uint8)
        return ShipLayouts.of_cells(np.unpackbits(cells, axis=1, count=self.cells).view(bool))


class Prediction(NamedTuple):
    """The output of a network for some boards."""

    places: Floats  # the probability of each place, boards x ships x places
    cells: Floats  # how likely each cell has a ship, boards x cells
    worth: Floats  # what a shot at each cell is worth, higher being better: boards x cells


class PlacementNetwork:
    """A trained network.

    Args:
        arrays: ``first`` (9 planes x channels); for each round n ``one_n`` (9 inputs x channels),
            ``two_n``, and ``head_n`` (channels x what each cell along a ship scores: for each ship,
            lying and upright, the longest length); ``worth_one`` (9 inputs x channels),
            ``worth_two`` (channels x 1) and ``trust``; biases are named as what they belong to,
            with ``_bias``.
        places: The placements of the fleet it was trained for.
    """

    def __init__(self, arrays: Mapping[str, NDArray[Any]], places: FleetPlacements) -> None:
        self.places = places
        self._arrays = {name: array.astype(np.float32) for name, array in arrays.items()}
        self._patches = patches_of(places.rows, places.columns)
        self._rounds = sum(name.startswith("head_") for name in arrays)
        self._sums = _sums(places)

    @classmethod
    def read(cls, path: Path) -> tuple["PlacementNetwork", Origin]:
        """Return the network of a file of weights, and where they come from."""
        arrays, origin = read_weights(path)
        return cls(arrays, FleetPlacements.of(origin)), origin

    def look(
        self, known: Evidence, posterior: NDArray[np.floating[Any]] | None = None
    ) -> Prediction:
        """Return what to make of some boards.

        Posteriors (boards x cells), given, take the place of a guess.
        """
        places, boards = self.places, len(known.hit)
        possible = places.possible(known)
        hidden = np.maximum(self._convolve("first", known.planes().transpose(0, 2, 1)), 0)
        covered = np.zeros((boards, places.cells, len(places.lengths)), dtype=np.float32)
        nothing = np.zeros((boards, 1), dtype=np.float32)
        for number in range(self._rounds):
            seen = np.concatenate([hidden, covered], axis=2) if number else hidden
            inner = np.maximum(self._convolve(f"one_{number}", seen), 0)
            hidden = np.maximum(hidden + self._convolve(f"two_{number}", inner), 0)
            taps = (_rows(hidden) @ self._arrays[f"head_{number}"]).reshape(boards, -1)
            scores = np.concatenate([taps, nothing], axis=1).take(self._sums, axis=1).sum(axis=1)
            scores = np.where(possible, scores, NEVER)
            odds = np.exp(scores - scores.max(axis=2, keepdims=True))
            # A ship that has no place left is nowhere.
            odds *= possible / odds.sum(axis=2, keepdims=True)
            covered = np.matmul(odds[:, :, None], places.covers)[:, :, 0].transpose(0, 2, 1)
        cells = covered.sum(axis=2) if posterior is None else posterior.astype(np.float32)
        chances = np.log(cells + LEAST)
        seen = np.concatenate([hidden, covered, chances[:, :, None]], axis=2)
        inner = np.maximum(self._convolve("worth_one", seen), 0)
        extra = _rows(inner) @ self._arrays["worth_two"] + self._arrays["worth_two_bias"]
        worth = chances * self._arrays["trust"] + extra.reshape(boards, -1)
        return Prediction(odds, cells, worth)

    def _convolve(self, name: str, inputs: Floats) -> Floats:
        """Return a convolution over the nine cells around each, boards x cells x channels."""
        boards, cells, channels = inputs.shape
        beyond = np.zeros((boards, 1, channels), dtype=np.float32)
        around = np.concatenate([inputs, beyond], axis=1).take(self._patches, axis=1)
        found: Floats = around.reshape(-1, 9 * channels) @ self._arrays[name]
        found += self._arrays[f"{name}_bias"]
        return found.reshape(boards, cells, -1)


def _rows(cells: Floats) -> Floats:
    """Return the cells of all boards one below the other: cells x channels."""
    return cells.reshape(-1, cells.shape[2])


def symmetries(rows: int, columns: int) -> list[NDArray[np.intp]]:
    """Return the ways to turn and mirror a board: for each new cell the cell that comes there."""
    board = np.arange(rows * columns).reshape(rows, columns)
    upright = [board, board.T] if rows == columns else [board]
    return [
        turned[::down, ::right].ravel()
        for turned in upright
        for down in (1, -1)
        for right in (1, -1)
    ]


def _words(cells: Flags) -> NDArray[np.uint64]:
    """Return the cells of some boards as bits: words x boards."""
    packed = np.zeros((len(cells), -(-cells.shape[1] // 64) * 8), np.uint8)
    packed[:, : -(-cells.shape[1] // 8)] = np.packbits(cells, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def _count_up_to(bounds: Floats, points: Floats, most: np.float32) -> Integers:
    """Return how many of some ascending bounds are not above each point; ``most`` is above all.

    As ``searchsorted``, which takes long for points in no order: only points that share one of
    many equal steps with a bound are looked for among the bounds.
    """
    scale = _STEPS / max(most, LEAST)
    step = (points * scale).astype(np.intp)
    inside = np.bincount((bounds * scale).astype(np.intp), minlength=int(_STEPS) + 2)
    found = (inside.cumsum() - inside).take(step)
    shared = np.flatnonzero(inside.take(step))
    found[shared] = bounds.searchsorted(points.take(shared), side="right")
    return found


def _sums(places: FleetPlacements) -> Integers:
    """Return which numbers add up to the score of each place: cells of a ship x ships x places.

    The numbers are those of ``hidden @ head``, and one more that is 0.
    """
    longest = max(places.lengths)
    wide = len(places.lengths) * 2 * longest
    nothing = places.cells * wide
    found = np.full((longest, *places.covers.shape[:2]), nothing)
    for ship, length in enumerate(places.lengths):
        place, cell = np.nonzero(places.covers[ship])
        tap = np.arange(len(cell)) % length  # the cells of a place follow one another
        upright = place >= places.cells
        found[tap, ship, place] = cell * wide + (2 * ship + upright) * longest + tap
    return found
