"""actor_critic comes within 5% of the optimum of small games."""

from collections.abc import Callable

import pytest

from arena import Bot
from arena.rules import preset, view
from benchmarks.games.solo_games import mean_over_every_layout


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
    load_bot: Callable[[str], type[Bot]], name: str, optimum: float
) -> None:
    bot = load_bot("actor_critic")()
    assert mean_over_every_layout(bot, preset(name)) <= 1.05 * optimum


def test_plays_what_it_was_trained_for_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("actor_critic")()
    assert bot.plays(view(preset("ramesh-2")))
    assert not bot.plays(view(preset("square-5-3")))
