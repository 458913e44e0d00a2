"""actor_critic comes within 5% of the optimum of small games."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import placements, preset, view


@pytest.mark.parametrize(
    ("name", "optimum"),
    [
        ("row-10-3", 4.5),
        ("ramesh-1", 6.0),
        ("ramesh-3", 3.5417),
        ("ramesh-4", 3.375),
        ("ramesh-5", 5.05),
    ],
)
def test_comes_within_5_percent_of_the_optimum(
    play: Callable[..., list[Any]], name: str, optimum: float
) -> None:
    rules = preset(name)
    places = [placements(rules.rows, rules.columns, ship.length) for ship in rules.fleet]
    turns = [
        len(play("actor_critic", rules, layout=layout)[0].salvos)
        for layout in itertools.product(*places)
        if sum(layout).bit_count() == sum(ship.length for ship in rules.fleet)
    ]
    assert sum(turns) / len(turns) <= 1.05 * optimum


def test_plays_what_it_was_trained_for_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("actor_critic")()
    assert bot.plays(view(preset("ramesh-2")))
    assert not bot.plays(view(preset("square-5-3")))
