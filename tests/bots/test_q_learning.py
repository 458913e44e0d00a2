"""q_learning shoots better than hunting and targeting, whatever the board and without the fleet."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena import Bot
from arena.rules import PRESETS, Rules, Ship, preset, view
from arena.rules.presets import STANDARD_FLEET
from bots.q_learning.bot import QLearning
from bots.tactics.learned.q_table import QTable
from bots.tactics.learned.weight_files import Origin


def test_takes_at_most_64_moves_against_an_unknown_fleet(mean_turns: Callable[..., float]) -> None:
    # Their hunt and target took 64, their Q-learning 90.
    assert mean_turns("q_learning", "unknown", 60) <= 62


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
    games = play("q_learning", rules, seeds=range(20))
    assert sum(len(game.cells) for game in games) / 20 < 0.75 * random_turns


def test_plays_wherever_cells_are_told_for_good(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("q_learning")()
    refused = {name for name, (rules, _) in PRESETS.items() if not bot.plays(view(rules))}
    assert refused == {"paper", "afp"}
    assert bot.plays(view(preset("classic")))


def by_heart(rows: int = 2, columns: int = 3) -> QLearning:
    """Return a bot that knows by heart that cell 4 is best at first, then 2 once that is hit."""
    memory = QTable(6)
    memory.learn(memory.start, 4, 9.0, 1.0)
    memory.learn(memory.start, 1, 8.0, 1.0)
    memory.learn(memory.after(memory.start, 4, hit=True), 2, 7.0, 1.0)
    bot = QLearning.__new__(QLearning)
    bot.arrays = memory.arrays()
    bot.origin = Origin(
        command="", seed=1, date="", code="", games=1, rows=rows, columns=columns, shots=0
    )
    return bot


@pytest.mark.parametrize(
    ("shot", "hits", "count", "cells"),
    [
        ([], [], 1, [4]),
        ([], [], 3, [4, 1, 5]),
        ([4], [4], 1, [2]),
        ([4], [], 1, [5]),  # not met: its last cell
        ([4], [4], 2, [2, 5]),
        ([0, 1, 2, 3, 4], [4], 1, [5]),
    ],
)
def test_what_is_known_by_heart_is_shot_first(
    shot: list[int], hits: list[int], count: int, cells: list[int]
) -> None:
    bot = by_heart()
    bot.rules = view(Rules(name="small", rows=2, columns=3, fleet=(Ship("two", 2),)))
    bot.shot, bot.hits, bot.random = shot, hits, Random(1)
    bot.game_begins()
    assert bot.choose_shots(count) == cells


@pytest.mark.parametrize(
    ("rows", "columns", "lies", "plays"),
    [(2, 3, 0, True), (3, 2, 0, False), (2, 4, 0, False), (2, 3, 1, True)],
)
def test_what_is_known_by_heart_is_known_of_one_size_of_board(
    *, rows: int, columns: int, lies: int, plays: bool
) -> None:
    rules = Rules(name="small", rows=rows, columns=columns, fleet=(Ship("two", 2),), lies=lies)
    assert by_heart().plays(view(rules)) == plays


def test_of_cells_that_look_alike_any_is_shot() -> None:
    bot = QLearning()
    bot.rules = view(Rules(name="square", rows=3, columns=3, fleet=(Ship("two", 2),)))
    bot.shot, bot.hits = [4], []
    chosen = set()
    for seed in range(30):
        bot.random = Random(seed)
        bot.game_begins()
        chosen.update(bot.choose_shots(1))
        assert len(set(bot.choose_shots(4))) == 4
        assert sorted(bot.choose_shots(8)) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert chosen in ({0, 2, 6, 8}, {1, 3, 5, 7})
