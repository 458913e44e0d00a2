"""optimal_row finds a ship in a row by one class of cells, then goes outwards."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import Rules, Ship, placements, preset, view

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def turns_over_every_layout(play: Play, rules: Rules) -> Counter[int]:
    places = placements(rules.rows, rules.columns, rules.fleet[0].length)
    (games,) = zip(*(play("optimal_row", rules, layout=[place]) for place in places), strict=True)
    return Counter(len(game.salvos) for game in games)


def test_row_of_five_takes_three_turns_or_four(play: Play) -> None:
    assert turns_over_every_layout(play, preset("row-5-3")) == {3: 1, 4: 2}


def test_row_of_ten_takes_four_and_a_half_turns(play: Play) -> None:
    assert turns_over_every_layout(play, preset("row-10-3")) == {3: 1, 4: 3, 5: 3, 6: 1}


def test_column_is_a_row(play: Play) -> None:
    column = Rules(name="column", rows=10, columns=1, fleet=preset("row-10-3").fleet)
    assert turns_over_every_layout(play, column) == {3: 1, 4: 3, 5: 3, 6: 1}


def test_never_tries_two_cells_of_one_class_of_the_row_before_a_hit(play: Play) -> None:
    rules = Rules(name="long", rows=1, columns=22, fleet=(Ship("cruiser", 4),))
    (game,) = play("optimal_row", rules, layout=[0b1111 << 18])
    assert game.cells[:5] == [3, 7, 11, 15, 19]


@pytest.mark.parametrize("rules_name", ["classic", "square-5-3", "ramesh-1", "afp"])
def test_declines_what_is_no_row_with_one_ship(
    load_bot: Callable[[str], type[Bot]], rules_name: str
) -> None:
    assert not load_bot("optimal_row")().plays(view(preset(rules_name)))
