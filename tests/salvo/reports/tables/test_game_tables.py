"""Games of a record as the tables that the leaderboards rate."""

import pandas as pd
import pytest
from msgspec.structs import replace

from arena.rules import preset
from arena.store import RESULT_COLUMNS, Luck
from salvo.reports.tables.game_tables import (
    renamed,
    solo_games,
    turns_table,
    two_player_games,
    with_winners,
    without_pairings,
)


def games(*rows: tuple[str, str, str | None, int, str, str | None]) -> pd.DataFrame:
    """Return games of which id, seats, pair, result and forfeit are given."""
    filled = [
        {
            **dict.fromkeys(RESULT_COLUMNS, 0),
            "id": id_,
            "first": first,
            "second": second,
            "pair": pair,
            "result": result,
            "forfeit": forfeit,
            "first_turns": 10 + place,
            "first_shots": 20 + place,
            "first_hits": 5,
            "second_seed": 7 * place,
            "block": place,
            "reason": "so",
        }
        for place, (id_, first, second, pair, result, forfeit) in enumerate(rows)
    ]
    return pd.DataFrame(filled, columns=list(RESULT_COLUMNS))


RESULTS = games(
    ("g0", "a", "b", 0, "first", None),
    ("g1", "b", "a", 0, "second", "first"),
    ("g2", "a", "b", 1, "draw", None),
    ("g3", "c", "a", 0, "second", None),
    ("g4", "c", "b", 2, "first", None),
    ("s0", "a", None, 0, "first", None),
    ("s1", "a", None, 1, "second", "first"),
    ("s2", "b", None, 2, "first", None),
)


def ids(table: pd.DataFrame) -> str:
    return " ".join(table["id"])


def test_winner_is_named_or_nobody() -> None:
    table = with_winners(RESULTS)
    assert [None if pd.isna(who) else who for who in table["winner"]] == [
        *("a", "a", None, "a", "c", "a", None, "b")
    ]
    assert table["forfeit"].tolist() == [False, True, False, False, False, False, True, False]
    assert list(table.columns[:6]) == [
        "game",
        "first",
        "second",
        "winner",
        "forfeit",
        "termination",
    ]
    assert table.columns[-1] == "reason"
    assert set(table.columns) == {*RESULT_COLUMNS, "game", "winner"} - {"id", "result"}


def test_only_games_between_those_that_count_are_kept_and_renamed() -> None:
    table = renamed(RESULTS, {"a": "A", "b": "B"})
    assert ids(table) == "g0 g1 g2 s0 s1 s2"
    assert table["first"].tolist() == ["A", "B", "A", "A", "A", "B"]
    assert table["second"].tolist()[:3] == ["B", "A", "B"]
    assert table["second"].isna().tolist()[3:] == [True] * 3


def test_pairings_are_left_out_whoever_sat_where() -> None:
    assert ids(without_pairings(RESULTS, [frozenset("ab")])) == "g3 g4 s0 s1 s2"
    assert ids(without_pairings(RESULTS, [])) == ids(RESULTS)
    nothing = RESULTS.iloc[:0]
    assert list(without_pairings(nothing, [frozenset("ab")]).columns) == list(RESULT_COLUMNS)


@pytest.mark.parametrize(
    ("pairs", "kept"),
    [
        (None, "g0 g1 g2 g3 g4"),
        (1, "g0 g1 g3"),
        (2, "g0 g1 g2 g3"),
        (0, ""),
        ({("a", "b"): 2, ("b", "c"): 2}, "g0 g1 g2"),
        ({("a", "c"): 1, ("b", "c"): 3}, "g3 g4"),
    ],
)
def test_of_each_pairing_the_first_pairs_are_taken(pairs: object, kept: str) -> None:
    assert ids(two_player_games(RESULTS, pairs)) == kept  # type: ignore[arg-type]


def test_of_games_alone_the_first_layouts_are_taken() -> None:
    assert [ids(solo_games(RESULTS, layouts)) for layouts in (None, 2, 1, 0)] == [
        *("s0 s1 s2", "s0 s1", "s0", "")
    ]


def test_forfeit_alone_counts_as_a_search_of_the_whole_board() -> None:
    table = turns_table(solo_games(RESULTS), preset("classic"))
    assert table.to_dict("list") == {
        "bot": ["a", "a", "b"],
        "layout": [35, 42, 49],
        "turns": [15, 100, 17],
        "shots": [25, 100, 27],
        "hits": [5, 0, 5],
        "forfeit": [False, True, False],
    }
    salvos = turns_table(solo_games(RESULTS), preset("salvo"))
    assert salvos["turns"].tolist() == [15, 20, 17]  # of five shots each
    uneven = turns_table(solo_games(RESULTS), replace(preset("ramesh-2"), shots=2))
    assert uneven["turns"].tolist()[1] == 13  # of 25 cells


def test_luck_stands_beside_the_turns_where_it_is_known() -> None:
    luck = {"s0": Luck(1.5, (0.25, 0.5)), "s2": Luck(-2.0, (1.0,))}
    table = turns_table(solo_games(RESULTS), preset("salvo"), luck)
    assert table["luck"].fillna(99).tolist() == [1.5, 99, -2.0]
    assert table["luck_shots"].fillna(99).tolist() == [7.5, 99, -10.0]
    assert table["block"].tolist() == [5, 6, 7]
    e_values = table[[name for name in table.columns if name[-1].isdigit()]]
    assert e_values.to_numpy().tolist() == [[0.25, 0.5], [0.0, 0.0], [1.0, 0.0]]
    assert [name[-1] for name in e_values.columns] == ["1", "2"]
