"""Tests the choice of games that a report shows to be watched."""

import math
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from leaderboards import rate
from salvo.reports.pages.featured_games import FeaturedGame, featured_games

COLUMNS = [
    *("id", "first", "second", "result", "first_hits", "second_hits"),
    *("first_turns", "second_turns", "first_shots", "second_shots", "forfeit", "termination"),
    "pair",
]
NOBODY = pd.DataFrame(columns=COLUMNS)


def games(*rows: tuple[object, ...]) -> pd.DataFrame:
    """Return games of which id, seats, result and hits are given, and perhaps turns and an end."""
    usual = (None, None, None, None, 17, 9, 10, 10, 50, 50, None, "sunk")
    filled = [(*row, *usual[len(row) :], place // 2) for place, row in enumerate(rows)]
    return pd.DataFrame(filled, columns=COLUMNS)


def of_two(table: pd.DataFrame) -> dict[str, FeaturedGame]:
    return {game.key: game for game in featured_games(table, NOBODY, rate(table), [])}


FIELD = games(
    ("a", "best", "worst", "first", 17, 16),
    ("b", "worst", "best", "second", 0, 17),
    ("c", "best", "second", "first", 17, 9),
    ("d", "second", "best", "first", 17, 14),
    ("e", "best", "second", "first", 17, 9, 19, 18),
    ("f", "second", "best", "second", 3, 17),
    ("g", "second", "worst", "first", 17, 3),
    ("h", "worst", "second", "first", 17, 16),
    ("i", "second", "worst", "first", 17, 3),
    ("j", "worst", "second", "second", 3, 17),
)


def test_closest_game_is_one_of_the_two_best_that_met() -> None:
    closest = of_two(FIELD)["closest"]
    assert closest.id == "d"
    assert closest.why == (
        "The two stand highest in the table of those that met, and ended 3 hits apart."
    )


def test_longest_game_is_the_one_of_most_turns() -> None:
    longest = of_two(FIELD)["longest"]
    assert (longest.id, "19 turns" in longest.why) == ("e", True)


def test_upset_is_the_win_that_was_expected_least() -> None:
    upset = of_two(FIELD)["upset"]
    assert (upset.id, "points against second" in upset.why) == ("h", True)


@pytest.mark.parametrize(
    ("predicted", "told"),
    [
        (0.009, "less than 1%"),
        (0.01, "1%"),
        (0.4, "40%"),
        (0.499, "50%"),
        (0.5, None),
        (math.nan, None),
    ],
)
def test_win_against_the_ratings_is_an_upset(predicted: float, told: str | None) -> None:
    pairings = pd.DataFrame([("one", "two", predicted)], columns=["bot", "opponent", "predicted"])
    table = pd.DataFrame({"bot": ["two", "one"]})
    ratings: Any = SimpleNamespace(pairings=pairings, table=table)
    played = games(*[(name, "one", "two", "first", 17, 16) for name in "abc"])
    found = {game.key: game for game in featured_games(played, NOBODY, ratings, [])}
    assert found["closest"].why.endswith(" and ended 1 hit apart.")
    if told is None:
        assert "upset" not in found
    else:
        assert found["upset"].why == (
            f"one won, though its rating gives it {told} of the points against two."
        )


def test_no_upset_where_the_better_bot_always_won() -> None:
    assert "upset" not in of_two(FIELD[FIELD["id"].isin(["a", "b", "c", "f"])])


@pytest.mark.parametrize(
    ("shots", "kind", "keys"),
    [(9, "timeout", {"forfeit"}), (0, "unstarted", set()), (9, "barred", set())],
)
def test_forfeit_is_shown_where_there_is_something_to_see(
    shots: int, kind: str, keys: set[str]
) -> None:
    lost = games(("a", "one", "two", "second", 3, 3, 2, 2, shots, 0, "first", kind))
    assert set(of_two(lost)) == keys


def test_no_game_is_shown_twice() -> None:
    shown = [game.id for game in featured_games(FIELD, NOBODY, rate(FIELD), [])]
    assert len(shown) == len(set(shown)) == 3
    one = FIELD[:1]
    assert [game.key for game in featured_games(one, NOBODY, rate(one), [])] == ["closest"]


def test_solo_game_is_one_of_median_length_of_the_best() -> None:
    rows = [("a", "best", 70), ("b", "best", 40), ("c", "best", 55), ("d", "best", 99)]
    solo = pd.DataFrame(
        [(*row, None) for row in [*rows, ("e", "other", 30)]],
        columns=["id", "first", "first_shots", "forfeit"],
    )
    [chosen] = featured_games(NOBODY, solo, None, ["best", "other"])
    assert (chosen.id, "55 shots" in chosen.why) == ("c", True)
