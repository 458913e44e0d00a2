"""uniform_random shoots every untried cell with the same probability."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena.rules import Rules, Ship, preset

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


SINGLE = Rules(name="single", rows=2, columns=5, fleet=(Ship("dinghy", 1),))


def test_mean_is_the_law_of_random_shooting(mean_turns: Callable[..., float]) -> None:
    # k (N + 1) / (k + 1) with k = 17 of N = 100 cells; the standard error of 300 games is 0.29.
    assert mean_turns("uniform_random", "classic", 300) == pytest.approx(17 * 101 / 18, abs=1)


def test_salvo_takes_about_nineteen_turns(mean_turns: Callable[..., float]) -> None:
    assert 19.2 <= mean_turns("uniform_random", "salvo", 300) <= 19.6


def test_first_shot_is_uniform(play: Play) -> None:
    games = play("uniform_random", SINGLE, seeds=range(2000), layout=[1])
    first = Counter(game.cells[0] for game in games)
    # 200 each are expected, with a standard deviation of 13.4.
    assert sorted(first) == list(range(10))
    assert all(140 <= number <= 260 for number in first.values())


def test_salvo_has_different_cells(play: Play) -> None:
    for game in play("uniform_random", preset("salvo"), seeds=range(20)):
        assert len(set(game.cells)) == len(game.cells)
