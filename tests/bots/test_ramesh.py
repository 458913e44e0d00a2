"""ramesh plays the source's five cases no worse than the source's agent."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import placements, preset, view


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("ramesh-1", 6.3), ("ramesh-3", 4.6), ("ramesh-4", 4.9), ("ramesh-5", 7.1)],
)
def test_plays_no_worse_than_the_sources_agent(
    play: Callable[..., list[Any]], name: str, theirs: float
) -> None:
    rules = preset(name)
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    turns = [
        len(play("ramesh", rules, layout=layout)[0].salvos)
        for layout in itertools.product(*places)
        if sum(layout).bit_count() == sum(ship.length for ship in rules.fleet)
    ]
    assert sum(turns) / len(turns) <= theirs


def test_plays_what_it_was_trained_for_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("ramesh")()
    assert all(bot.plays(view(preset(f"ramesh-{case}"))) for case in range(1, 6))
    assert not bot.plays(view(preset("row-10-3")))
    assert not bot.plays(view(preset("salvo")))
