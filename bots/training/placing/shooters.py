"""Plays many games of a shooter side by side, for the search for layouts found late.

The shooter counts placements, as ``probability_density`` does, and prefers a class of diagonals, as
``posterior_parity`` does. Knowing a distribution of layouts, it weights placements by how often
they occur in it; and as long as enough layouts of a pool agree with all answers, it shoots where
most of these have a ship. It also learns where each sunk ship lay, which is nearly always obvious.
"""

from typing import NamedTuple

import numpy as np

from bots.tactics.placement.weighted_layouts import FLEET, SIDE
from bots.tactics.placement_counts import HIT_WEIGHT
from bots.tactics.posterior.board_placements import Bools
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.look_ahead import OFF_CLASS, OFF_CLASS_OPEN, off_class
from bots.training.placing.numbered_layouts import (
    CELLS,
    COVERS,
    LENGTHS,
    Doubles,
    Floats,
    Indices,
    features,
)
from bots.training.placing.pool import Group, Pool, enough, following, likeliest

SALVO = 5  # shots a turn in the full salvo, of a shooter that loses no ships

BATCH = 2000

KINDS = np.array([LENGTHS.index(length) for length in FLEET])
"""The place of the length of each ship among ``LENGTHS``."""

SIZES = COVERS.sum(axis=1)
KIND_OF_PLACEMENT = np.array([LENGTHS.index(int(size)) for size in SIZES])
BOOST = (1 + (HIT_WEIGHT - 1) * COVERS.T).astype(np.float32)
AVOIDS = (1 - COVERS.T).astype(np.float32)


class Shooter(NamedTuple):
    """A shooter with what each placement counts to it, and layouts to compare with, if any."""

    weights: Floats
    pool: Pool | None = None


PLAIN = Shooter(np.ones(len(COVERS), np.float32))  # a shooter that expects every layout alike


def shooter_for(layouts: Indices, odds: Doubles, *, compares: bool) -> Shooter:
    """Return the shooter that knows a distribution, of which the odds of uniform layouts are given.

    If it compares, the layouts are its pool as well.
    """
    weights = np.ones(len(COVERS), np.float32)
    for length in LENGTHS:
        ships = [ship for ship, other in enumerate(FLEET) if other == length]
        classes = features().classes[layouts[:, ships]].ravel()
        number = len(features().names)
        usual = np.bincount(classes, minlength=number)
        known = np.bincount(classes, np.repeat(odds, len(ships)), number)
        of_length = length == SIZES
        ratio = (known + 1) / (usual + 1)
        weights[of_length] = ratio[features().classes[of_length]] / odds.mean()
    return Shooter(weights, Pool(layouts, odds) if compares else None)


def play(layouts: Indices, shooter: Shooter, shots: int, random: np.random.Generator) -> Indices:
    """Return the turn in which each ship is sunk, (layouts, ships)."""
    parts = np.split(layouts, range(BATCH, len(layouts), BATCH))
    return np.concatenate([Games(part, shooter, shots, random).play() for part in parts])


def worth(sunk_in: Indices, shots: int) -> Doubles:
    """Return the shots that each layout's owner has before it is sunk; a ship is one in a salvo."""
    turns = sunk_in.max(axis=1) if shots == 1 else sunk_in.sum(axis=1)
    return np.asarray(turns, float)


