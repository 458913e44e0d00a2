"""How a bot did against each other: games, points, and how far these games move its Elo."""

import math
from types import SimpleNamespace
from typing import Any

import pandas as pd

from salvo.reports.tables.against_each import against_each

COLUMNS = (
    *("bot", "opponent", "games", "wins", "draws", "losses", "score"),
    *("predicted", "moved", "moved_low", "moved_high", "leans"),
)


def ratings(*rows: tuple[Any, ...]) -> Any:  # noqa: ANN401 - ratings as far as they are asked
    return SimpleNamespace(
        table=pd.DataFrame({"bot": ["top", "mid", "low"]}),
        pairings=pd.DataFrame(rows, columns=list(COLUMNS)),
    )


FEW = ("mid", "low", 4, 3, 0, 1, 0.75, math.nan, math.nan, math.nan, math.nan, False)
LEANS = ("mid", "top", 40, 10, 0, 30, 0.25, 0.4567, 120.4, 51.2, 190.6, True)
OTHER = ("low", "top", 4, 0, 0, 4, 0.0, 0.1, 1.0, -2.0, 3.0, False)


def test_opponents_stand_in_the_order_of_the_table() -> None:
    [table] = against_each(ratings(FEW, OTHER, LEANS), "mid")
    assert table.caption == "Against each"
    assert table.rows == [
        {
            "opponent": "top",
            "games": "40",
            "won": "10",
            "lost": "30",
            "points": "25.0%",
            "predicted": "45.7%",
            "moves its Elo by": "120 (51 to 191) !",
        },
        {
            "opponent": "low",
            "games": "4",
            "won": "3",
            "lost": "1",
            "points": "75.0%",
            "predicted": "-",
            "moves its Elo by": "-",
        },
    ]


def test_draws_have_a_column_where_there_are_any() -> None:
    drawn = ("mid", "low", 4, 2, 1, 1, 0.625, 0.5, -3.2, -9.0, 2.0, False)
    [table] = against_each(ratings(drawn, LEANS), "mid")
    assert [row["drawn"] for row in table.rows] == ["0", "1"]
    assert table.rows[1]["moves its Elo by"] == "-3 (-9 to 2)"


def test_what_surely_moves_a_rating_is_told_however_wide_its_interval_is() -> None:
    wide = ("mid", "low", 4, 4, 0, 0, 1.0, 0.9, 900.0, 400.0, 3000.0)
    told = [
        against_each(ratings((*wide, leans)), "mid")[0].rows[0]["moves its Elo by"]
        for leans in (True, False)
    ]
    assert told == ["900 (400 to 3000) !", "-"]


def test_who_met_nobody_has_no_table() -> None:
    assert against_each(ratings(FEW), "top") == against_each(None, "mid") == []
