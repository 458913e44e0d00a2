"""diagonal_search finds a ship by diagonals, learns which way it lies, then goes outwards."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import Rules, Ship, mask_of, placements, preset, view

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def games_over_every_layout(play: Play, rules: Rules) -> list[Any]:
    places = placements(rules.rows, rules.columns, rules.fleet[0].length)
    return [play("diagonal_search", rules, layout=[place])[0] for place in places]


def test_square_has_two_peaks(play: Play) -> None:
    turns = Counter(
        len(game.salvos) for game in games_over_every_layout(play, preset("square-5-3"))
    )
    assert turns == {3: 1, 4: 2, 5: 5, 6: 3, 7: 4, 8: 4, 9: 5, 10: 4, 11: 1, 12: 1}


@pytest.mark.parametrize(
    ("rows", "columns", "length"), [(5, 5, 3), (10, 10, 3), (7, 4, 4), (4, 9, 2), (6, 6, 5)]
)
def test_after_the_first_hit_two_shots_at_most_miss_and_then_two_more(
    play: Play, rows: int, columns: int, length: int
) -> None:
    rules = Rules(name="one", rows=rows, columns=columns, fleet=(Ship("ship", length),))
    for game in games_over_every_layout(play, rules):
        first_hit = next(i for i, salvo in enumerate(game.salvos) if salvo.report.hits)
        assert len(game.salvos) <= first_hit + length + 3


def test_one_shot_decides_beside_an_edge(play: Play) -> None:
    rules = preset("square-5-3")
    (game,) = play("diagonal_search", rules, layout=[mask_of([2, 7, 12])])
    assert game.cells == [2, 7, 12]


@pytest.mark.parametrize("rules_name", ["classic", "row-10-3", "ramesh-4", "ramesh-5"])
def test_declines_what_is_no_board_with_one_ship_and_one_shot(
    load_bot: Callable[[str], type[Bot]], rules_name: str
) -> None:
    assert not load_bot("diagonal_search")().plays(view(preset(rules_name)))
