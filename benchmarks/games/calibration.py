"""Checks whether cells that a bot gives a probability of 30% are hit 30% of the time."""

import random
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from arena.referee import play_bots
from arena.rules import Rules, draw_uniform
from bots.posterior_greedy import PosteriorGreedy

BINS = 10


class Bin(NamedTuple):
    """The cells that were given about the same probability.

    Attributes:
        told: The mean of the probabilities that were given.
        hit: The share of cells with a ship.
        half: Half the width of the interval of ``hit - told``: 95% for all bins together.
        cells: How many cells.
    """

    told: float
    hit: float
    half: float
    cells: int


def calibrate(rules: Rules, games: int, seed: int) -> list[Bin]:
    """Return the bins of every untried cell before every shot of some games.

    The cells of one game depend on each other: the intervals are those of sums over whole games.
    Cells whose state is certain are left out; a wrong one would mean an impossible layout.
    """
    told = np.zeros((games, BINS))
    hit, cells = np.zeros_like(told), np.zeros_like(told)
    bot = _Telling()
    for game in range(games):
        layout = draw_uniform(rules, random.Random(f"{seed} {game}"))
        lies = np.array([bool(sum(layout) >> cell & 1) for cell in range(rules.cells)])
        bot.told.clear()
        played = play_bots([bot], rules, seeds=(seed + game, 0), layout=layout)
        assert played.forfeit is None, played.reason
        for untried, shares in bot.told:
            unsure = (shares > 0) & (shares < 1)
            which = np.minimum((shares[unsure] * BINS).astype(int), BINS - 1)
            told[game] += np.bincount(which, shares[unsure], BINS)
            hit[game] += np.bincount(which, lies[untried][unsure], BINS)
            cells[game] += np.bincount(which, minlength=BINS)
    quantile = stats.norm.ppf(1 - 0.025 / BINS)
    halves = quantile * np.sqrt(((hit - told) ** 2).sum(axis=0))
    sums = np.stack([told.sum(axis=0), hit.sum(axis=0), halves, cells.sum(axis=0)], axis=1)
    return [
        Bin(told / total, hit / total, half / total, int(total))
        for told, hit, half, total in sums.tolist()
        if total
    ]


class _Telling(PosteriorGreedy):
    """Records its belief before each salvo: the untried cells, and the probability of each."""

    def __init__(self) -> None:
        self.told: list[tuple[list[int], np.typing.NDArray[np.float64]]] = []
        super().__init__()

    def choose_shots(self, count: int) -> Sequence[int]:
        shots = super().choose_shots(count)
        untried = self.untried
        self.told.append((untried, self.reader.belief.cells()[untried]))
        return shots
