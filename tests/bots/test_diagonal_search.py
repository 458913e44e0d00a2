"""diagonal_search finds a ship by diagonals, learns which way it lies, then goes outwards."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from arena import Bot
from arena.rules import Rules, Ship, mask_of, placements, preset, view
from bots.diagonal_search import DiagonalSearch

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
    ("rows", "columns", "length", "turns"),
    [
        (5, 5, 3, 222),
        (10, 10, 3, 3283),
        (7, 4, 4, 180),
        (4, 9, 2, 678),
        (6, 6, 5, 217),
        (2, 2, 2, 12),
    ],
)
def test_after_the_first_hit_two_shots_at_most_miss_and_then_two_more(
    play: Play, rows: int, columns: int, length: int, turns: int
) -> None:
    rules = Rules(name="one", rows=rows, columns=columns, fleet=(Ship("ship", length),))
    games = games_over_every_layout(play, rules)
    for game in games:
        first_hit = next(i for i, salvo in enumerate(game.salvos) if salvo.report.hits)
        assert len(game.salvos) <= first_hit + length + 3
    assert sum(len(game.salvos) for game in games) == turns


def test_one_shot_decides_beside_an_edge(play: Play) -> None:
    rules = preset("square-5-3")
    (game,) = play("diagonal_search", rules, layout=[mask_of([2, 7, 12])])
    assert game.cells == [2, 7, 12]


@pytest.mark.parametrize("rules_name", ["classic", "row-10-3", "ramesh-4", "ramesh-5"])
def test_declines_what_is_no_board_with_one_ship_and_one_shot(
    load_bot: Callable[[str], type[Bot]], rules_name: str
) -> None:
    assert not load_bot("diagonal_search")().plays(view(preset(rules_name)))


@pytest.mark.parametrize(
    ("rows", "columns", "length", "plays"),
    [(1, 9, 1, False), (9, 1, 1, False), (2, 2, 2, True), (2, 9, 3, False), (9, 2, 3, False),
     (3, 9, 3, True)],
)  # fmt: skip
def test_plays_where_the_ship_fits_both_ways(
    *, rows: int, columns: int, length: int, plays: bool
) -> None:
    rules = Rules(name="one", rows=rows, columns=columns, fleet=(Ship("ship", length),))
    assert DiagonalSearch().plays(view(rules)) == plays