class Games:
    """Games that are played side by side; those that are over are left."""

    def __init__(
        self, layouts: Indices, shooter: Shooter, shots: int, random: np.random.Generator
    ) -> None:
        games = len(layouts)
        self.shots, self.random, self.pool = shots, random, shooter.pool
        self.numbers = np.arange(games)
        self.layouts = layouts
        self.ships = np.full((games, CELLS), -1, np.int8)
        for ship in range(len(FLEET)):
            self.ships[COVERS[layouts[:, ship]] > 0] = ship
        self.left = np.tile(np.array(FLEET), (games, 1))
        self.afloat = np.tile(np.bincount(KINDS), (games, 1))
        weights = shooter.weights * np.bincount(KINDS)[KIND_OF_PLACEMENT].astype(np.float32)
        self.weights = np.tile(weights, (games, 1))
        self.untried = np.ones((games, CELLS), bool)
        self.is_hit = np.zeros((games, CELLS), bool)
        self.open_hits = np.zeros(games, np.int64)
        self.groups = [] if self.pool is None else [Group.whole(self.pool, games)]
        self.sunk_in = np.zeros((games, len(FLEET)), np.int64)

    def play(self) -> Indices:
        """Play all games to their end, and return the turn in which each ship is sunk."""
        turn = 0
        while len(self.numbers):
            turn += 1
            cells = self.aim()
            for shot in range(cells.shape[1]):
                self.shoot(cells[:, shot], turn)
            self.groups = [new for group in self.groups for new in self._after(group, cells)]
            over = self.left.sum(axis=1) == 0
            if over.any():
                self.keep(~over)
        return self.sunk_in

    def aim(self) -> Indices:
        """Return the cells that are shot next in each game, (games, shots)."""
        cells = np.zeros((len(self.numbers), self.shots), np.int64)
        alone = np.ones(len(self.numbers), bool)
        for group in self.groups:
            alone[group.games] = False
            game = int(group.games[0])
            cells[group.games] = likeliest(
                group, self.untried[game], self.shots, self.random, self._counts_off(game)
            )
        if alone.any():
            cells[alone] = self._count(np.flatnonzero(alone))
        return cells

    def _counts_off(self, game: int) -> tuple[int, float]:
        smallest = int(self.smallest(np.array([game]))[0])
        if self.shots > 1:
            return smallest, 1.0
        return smallest, off_class(is_open=bool(self.open_hits[game]))

    def smallest(self, games: Indices) -> Indices:
        """Return the length of the smallest ship afloat in each of some games."""
        afloat = self.afloat[games] > 0
        last: Indices = len(LENGTHS) - 1 - afloat[:, ::-1].argmax(axis=1)
        return np.array(LENGTHS)[last]

    def _count(self, games: Indices) -> Indices:
        """Return the cells that most placements cover, each as if those before had missed."""
        weights, untried = self.weights[games], self.untried[games]
        every = np.arange(len(games))
        cells = np.zeros((len(games), self.shots), np.int64)
        for shot in range(self.shots):
            counts = np.where(untried, weights @ COVERS, np.float32(0))
            if self.shots == 1:
                counts *= self._prospects(counts, games)
            ties = self.random.random(counts.shape, np.float32) * counts.max(axis=1, keepdims=True)
            counts += ties * np.float32(1e-4) + np.float32(1e-30)
            counts[~untried] = -1
            cells[:, shot] = counts.argmax(axis=1)
            if shot < self.shots - 1:
                untried[every, cells[:, shot]] = False
                weights *= AVOIDS[cells[:, shot]]
        return cells

    def _prospects(self, counts: Floats, games: Indices) -> Floats:
        """Return what cells count by their class of diagonals, (games, cells)."""
        off = np.where(self.open_hits[games] > 0, OFF_CLASS_OPEN, OFF_CLASS).astype(np.float32)
        smallest = self.smallest(games)
        found = np.empty_like(counts)
        for length in np.unique(smallest).tolist():
            rows = smallest == length
            on_class = prospects(counts[rows], SIDE, length, 0.0)
            found[rows] = off[rows, None] + (1 - off[rows, None]) * on_class
        return found

    def shoot(self, cells: Indices, turn: int) -> None:
        """Shoot once in each game, and rule out placements."""
        every = np.arange(len(cells))
        ships = self.ships[every, cells]
        self.untried[every, cells] = False
        missed = ships < 0
        self.weights[missed] *= AVOIDS[cells[missed]]
        hit = np.flatnonzero(~missed)
        self.weights[hit] *= BOOST[cells[hit]]
        self.is_hit[hit, cells[hit]] = True
        self.open_hits[hit] += 1
        self.left[hit, ships[hit]] -= 1
        sunk = hit[self.left[hit, ships[hit]] == 0]
        if len(sunk):
            self._sink(sunk, ships[sunk].astype(np.int64), turn)

    def _sink(self, games: Indices, ships: Indices, turn: int) -> None:
        """Rule out what lies on the wrecks, and a ship less of each length."""
        self.sunk_in[self.numbers[games], ships] = turn
        self.open_hits[games] -= np.array(FLEET)[ships]
        wrecks = self.layouts[games, ships]
        self.weights[games] *= features().clear[wrecks]
        kinds = KINDS[ships]
        before = self.afloat[games, kinds]
        self.afloat[games, kinds] = before - 1
        factors = np.ones((len(games), len(LENGTHS)), np.float32)
        factors[np.arange(len(games)), kinds] = (before - 1) / before
        self.weights[games] *= factors[:, KIND_OF_PLACEMENT]

    def _after(self, group: Group, cells: Indices) -> list[Group]:
        """Return what becomes of a group once its games have answered: those with enough left."""
        game = group.games[0]
        struck: Bools = np.logical_or.reduce(self.is_hit[group.games])
        parts = following(group, self.layouts[group.games], cells[game], struck)
        return [part for part in parts if enough(part)]

    def keep(self, games: Bools) -> None:
        """Leave the games that are over."""
        names = ("numbers", "layouts", "ships", "left", "afloat", "weights", "untried")
        for name in (*names, "is_hit", "open_hits"):
            setattr(self, name, getattr(self, name)[games])
        places = np.where(games, np.cumsum(games) - 1, -1)
        moved = [group._replace(games=places[group.games]) for group in self.groups]
        moved = [group._replace(games=group.games[group.games >= 0]) for group in moved]
        self.groups = [group for group in moved if len(group.games)]
