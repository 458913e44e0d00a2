"""ramesh plays the source's five cases no worse than the source's agent."""

from collections.abc import Callable

import pytest

from arena import Bot
from arena.rules import preset, view
from benchmarks.games.solo_games import mean_over_every_layout


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("ramesh-1", 6.3), ("ramesh-3", 4.6), ("ramesh-4", 4.9), ("ramesh-5", 7.1)],
)
def test_plays_no_worse_than_the_sources_agent(
    load_bot: Callable[[str], type[Bot]], name: str, theirs: float
) -> None:
    assert mean_over_every_layout(load_bot("ramesh")(), preset(name)) <= theirs


def test_plays_what_it_was_trained_for_alone(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("ramesh")()
    assert all(bot.plays(view(preset(f"ramesh-{case}"))) for case in range(1, 6))
    assert not bot.plays(view(preset("row-10-3")))
    assert not bot.plays(view(preset("salvo")))
