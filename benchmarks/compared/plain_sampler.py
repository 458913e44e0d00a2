"""Plays as Rochford's sampler does, written from his description in plain numpy, as a yardstick.

Each ship keeps a list of the grids that agree with what is known about that ship. A block draws one
grid for each ship, 10,000 times; draws that overlap, or that contradict a revealed cell, are
dropped, and the cell that most of the others cover is shot next. A miss shortens the list of every
ship, and so does the cell that sank a ship; a hit shortens none.

``python -m benchmarks.compared.plain_sampler GAMES SEED DTYPE`` races it in a process of its own.
"""

import random
import sys
import time
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from arena.referee import play_bots
from arena.rules import Layout, Rules, cells_of, draw_uniform, placements, preset
from benchmarks.costs.own_process import answer, answer_of
from bots.posterior_greedy import PosteriorGreedy

Grids = npt.NDArray[np.bool_]

BLOCK = 10_000
"""Draws in a block."""


class Race(msgspec.Struct, frozen=True):
    """A bot and the plain sampler on the same layouts, taking turns game by game, in one process.

    Attributes:
        bot_s: Processor time of a game of the bot, the arena's part included.
        plain_s: Processor time of a game of the plain sampler.
        bot_shots: Shots of each game of the bot.
        plain_shots: Shots of each game of the plain sampler.
    """

    bot_s: float
    plain_s: float
    bot_shots: list[int]
    plain_shots: list[int]


def measure_race(games: int, seed: int, dtype: str) -> Race:
    """Race posterior_greedy against the plain sampler, with one thread.

    Args:
        games: How many layouts.
        seed: The seed of the layouts.
        dtype: The type of a cell of the plain sampler's grids: "float64", as ``numpy.zeros`` makes
            it, or "uint8".
    """
    return answer_of("benchmarks.compared.plain_sampler", games, seed, dtype, of=Race)


def _race(games: int, seed: int, dtype: str) -> Race:
    bot, rules = PosteriorGreedy(), preset("classic")
    used = {"bot": 0.0, "plain": 0.0}
    shots: dict[str, list[int]] = {"bot": [], "plain": []}
    for game in range(games):
        layout = draw_uniform(rules, random.Random(f"{seed} {game}"))
        started = time.process_time()
        played = play_bots([bot], rules, seeds=(seed + game, 0), layout=layout)
        assert played.forfeit is None, played.reason
        shots["bot"].append(played.tallies[0].shots)
        between = time.process_time()
        drawer = np.random.default_rng([seed, game])
        shots["plain"].append(_play_plainly(rules, layout, drawer, np.dtype(dtype)))
        used["bot"] += between - started
        used["plain"] += time.process_time() - between
    return Race(used["bot"] / games, used["plain"] / games, shots["bot"], shots["plain"])


def _play_plainly(
    rules: Rules, layout: Layout, drawer: np.random.Generator, dtype: np.dtype[Any]
) -> int:
    """Return how many shots the plain sampler takes to sink a layout."""
    ships = [_grids(rules, ship.length).astype(dtype) for ship in rules.fleet]
    true = [_grid(rules, mask) for mask in layout]
    board = np.logical_or.reduce(true)
    shot = np.zeros(rules.cells, bool)
    while not shot[board].all():
        shares = np.where(shot, -1.0, _sample(ships, board & shot, shot, drawer))
        cell = int(shares.argmax())
        before = [bool(shot[ship].all()) for ship in true]
        shot[cell] = True
        sunk = [bool(shot[ship].all()) and not was for ship, was in zip(true, before, strict=True)]
        if not board[cell] or any(sunk):
            ships = [
                grids[(grids[:, cell] > 0) == went_down]
                for grids, went_down in zip(ships, sunk, strict=True)
            ]
    return int(shot.sum())


def _sample(
    ships: list[Any], hits: Grids, shot: Grids, drawer: np.random.Generator
) -> npt.NDArray[np.float64]:
    """Return how often each cell is covered in the first block that leaves any draw."""
    while True:
        drawn = np.stack([grids[drawer.integers(len(grids), size=BLOCK)] for grids in ships])
        boards = drawn.sum(axis=0, dtype=drawn.dtype)
        boards = boards[boards.max(axis=1) == 1]
        agree = boards[((boards > 0) == hits)[:, shot].all(axis=1)]
        if len(agree):
            return np.asarray(agree.mean(axis=0), float)


def _grids(rules: Rules, length: int) -> Grids:
    return np.array([_grid(rules, mask) for mask in placements(rules.rows, rules.columns, length)])


def _grid(rules: Rules, mask: int) -> Grids:
    grid = np.zeros(rules.cells, bool)
    grid[cells_of(mask)] = True
    return grid


if __name__ == "__main__":
    answer(_race(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
