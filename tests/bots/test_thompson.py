"""thompson draws layouts that agree with the answers."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from arena import Bot
from arena.rules import Rules, Ship, mask_of, preset

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


@pytest.mark.long("a mean of many games")
def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # The source's mean is 45.89; the standard error of 60 games is 1.2.
    assert 42.6 <= mean_turns("thompson", "classic", 60) <= 49.2


def test_never_leaves_the_line_of_the_only_ship(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("three", 3),))
    layout = [mask_of([26, 27, 28])]
    for game in play("thompson", rules, seeds=range(10), layout=layout):
        hits = [i for i, cell in enumerate(game.cells) if cell in {26, 27, 28}]
        assert all(cell // 8 == 3 for cell in game.cells[hits[1] :])


def test_smaller_blocks_play_other_games(
    load_bot: Callable[[str], Callable[..., Bot]], play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = play("thompson", preset("classic"), seeds=[1])
    bot = load_bot("thompson")
    monkeypatch.setattr(bot.__init__, "__defaults__", (100,))  # type: ignore[misc]
    assert play("thompson", preset("classic"), seeds=[1]) != usual


def test_takes_the_lowest_of_equal_cells(play: Play) -> None:
    rules = Rules(
        name="all alike", rows=1, columns=6, fleet=tuple(Ship(f"{n}", 1) for n in "abcdef")
    )
    (game,) = play("thompson", rules, seeds=[1], layout=[1 << cell for cell in range(6)])
    assert all(one < two for one, two in pairwise(game.cells))
