"""Tests the table of who beats whom: points, and how many games stand behind them."""

from collections.abc import Callable, Sequence

import pandas as pd
import pytest

from leaderboards import rate
from leaderboards.display import html_page
from leaderboards.display.matrix import Matrix, matrix_of
from tests.leaderboards.told_games import games, ladder

GamesOf = Callable[[Sequence[tuple[str, str, str, int]]], pd.DataFrame]

EVEN = [
    *[("a", "b", "first", pair) for pair in range(3)],
    ("b", "a", "first", 3),
    *[("b", "c", "draw", pair) for pair in range(4)],
]


@pytest.fixture
def matrix(games_of: GamesOf) -> Callable[..., Matrix]:
    return lambda games: matrix_of(rate(games_of(games)))


def test_cell_has_the_points_of_the_row_against_the_column(
    matrix: Callable[..., Matrix],
) -> None:
    found = matrix(EVEN)
    a, b = found.bots.index("a"), found.bots.index("b")
    cell, back = found.rows[a][b], found.rows[b][a]
    assert cell is not None
    assert back is not None
    assert (cell.points, back.points) == ("75", "25")
    assert cell.title.startswith("a against b: won 3, lost 1 of 4 games, 75.0% of the points")


def test_title_of_a_cell_has_what_there_is_to_tell(games_of: GamesOf) -> None:
    one_game = rate(games_of([("a", "b", "first", 0)]), prior=None)
    cell = matrix_of(one_game).rows[0][1]
    assert cell is not None
    assert cell.title == "a against b: won 1, lost 0 of 1 game, 100.0% of the points"
    drawn = matrix_of(rate(games_of([("a", "b", "draw", 0), ("b", "a", "draw", 0)]))).rows[0][1]
    assert drawn is not None
    assert drawn.title == (
        "a against b: won 0, drew 2, lost 0 of 2 games, 50.0% of the points; 50.0% predicted"
    )


@pytest.mark.parametrize(("bots", "wide"), [(7, False), (8, True)])
def test_table_of_more_than_seven_bots_is_wide(bots: int, *, wide: bool) -> None:
    ratings = rate(games(ladder(bots, 2)))
    assert matrix_of(ratings).wide == wide
    # The chart beside it is as wide.
    assert html_page.html(ratings=ratings).count('<div class="wide">') == 2 * wide


def test_bots_that_never_met_have_no_cell(matrix: Callable[..., Matrix]) -> None:
    found = matrix(EVEN)
    assert found.rows[found.bots.index("a")][found.bots.index("c")] is None
    assert all(found.rows[place][place] is None for place in range(3))


def test_games_are_told_once_where_they_are_equal(matrix: Callable[..., Matrix]) -> None:
    assert "(4 games a cell;" in matrix(EVEN).caption


def test_games_stand_in_each_cell_where_they_differ(games_of: GamesOf) -> None:
    games = games_of([*EVEN, ("b", "a", "first", 4)])
    assert matrix_of(rate(games)).games is None
    text = html_page.html(ratings=rate(games))
    assert "(the number of games below;" in text
    assert text.count("<small>5</small>") == text.count("<small>4</small>") == 2


def test_bold_cells_are_those_of_bots_that_are_surely_better(games_of: GamesOf) -> None:
    wins = [("a", "b", "first", pair) for pair in range(30)]
    draws = [("b", "c", "draw", pair) for pair in range(30)]
    ratings = rate(games_of([*wins, ("a", "b", "second", 30), *draws]))
    found = matrix_of(ratings)
    for row, bot in zip(found.rows, found.bots, strict=True):
        for cell, other in zip(row, found.bots, strict=True):
            if cell is not None:
                assert cell.sure == ratings.sure.loc[bot, other]
                assert cell.sure == cell.title.endswith("; surely better (95%)")
    text = html_page.html(ratings=ratings)
    assert text.count("<b>97</b>") == 1
    assert "<b>50</b>" not in text


def test_rows_have_the_ranks_of_the_table(games_of: GamesOf) -> None:
    ratings = rate(
        games_of([("a", "b", "draw", 0), ("a", "c", "first", 0), ("b", "c", "first", 0)])
    )
    assert list(matrix_of(ratings).ranks) == list(ratings.table["rank"]) == [1, 1, 3]


@pytest.mark.parametrize(
    ("result", "ground"), [("first", "#6f9df2"), ("draw", "#eceef1"), ("second", "#ee8a4e")]
)
def test_colour_goes_from_losing_to_winning(
    matrix: Callable[..., Matrix], result: str, ground: str
) -> None:
    found = matrix([("a", "b", result, 0), ("a", "b", result, 1)])
    cell = found.rows[found.bots.index("a")][found.bots.index("b")]
    assert cell is not None
    assert cell.colour == ground
