"""optimal plays small games in the least mean turns."""

from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import preset, view
from benchmarks.games.solo_games import every_layout, turns_at

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("row-5-3", 11),
        ("row-10-3", 36),
        ("square-5-3", 207),
        ("ramesh-1", 48),
        ("ramesh-2", 7174),
        ("ramesh-3", 85),
        ("ramesh-4", 27),
        ("ramesh-5", 606),
    ],
)
def test_takes_the_optimum_over_every_layout(
    load_bot: Callable[[str], type[Bot]], name: str, turns: int
) -> None:
    rules = preset(name)
    assert sum(turns_at(load_bot("optimal")(), rules, every_layout(rules))) == turns


def test_turns_the_board_by_the_seed(play: Play) -> None:
    games = play("optimal", preset("square-5-3"), seeds=range(40), layout=(0b111,))
    assert len({game.cells[0] for game in games}) > 1


def test_plays_what_it_can_solve_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("optimal")()
    assert not bot.plays(view(preset("classic")))
    assert not bot.plays(view(preset("silent")))
    assert bot.plays(view(preset("ramesh-2")))
