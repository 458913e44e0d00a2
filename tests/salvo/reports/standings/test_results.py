"""Leaderboards of games as data, tables and CSV, and what is said beside them."""

import json
from typing import Any

import pandas as pd
import pytest

from arena.errors import UserError
from salvo.reports.how_rated import HowRated, Table
from salvo.reports.standings.results import Results
from salvo.reports.tables.reported_numbers import ReportedNumber
from tests.salvo.reports.standings.records import Row, alone, met

SEEN = [ReportedNumber("a", "thoughts", 12.0, 2)]


def games(*rows: Row, **forfeited: Any) -> pd.DataFrame:  # noqa: ANN401 - columns
    table = pd.DataFrame([row[:4] for row in rows], columns=["first", "second", "pair", "result"])
    return table.assign(id=[f"g{number}" for number in table.index], forfeit=None, **forfeited)


def searches(*rows: Row) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"bot": bot, "layout": pair, "turns": turns, "shots": 50, "hits": 17, "forfeit": False}
            for bot, _, pair, _, turns in rows
        ]
    )


BETWEEN = games(*met("a", "b", "wwlw"))
ALONE = searches(*alone("a", 20, 22), *alone("b", 25, 30))


def test_forfeits_are_counted_by_bot_and_kind() -> None:
    lost = games(*met("a", "b", "wwwwww"), termination="sunk")
    lost.loc[[0, 3], ["forfeit", "termination"]] = [["second", "timeout"], ["first", "timeout"]]
    lost.loc[[2, 5], ["forfeit", "termination"]] = [["second", "exited"], ["", "sunk"]]
    lone = pd.DataFrame(
        [("b", None, "first", "exited"), ("a", None, None, "sunk")],
        columns=["first", "second", "forfeit", "termination"],
    )
    found = Results(lost, ALONE, lone).plain()["forfeits"]
    assert [tuple(row.values()) for row in found] == [
        ("b", "two-player", "exited", 1),
        ("b", "two-player", "timeout", 2),
        ("b", "solo", "exited", 1),
    ]
    unnamed = lost.drop(columns="termination")
    assert [tuple(row.values()) for row in Results(unnamed).plain()["forfeits"]] == [
        ("b", "two-player", None, 3)
    ]
    assert Results(BETWEEN).plain()["forfeits"] == []


def test_what_bots_report_is_a_column_and_a_note() -> None:
    told = Results(BETWEEN, ALONE, reported=SEEN)
    assert [board.cells[0]["reports"] for board in told.boards] == ["12 thoughts"] * 2
    assert told.notes[0].startswith("reports: what bots say of themselves")
    assert told.plain()["reported"] == [
        {"bot": "a", "number": "thoughts", "mean": 12.0, "games": 2}
    ]
    silent = Results(BETWEEN, ALONE)
    assert not any("reports" in board.cells[0] for board in silent.boards)
    assert silent.notes == []


def test_forfeits_left_out_are_said_where_somebody_met() -> None:
    without = HowRated(count_forfeits=False)
    note = "Games between two bots that ended by forfeit are left out of the ratings."
    assert Results(BETWEEN, how=without).notes == [note]
    assert Results(BETWEEN.iloc[:0], ALONE, how=without).notes == []
    assert Results(BETWEEN, how=without).plain()["forfeits_count"] is False
    assert Results(BETWEEN).plain()["forfeits_count"] is True


@pytest.mark.parametrize(
    ("looked", "sure_at_any_look"),
    [({}, False), ({"extended": True}, True), ({"sequential": True}, True)],
)
def test_what_is_sure_holds_however_often_one_looked(
    looked: dict[str, bool], *, sure_at_any_look: bool
) -> None:
    shown = Results(BETWEEN, **looked)
    assert shown.ratings is not None
    assert shown.ratings.extended is sure_at_any_look
    assert shown.extended is looked.get("extended", False)


def test_prior_may_be_left_out() -> None:
    assert Results(BETWEEN, how=HowRated(prior=False)).plain()["prior_pairs"] is None
    assert Results(BETWEEN).plain()["prior_pairs"] == 0.25


def test_ranks_are_explained_where_there_are_any() -> None:
    key = "Ranks are the places that a bot may have (95%)."
    three = Results(games(*met("a", "b", "ww"), *met("a", "c", "ww"), *met("b", "c", "wl")))
    assert three.notes_with_key[0].startswith(key)
    assert key in " ".join(three.text().split())
    assert key not in " ".join(three.text(explain=True).split())
    assert Results(BETWEEN, notes=["One."]).notes_with_key == ["One."]


def test_text_says_that_nothing_was_played() -> None:
    nothing = Results(BETWEEN.iloc[:0])
    assert nothing.text() == "No games were played yet."
    assert nothing.text("markdown") == "- No games were played yet."
    assert json.loads(nothing.text("json"))["elo"] == []


@pytest.mark.parametrize(
    ("met_", "searched", "table", "heads"),
    [
        (True, True, None, "bot,group,rank,best_rank,worst_rank,elo"),
        (False, True, None, "bot,rank,best_rank,worst_rank,mean_turns"),
        (True, True, "turns", "bot,rank,best_rank,worst_rank,mean_turns"),
        (True, True, "differences", "bot,other,lead,"),
        (False, True, "differences", "bot,other,"),
        (True, True, "games", "first,second,"),
    ],
)
def test_csv_is_the_table_that_was_chosen(
    table: Table | None, heads: str, *, met_: bool, searched: bool
) -> None:
    shown = Results(BETWEEN if met_ else BETWEEN.iloc[:0], ALONE if searched else None)
    told = shown.text("csv", table)
    assert told.startswith(heads)
    assert not told.endswith("\n")


@pytest.mark.parametrize(
    ("met_", "table", "lacking"),
    [
        (False, "elo", "--table elo: no two-player games were played"),
        (True, "turns", "--table turns: no solo games were played"),
        (False, "differences", "--table differences: no solo games were played"),
    ],
)
def test_table_without_games_is_refused(table: Table, lacking: str, *, met_: bool) -> None:
    shown = Results(BETWEEN if met_ else BETWEEN.iloc[:0])
    with pytest.raises(UserError, match=lacking):
        shown.text("csv", table)
