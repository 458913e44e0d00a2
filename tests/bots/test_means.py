"""Means of so many games that a bot which shoots a little worse is noticed.

Fewer games, with wider bounds, are in the files of the bots.
"""

import statistics
from collections.abc import Callable

import pytest

from arena.records import Game
from arena.rules import preset

pytestmark = pytest.mark.long("means of many games; recorded shots are held to as well")


@pytest.mark.parametrize(
    ("bot", "rules_name", "games", "bounds"),
    [
        ("brute_force", "classic", 60, (41.6, 48.2)),
        # 62.36 +- 0.27 in 10,000 games; the standard error of 300 games is 0.81.
        ("hunt_target", "classic", 300, (60, 64.6)),
        # 44.5 in 12,000 games; the standard error of 60 games is 1.2.
        ("posterior_greedy", "classic", 60, (41.2, 47.8)),
        # 10.5 in 600 games; the standard error of 40 games is 0.28.
        ("posterior_greedy", "salvo", 40, (9.8, 11.2)),
        # 44.1 in 12,000 games; the standard error of 60 games is 1.1.
        ("posterior_parity", "classic", 60, (41, 47.2)),
        ("posterior_parity", "salvo", 40, (9.7, 11.3)),
        # 44.58 +- 0.18 in 10,000 games; the standard error of 500 games is 0.42.
        ("probability_density", "classic", 500, (43.2, 46)),
        ("probability_density", "salvo", 300, (10.8, 11.5)),
        # k (N + 1) / (k + 1) with k = 17 of N = 100 cells; the standard error is 0.16.
        ("uniform_random", "classic", 1000, (17 * 101 / 18 - 0.6, 17 * 101 / 18 + 0.6)),
    ],
)
def test_turns(
    mean_turns: Callable[..., float],
    bot: str,
    rules_name: str,
    games: int,
    bounds: tuple[float, float],
) -> None:
    low, high = bounds
    assert low <= mean_turns(bot, rules_name, games) <= high


@pytest.mark.parametrize(
    ("rules_name", "games", "low", "high"),
    [
        # 48.7 +- 0.2 in 1,000 games; the standard error of 100 games is 0.35.
        ("afp-immovable", 100, 47.4, 50),
        # 60 +- 1 in 1,000 games, some of them very long; the standard error of 60 games is 2.2.
        ("afp", 60, 52, 72),
    ],
)
def test_shots_of_clever(
    referee: Callable[..., list[Game]], rules_name: str, games: int, low: float, high: float
) -> None:
    played = referee("clever", preset(rules_name), seeds=range(games), solo=True)
    assert low <= statistics.mean(game.tallies[0].shots for game in played) <= high
