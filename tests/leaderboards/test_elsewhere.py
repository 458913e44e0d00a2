"""Games that somebody else recorded: understood, or refused in one line."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from leaderboards import LeaderboardError, rate
from leaderboards.elsewhere import games_from_elsewhere


def table(**columns: object) -> pd.DataFrame:
    usual: dict[str, object] = {
        "first": ["a", "b", "a", "b"],
        "second": ["b", "a", "b", "a"],
        "result": ["first", "second", "second", "draw"],
        "pair": [0, 0, 1, 1],
    }
    given = {**usual, **columns}
    return pd.DataFrame({name: cells for name, cells in given.items() if cells is not None})


def games_of(**columns: object) -> list[tuple[Any, ...]]:
    games = games_from_elsewhere(table(**columns))
    return list(games[["first", "second", "result"]].itertuples(index=False, name=None))


@pytest.mark.parametrize(
    "won",
    [
        [1, 0, 0, 0.5],
        ["1", "0", "0", "0.5"],
        pd.array([1.0, 0.0, 0.0, 0.5], dtype="Float64"),
    ],
)
def test_who_won_may_be_a_number(won: object) -> None:
    assert games_of(result=None, first_won=won) == games_of()


@pytest.mark.parametrize(
    "won",
    [
        [True, False, False, True],
        ["True", "false", "FALSE", "true"],
        pd.array([True, False, False, True], dtype="boolean"),
        pd.Categorical([1, 0, 0, 1]),
        np.array([1, 0, 0, 1], dtype=np.int8),
    ],
)
def test_who_won_may_be_a_truth_value_of_any_type(won: object) -> None:
    assert [row[2] for row in games_of(result=None, first_won=won)] == [
        *("first", "second", "second", "first")
    ]


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (pd.Categorical(list("abab")), pd.Categorical(list("baba")), {"a", "b"}),
        (pd.array(list("abab"), dtype="string"), list("baba"), {"a", "b"}),
        ([1, 2, 1, 2], [2, 1, 2, 1], {"1", "2"}),
        (["NA", "nan", "NA", "nan"], ["nan", "NA", "nan", "NA"], {"NA", "nan"}),
        ([" a", "b ", "a", "b"], list("baba"), {"a", "b"}),
        (["=1+1", "b", "=1+1", "b"], ["b", "=1+1", "b", "=1+1"], {"=1+1", "b"}),
    ],
)
def test_names_of_any_type_are_text(first: object, second: object, names: set[str]) -> None:
    games = games_from_elsewhere(table(first=first, second=second))
    assert set(games["first"]) | set(games["second"]) == names
    assert set(rate(games).table["bot"]) == names


@pytest.mark.parametrize(
    "pairs", [["x", "x", "y", "y"], [1.0, 1.0, 7.5, 7.5], pd.array([9, 9, 2, 2], dtype="Int64")]
)
def test_pairs_may_have_ids_of_any_kind(pairs: object) -> None:
    plain, other = games_from_elsewhere(table()), games_from_elsewhere(table(pair=pairs))
    assert rate(other).table.equals(rate(plain).table)


def test_pairs_may_be_left_out() -> None:
    games = games_from_elsewhere(table(pair=None))
    assert "pair" not in games
    assert rate(games).table["games"].tolist() == [4, 4]


def test_forfeits_are_taken_over() -> None:
    games = games_from_elsewhere(table(forfeit=[None, "first", float("nan"), ""]))
    assert rate(games).table["forfeits"].sum() == 1


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"first": None}, "the column 'first' is missing, it has 'second', 'result', 'pair'"),
        ({"result": None}, "a column 'result' or 'first_won' is missing"),
        ({"first_won": [1, 0, 0, 1]}, "'result' and 'first_won' are both there"),
        ({"pair": ["x", "x", "x", "x"]}, "pair x of 'a' and 'b' has 4 games"),
        ({"pair": [0, 0, None, 1]}, "column 'pair' lacks 1 of its 4 values"),
        ({"first": ["a", None, "a", "b"]}, "column 'first' lacks 1 of its 4 names"),
        ({"first": ["a", "", "a", "b"]}, "column 'first' lacks 1 of its 4 names"),
        ({"second": ["b", "b", "b", "a"]}, "bot 'b' plays itself"),
        ({"result": ["1-0", "first", "first", "first"]}, "holds '1-0'; use one of 'first'"),
        ({"result": None, "first_won": [1, 0, 2, 1]}, "'first_won' holds '2'"),
        ({"result": None, "first_won": [1, 0, None, 1]}, "'first_won' holds ''"),
        ({"forfeit": ["second", "b", None, None]}, "'forfeit' holds 'b'"),
        ({"first": [["a"], "b", "a", "b"]}, r"column 'first' holds \['a'\]; give text"),
    ],
)
def test_what_cannot_be_understood_is_refused_in_one_line(
    columns: dict[str, object], told: str
) -> None:
    with pytest.raises(LeaderboardError, match=told) as refusal:
        games_from_elsewhere(table(**columns))
    assert "\n" not in str(refusal.value)


def test_two_columns_of_one_name_are_refused() -> None:
    twice = pd.concat([table(), table()[["result"]]], axis=1)
    with pytest.raises(LeaderboardError, match="two columns are called 'result'"):
        games_from_elsewhere(twice)


def test_table_without_rows_is_refused() -> None:
    with pytest.raises(LeaderboardError, match="no rows"):
        games_from_elsewhere(table().iloc[:0])


def test_solo_games_in_a_table_that_salvo_wrote_are_left_out() -> None:
    table = pd.DataFrame(
        {"first": ["a", "a"], "second": ["b", None], "result": "first", "first_turns": [9, 10]}
    )
    assert games_from_elsewhere(table)["second"].tolist() == ["b"]
    with pytest.raises(LeaderboardError, match="all of them are solo games"):
        games_from_elsewhere(table.tail(1))
