"""Says how likely layouts are that shooters like ours find late, beside uniform ones.

Whoever searches layouts against a shooter finds some that take it a dozen shots longer, and hides
in them. What such layouts have in common is described by where each ship lies and by how every two
ships lie to each other. There are several kinds of them, one for each shooter that was searched
against. Of each kind a layout is exp(score) times as likely as uniformly, over the mean, where the
score is a sum over its features, and all above a cap count the same.

``python -m bots.training.placing.hard`` found the scores. A table has a row for each feature with
its score in every kind, and the two rows of ``weighted_layouts.ENDS``.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arena.rules import cells_of, placements
from bots.tactics.placement.weighted_layouts import CAP, FLEET, MEAN, SIDE, class_of
from bots.tactics.tables import beside, rows_of

Counts = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.signedinteger[Any]]

LENGTHS = sorted(set(FLEET), reverse=True)
MASKS = [mask for length in LENGTHS for mask in placements(SIDE, SIDE, length)]
"""The placements of all lengths, numbered, the longest first."""

_STARTS = {MASKS[number].bit_count(): number for number in reversed(range(len(MASKS)))}

FARTHEST = 5  # ships farther from each other than this have nothing to do with each other
FAR = "far"


class Features(NamedTuple):
    """The features of layouts.

    Attributes:
        names: What each is called in a table.
        places: The feature of each placement of any length, (placements,).
        pairs: The feature of every two placements of any length, (placements, placements).
    """

    names: list[str]
    places: Indices
    pairs: Indices

    def of(self, ships: Indices) -> Counts:
        """Return how often layouts have each feature, (layouts, features).

        ``ships`` are the placements among those of all lengths, (ships, layouts).
        """
        columns = [self.places.take(ship) for ship in ships]
        columns += [self.pairs[one, two] for one, two in combinations(ships, 2)]
        size, number = len(self.names), ships.shape[1]
        at = np.stack(columns) + size * np.arange(number)
        times = np.bincount(at.ravel(), minlength=size * number)
        return np.asarray(times.reshape(number, size), np.float32)


class Scores(NamedTuple):
    """The terms whose sum is the score of a layout."""

    places: Counts  # of a ship at each placement, (placements,)
    pairs: Counts  # of ships at every two placements, (placements, placements)

    @classmethod
    def of(cls, scores: Floats) -> "Scores":
        """Return the terms by the score of each feature, (features,)."""
        terms = scores.astype(np.float32)
        return cls(terms.take(features().places), terms.take(features().pairs))

    def sums(self, ships: Indices) -> Floats:
        """Return the scores of layouts, (layouts,); ``ships`` are as ``Features.of`` takes them."""
        total = self.places.take(ships).sum(axis=0)
        size, flat = len(self.places), self.pairs.ravel()
        for one, two in combinations(ships, 2):
            total += flat.take(one * size + two)
        return np.asarray(total, float)


class HardLayouts(NamedTuple):
    """One kind of layouts that are found late, relative to the uniform distribution."""

    scores: Scores
    cap: float  # the score above which all count the same
    mean: float  # the mean of exp(min(score, cap)) over all layouts

    def odds(self, ships: Indices) -> Floats:
        """Return how many times likelier layouts are than uniformly, (layouts,).

        ``ships`` are the placements among those of all lengths, (ships, layouts).
        """
        return np.asarray(np.exp(np.minimum(self.scores.sums(ships), self.cap)) / self.mean)


@cache
def features() -> Features:
    """Return the features of layouts of the standard fleet."""
    keys = [class_of(mask) for mask in MASKS]
    classes = sorted(set(keys), key=lambda key: (-len(key), key))
    numbers = {key: number for number, key in enumerate(classes)}
    kinds, pairs = _pairs([cells_of(mask) for mask in MASKS])
    names = ["+".join(map(str, cells)) for cells in classes] + kinds
    return Features(names, np.array([numbers[key] for key in keys]), pairs + len(classes))


def _pairs(ships: list[list[int]]) -> tuple[list[str], Indices]:
    """Return the names of the ways in which two ships lie, and that of every two."""
    upright = np.array([ship[1] - ship[0] == SIDE for ship in ships])
    grid = np.zeros((len(ships), SIDE, SIDE), np.float32)
    for number, ship in enumerate(ships):
        grid[number].flat[ship] = 1
    flat = grid.reshape(len(ships), -1)
    edges = ((-1, 0), (1, 0), (0, -1), (0, 1))
    room = np.pad(grid, ((0, 0), (1, 1), (1, 1)))
    near = np.sum([np.roll(room, move, (1, 2))[:, 1:-1, 1:-1] for move in edges], axis=0)
    touching = (near.reshape(flat.shape) @ flat.T).astype(np.intp)
    gaps = np.full(touching.shape, FARTHEST + 1)
    for gap in range(FARTHEST, -1, -1):
        gaps[_within(grid, gap).reshape(flat.shape) @ flat.T > 0] = gap
    names, found = [FAR], np.zeros(touching.shape, np.intp)
    for along in (False, True):
        alike = (upright[:, None] == upright) == along
        for gap in range(1, FARTHEST + 1):
            for touch in sorted(set(touching[alike & (gaps == gap)].tolist())):
                names.append(f"{'along' if along else 'across'} {gap} touching {touch}")
                found[alike & (gaps == gap) & (touching == touch)] = len(names) - 1
    return names, found


def _within(grid: Counts, gap: int) -> Counts:
    """Return the cells at most so many rows and columns from some, (ships, rows, columns)."""
    room = np.pad(grid, ((0, 0), (gap, gap), (gap, gap)))
    steps = range(2 * gap + 1)
    moved = [room[:, down : down + SIDE, right : right + SIDE] for down in steps for right in steps]
    return np.asarray(np.max(moved, axis=0), np.float32)


def numbers_of(lengths: Sequence[int], places: Indices) -> Indices:
    """Return placements, each numbered among those of its length, by their numbers in ``MASKS``.

    Both are (ships, layouts); ``lengths`` are those of the ships.
    """
    first = np.array([_STARTS[length] for length in lengths])
    return np.asarray(places + first[:, None], np.intp)


def file_of(name: str) -> str:
    """Return the table for the game of a name: "classic" or "salvo"."""
    return beside(__file__, f"hard_{name}.csv")


@cache
def hard_layouts(name: str) -> tuple[HardLayouts, ...]:
    """Return the kinds of layouts that are found late in the game of a name."""
    rows = {row: np.array(values, float) for row, *values in rows_of(file_of(name))}
    every = np.stack([rows[feature] for feature in features().names], axis=1)
    return tuple(
        HardLayouts(Scores.of(scores), float(cap), float(mean))
        for scores, cap, mean in zip(every, rows[CAP], rows[MEAN], strict=True)
    )
