"""Forfeits by kind, and warnings of what may be the machine's fault."""

from collections import Counter

import pandas as pd
import pytest

from arena.origin import Origin
from arena.records import Settings, Void
from salvo.playing.mishaps import describe_overload
from salvo.reports.tables.survey import Survey
from salvo.reports.words.faults import (
    count_forfeits,
    faults_section,
    forfeits_by,
    of_bot,
)

COLUMNS = ["id", "first", "second", "forfeit", "termination", "reason"]


def games(*rows: tuple[str | None, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS)


GAMES = games(
    ("a", "one", "two", None, "sunk", ""),
    ("b", "one", "two", "second", "timeout", "did not answer in 2 s"),
    ("c", "two", "one", "first", "timeout", "did not answer in 2 s"),
    ("d", "two", "one", "first", "exited", "exited with 1: IndexError: <b>"),
    ("e", "two", None, "first", "exited", "exited with 1: KeyError: 7"),
    ("f", "two", None, "first", "exited", "exited with 1: KeyError: 7"),
)


def notes(slowest_s: float, voids: tuple[Void, ...] = ()) -> str:
    survey = Survey({"two": Counter({int(1e6 * slowest_s): 9})}, {}, {})
    return " ".join(faults_section(GAMES, ["one", "two"], survey, Settings(), voids).notes)


def test_forfeits_are_counted_by_kind() -> None:
    assert count_forfeits(GAMES) == "5 of 6 games: 3 exited, 2 timeout"
    assert count_forfeits(GAMES[:1]) == "none in 1 games"


def test_forfeits_of_a_bot_have_its_own_words_and_an_example() -> None:
    assert of_bot(forfeits_by(GAMES), "two") == [
        {
            "how": "exited",
            "games": "3",
            "in words": "exited with 1: KeyError: 7 (and 1 other)",
            "one of them": "e",
        },
        {"how": "timeout", "games": "2", "in words": "did not answer in 2 s", "one of them": "b"},
    ]
    assert of_bot(forfeits_by(GAMES), "one") == []


def test_section_has_tables_and_how_to_see_a_game_where_there_is_something_to_see() -> None:
    survey = Survey({"two": Counter({1_900_000: 9}), "idle": Counter()}, {}, {})
    bots = ["one", "two", "idle", "gone"]
    lost = faults_section(GAMES, bots, survey, Settings(), ())
    assert [(table.caption, len(table.rows)) for table in lost.tables] == [
        ("Forfeits", 2),
        ("Time for an answer, waits for a processor not counted", 1),
    ]
    assert lost.tables[1].rows[0]["lost on time"] == "2"
    limits = "The limit is 2 s an answer, 60 s a game."
    first, how_to_see, last = lost.notes
    assert (first, last) == ("Forfeits: 5 of 6 games: 3 exited, 2 timeout.", limits)
    assert how_to_see.startswith("`salvo replay GAME` shows a game by its id")
    none = faults_section(GAMES[:1], bots, Survey({}, {}, {}), Settings(), ())
    assert (none.tables, none.notes) == ([], ["Forfeits: none in 1 games.", limits])


def test_time_losses_of_a_bot_that_is_fast_otherwise_are_suspicious() -> None:
    assert "two 2 (its slowest other answer took 30 ms)" in notes(0.03)


@pytest.mark.parametrize("slowest_s", [1.0, 1.9])
def test_time_losses_of_a_slow_bot_are_its_own(slowest_s: float) -> None:
    assert "Warning" not in notes(slowest_s)


def test_games_broken_off_are_told() -> None:
    void = Void("a", 0, "one", "killed")
    assert "Warning: 1 game was broken off" in notes(1.9, (void,))
    assert "Warning: 2 games were broken off" in notes(1.9, (void, void))


@pytest.mark.parametrize(
    ("slowest_s", "told", "share"),
    [
        (0.000012, "0.012 ms", "under 1%"),
        (0.019, "19 ms", "under 1%"),
        (0.02, "20 ms", "1%"),
        (0.0994, "99 ms", "5%"),
        (0.0995, "100 ms", "5%"),
        (0.0996, "100 ms", "5%"),
        (0.1, "100 ms", "5%"),
        (0.126, "126 ms", "6%"),
        (0.7, "700 ms", "35%"),
        (1.0, "1 s", "50%"),
        (1.25, "1.2 s", "62%"),
        (120.4, "120 s", "6020%"),
    ],
)
def test_times_are_told_in_a_unit_that_suits_them(slowest_s: float, told: str, share: str) -> None:
    survey = Survey({"two": Counter({round(1e6 * slowest_s): 1})}, {}, {})
    [_, table] = faults_section(GAMES, ["two"], survey, Settings(), ()).tables
    assert (table.rows[0]["slowest"], table.rows[0]["of the limit"]) == (told, share)


def test_long_reason_is_cut_and_other_reasons_are_counted() -> None:
    rows = [("a", "one", None, "first", "exited", "x" * 301)] * 2
    rows += [("b", "one", None, "first", "exited", reason) for reason in "yz"]
    [told] = of_bot(forfeits_by(games(*rows)), "one")
    assert told["in words"] == "x" * 300 + " (and 2 others)"


def test_barred_games_come_after_what_they_were_barred_for() -> None:
    lost = games(
        *[(f"b{place}", "two", "one", "first", "barred", "it had forfeited") for place in range(9)],
        ("a", "two", "one", "first", "illegal", "a cell outside"),
    )
    assert [row["how"] for row in of_bot(forfeits_by(lost), "two")] == ["illegal", "barred"]


def test_games_lost_by_time_on_overloaded_machines_are_said() -> None:
    late = [Origin("", "", "", load=load) for load in (None, 0.9, 1.6, 3.0)]
    told = describe_overload(late)
    assert told is not None
    assert told.startswith("2 of the 4 games that were lost by time were played where up to 3.0")
    assert describe_overload(late[:2]) is None
