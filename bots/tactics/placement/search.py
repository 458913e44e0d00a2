"""Search for the distribution of layouts that is hardest for a shooter that knows it.

Two players take turns: the shooter counts placements, weighted by all, half or nothing of the
current scores, whichever takes the fewest shots; the placer raises the scores of what took this
shooter long (multiplicative weights), by the coefficients with which the features of a layout
explain its shots. Against a shooter that responds best, the mean of the placer's scores comes near
the equilibrium. Features are the class of each ship's placement, and how ships touch.

``python -m bots.tactics.placement.search`` makes the table of scores; it takes some minutes.
"""

import csv
import sys
from itertools import combinations
from typing import NamedTuple

import numpy as np

from arena.rules import mask_of
from bots.tactics.placement.scores import FLEET, SIDE, TABLE, class_of
from bots.tactics.placement.shooters import COVERS, Floats, Indices, draw_layouts, play

__all__ = ["Distribution", "Features", "search", "stored_distribution"]

SEED = 20_091
POOL = 300_000
ROUNDS = 30
GAMES = 5_000
STEP = 0.08
SHARES = (0.0, 0.5, 1.0)
RIDGE = 100.0
"""The penalty of the ridge regression, in games."""

TOUCHES = ("cells", "sides", "corners")
CAPPED = 0.01
"""The share of uniform layouts, the hardest ones, that count the same."""


class Features:
    """The features of layouts on the standard board.

    Attributes:
        names: The placements that stand for their classes, as cells.
        classes: The class of each placement.
    """

    def __init__(self) -> None:
        keys = [class_of(mask_of(np.flatnonzero(row).tolist())) for row in COVERS]
        self.names = sorted(set(keys), key=lambda key: (-len(key), key))
        numbers = {key: number for number, key in enumerate(self.names)}
        self.classes = np.array([numbers[key] for key in keys])
        grid = np.pad(COVERS.reshape(-1, SIDE, SIDE), ((0, 0), (1, 1), (1, 1)))
        self._beside = _shifted(grid, ((0, 1), (0, -1), (1, 0), (-1, 0)))
        self._across = _shifted(grid, ((1, 1), (1, -1), (-1, 1), (-1, -1)))

    def of(self, layouts: Indices) -> Floats:
        """Return the features of layouts, (layouts, features)."""
        found = np.zeros((len(layouts), len(self.names) + len(TOUCHES)), np.float32)
        every = np.arange(len(layouts))
        for ship in range(len(FLEET)):
            np.add.at(found, (every, self.classes[layouts[:, ship]]), 1)
        for one, two in combinations(range(len(FLEET)), 2):
            other = COVERS[layouts[:, two]]
            cells = (self._beside[layouts[:, one]] * other).sum(axis=1)
            corners = (self._across[layouts[:, one]] * other).any(axis=1) & (cells == 0)
            found[:, -3] += cells
            found[:, -2] += cells > 0
            found[:, -1] += corners
        return found


def _shifted(grid: Floats, steps: tuple[tuple[int, int], ...]) -> Floats:
    moved = np.zeros_like(grid)
    for step in steps:
        moved += np.roll(grid, step, (1, 2))
    shifted: Floats = moved[:, 1:-1, 1:-1].reshape(len(grid), -1)
    return shifted


class Distribution(NamedTuple):
    """A distribution of layouts: a score for each feature, and the cap of their sum."""

    scores: Floats
    features: Features
    cap: float = np.inf

    def weights(self, share: float = 1.0) -> Floats:
        """Return what placements count for a shooter that believes a share of the scores."""
        classes = self.features.classes
        weights: Floats = np.exp(np.float32(share) * self.scores[classes])
        return weights


def stored_distribution(features: Features) -> Distribution:
    """Return the distribution that the table holds."""
    with TABLE.open(newline="", encoding="ascii") as lines:
        rows = {name: float(value) for name, value in csv.reader(lines)}
    names = ["+".join(map(str, cells)) for cells in features.names]
    scores = np.array([rows[name] for name in (*names, *TOUCHES)], np.float32)
    return Distribution(scores, features, rows["cap"])


def search(
    rounds: int, games: int, pool: int, random: np.random.Generator
) -> tuple[Distribution, Floats]:
    """Return a hard distribution, and the scores that it gives to uniform layouts."""
    features = Features()
    layouts = draw_layouts(pool, random)
    described = np.concatenate([features.of(part) for part in np.array_split(layouts, 30)])
    scores = np.zeros(described.shape[1], np.float32)
    mean = np.zeros_like(scores)
    for number in range(rounds):
        odds = np.exp(described @ scores)
        drawn = random.choice(pool, size=games, p=odds / odds.sum(dtype=float))
        distribution = Distribution(scores, features)
        tried = [play(layouts[drawn], distribution.weights(share), random) for share in SHARES]
        shots = min(tried, key=lambda shots: float(shots.mean()))
        means = ", ".join(
            f"{each.mean():.2f} ({share:g})" for share, each in zip(SHARES, tried, strict=True)
        )
        sys.stdout.write(f"round {number + 1}: shots by share of scores believed: {means}\n")
        sys.stdout.flush()
        if number >= rounds - rounds // 2:
            mean += scores / (rounds // 2)
        scores = scores + np.float32(STEP) * _explain(described[drawn], shots)
    return Distribution(mean, features), described @ mean


def _explain(described: Floats, shots: Indices) -> Floats:
    """Return the coefficients with which features explain shots, by ridge regression."""
    centred = (described - described.mean(axis=0)).astype(float)
    square = centred.T @ centred + RIDGE * np.eye(described.shape[1])
    solved = np.linalg.solve(square, centred.T @ (shots - shots.mean()))
    return solved.astype(np.float32)


def main() -> None:
    """Write the table again."""
    distribution, uniform = search(ROUNDS, GAMES, POOL, np.random.default_rng(SEED))
    with TABLE.open("w", newline="", encoding="ascii") as file:
        writer = csv.writer(file, lineterminator="\n")
        for cells, value in zip(distribution.features.names, distribution.scores, strict=False):
            writer.writerow(["+".join(map(str, cells)), f"{value:.3f}"])
        for name, value in zip(TOUCHES, distribution.scores[-len(TOUCHES) :], strict=True):
            writer.writerow([name, f"{value:.3f}"])
        writer.writerow(["cap", f"{np.quantile(uniform, 1 - CAPPED):.3f}"])


if __name__ == "__main__":
    main()
