"""monte_carlo draws only layouts that are possible."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.rules import Rules, Ship, mask_of

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_never_shoots_where_no_ship_can_lie(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("three", 3),))
    for game in play("monte_carlo", rules, seeds=range(10), layout=[mask_of([26, 27, 28])]):
        hits = [i for i, cell in enumerate(game.cells) if cell in {26, 27, 28}]
        assert all(cell // 8 == 3 for cell in game.cells[hits[1] :])


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 44.9 or so; the standard error of 60 games is 1.2.
    assert 41.6 <= mean_turns("monte_carlo", "classic", 60) <= 48.2
