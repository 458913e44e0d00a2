"""Searches for the distribution of layouts that is hardest for shooters that know it.

The method is the double oracle. Two players of a zero-sum game: a placer, whose strategies are
tilts of the uniform distribution (``numbered_layouts.Tilt``), and a shooter, whose strategies are
the tilts that it may believe in. Each round solves the game between the strategies found so far by
linear programming.
Then each side answers: the shooter believes in what the placer plays, which is the tilt by the mean
of the scores in its mixture; the placer tilts along what explains how long the shooters' mixture
takes for a layout, as far from uniform as ``DIVERGENCES`` say. That is found by regression on
features, so that it holds for layouts that were never drawn, and each tilt draws from all layouts.

What the answers leave is a lower and an upper limit of the value of the game between all such tilts
and shooters. The search ends when they are as close as their errors, and returns the placer's tilt
with the best lower limit. All strategies are measured on the same uniform layouts: a shooter plays
each once, and a tilt weights them.

In the classic game a layout is worth the shots that it takes. In the full salvo, a ship gives its
owner a shot in every turn until it is sunk, so that a layout is worth the sum, over its ships, of
the turns in which they are sunk: the shots that its owner may fire.

Run ``python -m bots.training.placing.search``, and again with ``--rules salvo``: some minutes each.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from bots.tactics.placement.weighted_layouts import CAP, MEAN, file_for
from bots.tactics.tables import write_rows
from bots.training.agent import option, parsed, say
from bots.training.placing.numbered_layouts import (
    Doubles,
    Floats,
    Indices,
    Tilt,
    draw_layouts,
    features,
)
from bots.training.placing.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth

DIVERGENCES = (0.02, 0.05, 0.1, 0.2, 0.4)  # Kullback-Leibler, in nats, of best answers
CAPPED = 0.01  # the share of uniform layouts, the hardest ones, that count the same
RIDGE = 100.0  # the penalty of the ridge regression, in games

CHUNK = 20_000

FARTHEST = 20.0  # the greatest standard deviation of the scores of a tilt

HALVINGS = 25


@dataclass(frozen=True)
class Args:
    """The settings of the search."""

    rules: str = option("classic", "The game.", choices=("classic", "salvo"))
    layouts: int = option(20_000, "Uniform layouts on which strategies are measured.", least=100)
    pool: int = option(100_000, "Others, which shooters compare with.", least=100)
    rounds: int = option(10, "The most rounds.", least=1)
    seed: int = option(20_091, "What all randomness derives from.", least=0)

    @property
    def shots(self) -> int:
        """Return the shots of a turn."""
        return 1 if self.rules == "classic" else SALVO


class Sample(NamedTuple):
    """Uniform layouts, (layouts, ships), and their features, (layouts, features)."""

    layouts: Indices
    described: Floats

    @classmethod
    def draw(cls, number: int, random: np.random.Generator) -> "Sample":
        """Draw some."""
        layouts = draw_layouts(number, random)
        parts = np.split(layouts, range(CHUNK, number, CHUNK))
        return cls(layouts, np.concatenate([features().of(part) for part in parts]))


class Answered(NamedTuple):
    """A strategy of one side, and its worth in shots against the best answer, with half its 95% CI.

    The placer's strategy is its scores, the shooter's how often it plays each shooter found by
    then.
    """

    strategy: Doubles
    worth: float
    error: float


class Found(NamedTuple):
    """The result of a search: the placer's distribution, and limits of its worth by round."""

    tilt: Tilt
    lows: list[float]
    highs: list[float]


def solve(gains: Doubles) -> tuple[Doubles, Doubles, float]:
    """Return the equilibrium of a zero-sum game: both players' mixtures, and its value.

    ``gains`` is what the player of the rows gains from the other, (rows, columns).
    """
    rows, columns = gains.shape
    # The most v such that a mixture of rows gains at least v against every column.
    found = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-gains.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=np.ones(1),
        bounds=[(0, None)] * rows + [(None, None)],
        method="highs",
    )
    assert found.success, found.message
    mixed = np.maximum(found.x[:-1], 0)
    against = np.maximum(-found.ineqlin.marginals, 0)
    return mixed / mixed.sum(), against / against.sum(), float(found.x[-1])


def slope_along(described: Floats, slope: Doubles, divergence: float) -> Doubles:
    """Return the multiple of some scores whose tilt is so far from uniform, in nats."""
    scores = (described @ slope.astype(np.float32)).astype(float)
    scores = np.minimum(scores, np.quantile(scores, 1 - CAPPED))
    low, high = 0.0, FARTHEST / max(float(scores.std()), 1e-9)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        near = divergence_of(np.exp(middle * (scores - scores.max()))) < divergence
        low, high = (middle, high) if near else (low, middle)
    return low * slope


def tilt_of(slope: Doubles, described: Floats) -> Tilt:
    """Return the tilt of some scores, its cap found on uniform layouts."""
    scores = (described @ slope.astype(np.float32)).astype(float)
    cap = float(np.quantile(scores, 1 - CAPPED))
    return Tilt(slope, cap, float(np.exp(np.minimum(scores, cap)).mean()))


