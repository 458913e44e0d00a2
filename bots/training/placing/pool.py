"""Compares a shooter's reports with a pool of layouts.

Games in which the same cells were shot and the same was answered share what is left of the pool, so
that many games side by side look at each layout once a turn at most.
"""

from typing import NamedTuple

import numpy as np

from bots.tactics.placement.weighted_layouts import FLEET, SIDE
from bots.tactics.posterior.board_placements import Bools
from bots.tactics.value.diagonal_classes import prospects
from bots.training.placing.numbered_layouts import COVERS, Doubles, Floats, Indices

ENOUGH = 100.0  # effective layouts; with fewer the shooter counts placements instead

SIZES = COVERS.sum(axis=1)


class Pool(NamedTuple):
    """Layouts, (layouts, ships), with what each counts."""

    layouts: Indices
    odds: Doubles


class Group(NamedTuple):
    """Games that no answer has distinguished so far, and the layouts that agree with them."""

    games: Indices
    pool: Pool

    @classmethod
    def whole(cls, pool: Pool, games: int) -> "Group":
        """Return the group of all games, before the first shot."""
        return cls(np.arange(games), pool)


def enough(group: Group) -> bool:
    """Return whether the layouts of a group say more than counting placements."""
    odds = group.pool.odds
    return bool(odds.sum() ** 2 >= ENOUGH * (odds**2).sum() > 0)


def likeliest(
    group: Group,
    untried: Bools,
    shots: int,
    random: np.random.Generator,
    counts_off: tuple[int, float],
) -> list[int]:
    """Return the likeliest cells, each as if those before had missed.

    ``counts_off`` is the smallest ship afloat, and what a cell counts off its class of diagonals.
    """
    layouts, odds = group.pool
    untried = untried.copy()
    cells: list[int] = []
    for _ in range(shots):
        # Where all layouts were hit already, those that are hit once more decide.
        some = (layouts, odds) if odds.any() else group.pool
        chances = np.where(untried, _chances(*some), np.float32(0))
        chances += np.float32(1e-6) * random.random(len(chances), np.float32) * untried
        if counts_off[1] < 1:
            chances *= prospects(chances[None], SIDE, *counts_off)[0]
        cells.append(int(np.where(untried, chances, -1).argmax()))
        untried[cells[-1]] = False
        if len(cells) < shots:
            missed = (COVERS[:, cells[-1]] == 0)[layouts].all(axis=1)
            layouts, odds = layouts[missed], odds[missed]
    return cells


def _chances(layouts: Indices, odds: Doubles) -> Floats:
    times = np.bincount(layouts.T.ravel(), np.tile(odds, len(FLEET)), len(COVERS))
    chances: Floats = (times / max(odds.sum(), 1e-9)).astype(np.float32) @ COVERS
    return chances


def following(group: Group, layouts: Indices, cells: Indices, struck: Bools) -> list[Group]:
    """Return the groups that a group falls into by the answers to a salvo.

    ``struck`` are the cells that are hit by now in any of the games; only those before the salvo
    and of the salvo matter.
    """
    salvo = COVERS[:, cells] > 0
    shot = struck.copy()
    shot[cells] = True
    # Ships do not overlap: a ship is sunk if all its cells are shot, and none of them by a miss.
    sinks = (COVERS @ shot.astype(np.float32) == SIZES) & salvo.any(axis=1)
    hits = salvo @ (1 << np.arange(len(cells)))
    codes = [hits + (sinks.astype(np.int64) << (len(cells) + ship)) for ship in range(len(FLEET))]

    def answers(some: Indices) -> Indices:
        found: Indices = np.sum([code[some[:, ship]] for ship, code in enumerate(codes)], axis=0)
        return found

    came, possible = answers(layouts), answers(group.pool.layouts)
    found = []
    for answer in np.unique(came):
        agree = possible == answer
        pool = Pool(group.pool.layouts[agree], group.pool.odds[agree])
        found.append(Group(group.games[came == answer], pool))
    return found
