"""stupid shoots anywhere."""

import statistics
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from arena.rules import preset

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_shoots_cells_again_where_that_is_allowed(play: Play) -> None:
    (game,) = play("stupid", replace(preset("ramesh-1"), reshoot=True))
    assert len(set(game.cells)) < len(game.cells)


def test_where_ships_stay_its_mean_is_the_law_of_the_coupon_collector(play: Play) -> None:
    # 16 (1 + 1/2 + 1/3 + 1/4) = 33.3; the standard error of 400 games is 0.95.
    games = play("stupid", replace(preset("ramesh-1"), reshoot=True), seeds=range(400))
    assert 30 <= statistics.mean(len(game.cells) for game in games) <= 37