def divergence_of(odds: Doubles) -> float:
    """Return how far from uniform a distribution with some odds is, in nats."""
    odds = odds / odds.mean()
    return float((odds * np.log(odds)).mean())


def best_answers(sample: Sample, odds: Doubles, taken: Doubles) -> list[Doubles]:
    """Return the placer's best answers, the fit close where it draws at present, by ``odds``."""
    weights = (1 + odds / odds.mean()) / 2
    total = weights.sum()
    described = sample.described.astype(float)
    centred = described - weights @ described / total
    weighted = centred * weights[:, None]
    square = weighted.T @ centred + RIDGE * np.eye(centred.shape[1])
    slope = np.linalg.solve(square, weighted.T @ (taken - weights @ taken / total))
    return [slope_along(sample.described, slope, divergence) for divergence in DIVERGENCES]


def search(args: Args) -> Found:
    """Return the placer's side of the equilibrium."""
    random = np.random.default_rng(args.seed)
    sample, pool = Sample.draw(args.layouts, random), Sample.draw(args.pool, random)
    slopes, odds = [np.zeros(len(features().names))], [np.ones(args.layouts)]
    taken = [_play(sample, PLAIN, args, random)]
    found = Found(tilt_of(slopes[0], sample.described), [], [])
    low = high = None
    for number in range(1, args.rounds + 1):
        mixed, against, value = solve(_means(odds, taken))
        # Halfway between the equilibrium and the best so far, what is played does not swing.
        slope = _halfway(mixed @ np.stack(slopes), low)
        against = _halfway(against, high)
        tilt, target = tilt_of(slope, sample.described), against @ np.stack(taken)
        known = tilt.odds(pool.described)
        taken.append(_play(sample, shooter_for(pool.layouts, known, compares=True), args, random))
        present = tilt.odds(sample.described)
        answers = best_answers(sample, present, target)
        slopes += [slope, *answers]
        odds += [
            present,
            *(tilt_of(one, sample.described).odds(sample.described) for one in answers),
        ]
        low = _better(low, _answered(slope, [present], taken, min), max)
        high = _better(high, _answered(against, odds, [target], max), min)
        found = Found(
            tilt_of(low.strategy, sample.described),
            [*found.lows, low.worth],
            [*found.highs, high.worth],
        )
        gap, error = high.worth - low.worth, float(np.hypot(low.error, high.error))
        say(
            f"round {number}: value {value:.3f}; at least {low.worth:.3f}, at most "
            f"{high.worth:.3f}, gap {gap:.3f} ± {error:.3f}; tried {divergence_of(present):.3f} "
            f"nats, as many layouts as {np.exp(-divergence_of(present)):.0%} of all"
        )
        if gap < error:
            break
    return found


def _halfway(strategy: Doubles, best: Answered | None) -> Doubles:
    if best is None:
        return strategy
    padded = np.pad(best.strategy, (0, len(strategy) - len(best.strategy)))
    return np.asarray((strategy + padded) / 2, float)


def _answered(
    strategy: Doubles,
    odds: Sequence[Doubles],
    taken: Sequence[Doubles],
    best: Callable[[Iterable[tuple[float, int, int]]], tuple[float, int, int]],
) -> Answered:
    """Return what a strategy is worth against the best answer: one of the placers or shooters."""
    means = _means(odds, taken)
    worth, row, column = best((float(means[at]), *at) for at in np.ndindex(means.shape))
    return Answered(strategy, worth, _error(odds[row], taken[column]))


def _better(best: Answered | None, new: Answered, choose: Callable[..., Answered]) -> Answered:
    return new if best is None else choose(best, new, key=lambda one: one.worth)


def _play(sample: Sample, shooter: Shooter, args: Args, random: np.random.Generator) -> Doubles:
    return worth(play(sample.layouts, shooter, args.shots, random), args.shots)


def _means(odds: Sequence[Doubles], taken: Sequence[Doubles]) -> Doubles:
    weights = np.stack(odds)
    return np.asarray(weights @ np.stack(taken).T / weights.sum(axis=1, keepdims=True), float)


def _error(odds: Doubles, taken: Doubles) -> float:
    weights = odds / odds.sum()
    away = taken - weights @ taken
    return 1.96 * float(np.sqrt((weights**2 * away**2).sum()))


def save(tilt: Tilt, name: str) -> None:
    """Write a distribution where ``place`` reads it."""
    rows = [*zip(features().names, tilt.scores.tolist(), strict=True)]
    rows += [(CAP, tilt.cap), (MEAN, tilt.mean)]
    write_rows(file_for(name), [[row, f"{value:.4f}"] for row, value in rows])


def main() -> None:
    """Search, and write the table anew."""
    args = parsed(Args, "Search for layouts that are found late.")
    save(search(args).tilt, args.rules)


if __name__ == "__main__":
    main()
