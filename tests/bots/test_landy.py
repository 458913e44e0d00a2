"""landy plays a row of 10 as the source's agent does."""

from collections.abc import Callable
from typing import Any

from arena import Bot
from arena.rules import placements, preset, view

ROW = preset("row-10-3")


def test_its_greedy_play_is_near_the_optimum(play: Callable[..., list[Any]]) -> None:
    turns = [len(play("landy", ROW, layout=[place])[0].cells) for place in placements(1, 10, 3)]
    assert sum(turns) / len(turns) <= 4.75


def test_plays_what_it_was_trained_for_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("landy")()
    assert bot.plays(view(ROW))
    assert not bot.plays(view(preset("row-5-3")))
    assert not bot.plays(view(preset("classic")))
