"""Means of two distributions from games at layouts of both."""

import numpy as np

from benchmarks.games.estimates import estimate
from benchmarks.games.weighted import compared, less, share_won

# Layouts 0, 1, 2: equally likely, or by these odds.
ODDS = np.array([0.5, 1.0, 1.5])
COST = np.array([40.0, 45.0, 48.0])


def drawn(number: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    first = random.choice(3, size=number)
    return np.concatenate([first, random.choice(3, size=number, p=ODDS / 3)])


def test_both_means_and_their_difference_are_found() -> None:
    layouts = drawn(4000, 1)
    values = COST[layouts] + np.random.default_rng(2).normal(0, 8, size=len(layouts))
    found = compared(values, ODDS[layouts])
    for part, wanted in zip(found, (133 / 3, 137 / 3, 4 / 3), strict=True):
        assert abs(part.value - wanted) < 1.6 * part.half


def test_the_difference_is_sharper_than_that_of_separate_means() -> None:
    layouts = drawn(1000, 3)
    values = COST[layouts] + np.random.default_rng(4).normal(0, 8, size=len(layouts))
    found = compared(values, ODDS[layouts])
    apart = less(estimate(values[1000:]), estimate(values[:1000]))
    assert found.gain.half < 0.6 * apart.half


def test_intervals_hold_the_truth() -> None:
    held = 0
    for seed in range(200):
        layouts = drawn(100, seed)
        values = COST[layouts] + np.random.default_rng(seed).normal(0, 8, size=len(layouts))
        gain = compared(values, ODDS[layouts]).gain
        held += abs(gain.value - 4 / 3) < gain.half
    assert 180 <= held <= 199


def test_a_match_is_won_as_often_as_by_games_between_the_two() -> None:
    number, random = 20_000, np.random.default_rng(5)
    uniform, ours = random.choice(3, size=number), random.choice(3, size=number, p=ODDS / 3)
    swapped = np.arange(number) % 2 == 0
    one, two = np.where(swapped, ours, uniform), np.where(swapped, uniform, ours)
    chance = 0.5 + (COST[one] - COST[two]) / 40
    scores = (random.random(number) < chance).astype(float)
    found = share_won(scores, ODDS[one], ODDS[two])
    assert abs(found.value - (0.5 + 4 / 3 / 40)) < 1.6 * found.half
    assert found.half < 0.5 * estimate(scores).half
