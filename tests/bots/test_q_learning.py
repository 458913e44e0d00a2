"""q_learning shoots better than hunting and targeting, whatever the board and without the fleet."""

from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import PRESETS, Rules, preset, view
from arena.rules.presets import STANDARD_FLEET


def test_takes_at_most_64_moves_against_an_unknown_fleet(mean_turns: Callable[..., float]) -> None:
    # Their hunt and target took 64, their Q-learning 90.
    assert mean_turns("q_learning", "unknown", 150) <= 62


@pytest.mark.parametrize(("side", "random_turns"), [(8, 61.4), (12, 137.0)])
def test_what_it_learned_holds_on_other_boards(
    play: Callable[..., list[Any]], side: int, random_turns: float
) -> None:
    rules = Rules(
        name="other",
        rows=side,
        columns=side,
        fleet=STANDARD_FLEET,
        fleet_known=False,
        sinkings="silent",
    )
    games = play("q_learning", rules, seeds=range(40))
    assert sum(len(game.cells) for game in games) / 40 < 0.75 * random_turns


def test_plays_wherever_cells_are_told_for_good(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("q_learning")()
    refused = {name for name, (rules, _) in PRESETS.items() if not bot.plays(view(rules))}
    assert refused == {"paper", "afp"}
    assert bot.plays(view(preset("classic")))
