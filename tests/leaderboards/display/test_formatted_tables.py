"""Leaderboards as text, Markdown, CSV and plain data."""

import csv
import io
import json
from collections.abc import Callable

import pandas as pd
import pytest

from leaderboards import Ratings, mean_turns, paired_difference, rate
from leaderboards.display import formatted_tables
from leaderboards.display.cells import elo_cells, number, rounded
from leaderboards.display.plain import (
    VERSION,
    elo_differences,
    plain_leaderboards,
    turns_differences,
)
from leaderboards.elo.elo_table import ELO_COLUMNS
from leaderboards.turns.mean_turns import TURNS_COLUMNS

Searches = Callable[..., pd.DataFrame]
GamesOf = Callable[..., pd.DataFrame]

KEYS = [
    *("version", "elo", "turns", "first_seat_elo", "prior_pairs", "anchor"),
    *("differences", "turns_differences", "pairings", "warnings"),
    *("elo_verdict", "turns_verdict", "notes", "explanations"),
]
HOSTILE = "ev|il\x1b[31m\n<b>*x*"


@pytest.fixture
def ratings(games_of: GamesOf) -> Ratings:
    rows = [
        game
        for pair in range(10)
        for game in (
            ("a", HOSTILE, "first", pair),
            (HOSTILE, "a", "second", pair),
            ("a", "b", "first" if pair % 3 else "second", pair),
            ("b", "a", "first" if pair % 2 else "second", pair),
        )
    ]
    return rate(games_of(rows))


def test_plain_data_has_the_promised_keys_and_no_nan(ratings: Ratings, searches: Searches) -> None:
    solo = searches(["a", "b"], layouts=1)
    plain = plain_leaderboards(ratings, mean_turns(solo), solo)
    again = json.loads(json.dumps(plain, allow_nan=False))
    assert list(again) == KEYS
    assert again["version"] == VERSION
    assert all(tuple(row) == ELO_COLUMNS for row in again["elo"])
    assert all(tuple(row) == TURNS_COLUMNS for row in again["turns"])
    assert list(again["first_seat_elo"]) == ["value", "low", "high"]
    assert [(row["bot"], row["bound"], row["low"]) for row in again["elo"]][2] == (
        HOSTILE,
        "upper",
        None,
    )
    assert again["turns"][0]["turns_low"] is None
    assert again["elo"][0]["elo"] == round(ratings.table["elo"][0], 1)
    assert isinstance(again["elo"][0]["wins"], int)


def test_what_there_is_no_data_for_is_empty() -> None:
    nothing = plain_leaderboards(None, None)
    assert list(nothing) == KEYS
    assert not any(value for key, value in nothing.items() if key != "version")
    empty = pd.DataFrame()
    for key in ("elo", "turns", "differences", "turns_differences", "pairings"):
        assert plain_leaderboards(rate(empty), mean_turns(empty), empty)[key] == []
    assert text_of(rate(empty)) == "No two-player games were played."
    assert text_of(mean_turns(empty)) == "No solo games were played."
    assert markdown_of(rate(empty)) == "- No two-player games were played."
    assert formatted_tables.leaderboard_csv(rate(empty)) == ",".join(ELO_COLUMNS) + "\n"


def text_of(board: formatted_tables.Leaderboard, *, explain: bool = False) -> str:
    shown = formatted_tables.shown_leaderboard(board)
    return formatted_tables.leaderboard_text(shown, explain=explain)


def markdown_of(board: formatted_tables.Leaderboard) -> str:
    return formatted_tables.leaderboard_markdown(formatted_tables.shown_leaderboard(board))


def test_what_a_mark_means_stands_below_and_the_method_only_where_asked(ratings: Ratings) -> None:
    text, explained = (text_of(ratings, explain=explain) for explain in (False, True))
    assert "* Lost, or won, every game that counts" in text
    assert "at most" in text
    assert "Note:" not in text
    for told in (
        "Prior: each bot is taken to have halved 0.25 pairs",
        "The first seat is worth",
        "ranks say that",
        "would have come out sure in 80%",
    ):
        assert told not in " ".join(text.split())
        assert told in " ".join(explained.split())


def test_the_verdict_stands_above_the_table_and_another_may_take_its_place(
    ratings: Ratings,
) -> None:
    lines = text_of(ratings).splitlines()
    assert lines[0].startswith("The best is a or b")
    assert lines.index("") < next(n for n, line in enumerate(lines) if line.startswith("---"))
    shown = formatted_tables.shown_leaderboard(ratings, ["b wins on points."])
    assert formatted_tables.leaderboard_text(shown).startswith("b wins on points.\n\n")
    assert formatted_tables.leaderboard_markdown(shown).startswith("- b wins on points.\n\n")
    assert formatted_tables.leaderboards_html([shown]).startswith("<p>b wins on points.</p>")


def test_text_is_aligned_narrow_and_harmless_to_a_terminal(ratings: Ratings) -> None:
    text = text_of(ratings)
    assert all(sign.isprintable() or sign == "\n" for sign in text)
    lines = text.splitlines()
    assert max(len(line) for line in lines) <= 100
    head = next(n for n, line in enumerate(lines) if line.startswith("---")) - 1
    assert len({len(line) for line in lines[head : head + 5]}) == 1
    assert "ev|il\\x1b[\N{HORIZONTAL ELLIPSIS}" in text


def test_warnings_stand_under_the_table(games_of: GamesOf) -> None:
    text = text_of(rate(games_of([("a", "b", "first", 0)])))
    assert "Note: 1 of 1 pairs lack a game" in text


def test_table_without_a_prior_says_so_and_shows_a_dash(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0)]), prior=None)
    text = text_of(ratings, explain=True)
    assert "No prior: ratings are plain maximum likelihood." in " ".join(text.split())
    assert [row["Elo"] for row in elo_cells(ratings)] == ["-", "-"]


def test_undefeated_bot_is_rated_at_least(games_of: GamesOf) -> None:
    games = [game for n in range(20) for game in (("a", "b", "first", n), ("b", "a", "second", n))]
    assert "at least" in text_of(rate(games_of(games)))


def test_draws_are_shown_where_there_are_any(games_of: GamesOf) -> None:
    games = games_of([("a", "b", "draw", 0), ("b", "a", "first", 0)])
    assert "drawn" in text_of(rate(games))


def test_markdown_shows_names_literally(ratings: Ratings) -> None:
    markdown = markdown_of(ratings)
    assert r"ev\|il\\x1b\[31m\\n\<b\>\*x\*" in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({line.replace(r"\|", "").count("|") for line in rows}) == 1


def test_csv_reads_back(ratings: Ratings, searches: Searches) -> None:
    read = list(csv.DictReader(io.StringIO(formatted_tables.leaderboard_csv(ratings), newline="")))
    assert [row["bot"] for row in read] == ratings.table["bot"].tolist()
    assert read[2]["low"] == ""
    turns = mean_turns(searches(["a", "b"]))
    again = pd.read_csv(io.StringIO(formatted_tables.leaderboard_csv(turns)))
    assert list(again.columns) == list(turns.columns)
    assert again["best_shots"].tolist() == turns["best_shots"].tolist()


def test_turns_text_mentions_forfeits(searches: Searches) -> None:
    solo = searches(["a", "b"])
    assert "forfeited game counts" not in text_of(mean_turns(solo))
    solo.loc[0, "forfeit"] = True
    text = text_of(mean_turns(solo))
    assert "A forfeited game counts as a search of the whole board, without a hit." in text
    assert max(len(line) for line in text.splitlines()) <= 104
    assert "| bot" in markdown_of(mean_turns(solo))


def test_negative_zero_is_not_written(games_of: GamesOf) -> None:
    games = games_of([("a", "b", "first", 0), ("b", "a", "second", 0)] * 2)
    games["result"] = ["first", "first", "second", "second"]
    games["pair"] = [0, 0, 1, 1]
    assert "-0.0" not in text_of(rate(games))
    assert (number(-0.3, 0), number(-0.04, 1), number(-0.6, 0)) == ("0", "0.0", "-1")
    assert str(rounded(-0.0, 1)) == "0.0"


def test_every_two_bots_have_a_difference_with_its_interval(ratings: Ratings) -> None:
    found = elo_differences(ratings)
    names = ratings.table["bot"].tolist()
    assert list(zip(found["bot"], found["other"], strict=True)) == [
        (names[0], names[1]),
        (names[0], names[2]),
        (names[1], names[2]),
    ]
    for row in found.to_dict("records"):
        expected = ratings.difference(row["bot"], row["other"])
        assert (row["lead"], row["p_value"]) == (expected.value, expected.p_value)
        assert row["lead_low"] == pytest.approx(expected.low, nan_ok=True)
    again = pd.read_csv(io.StringIO(formatted_tables.table_csv(found, elo=True)))
    assert list(again.columns) == list(found.columns)
    assert len(again) == 3


def test_differences_of_turns_are_those_of_common_layouts(searches: Searches) -> None:
    solo = searches(["a", "b", "c"])
    turns = mean_turns(solo)
    found = turns_differences(turns, solo)
    expected = paired_difference(solo, turns["bot"][1], turns["bot"][0])
    assert found["lead"][0] == pytest.approx(expected.value)
    assert found["lead_low"][0] == pytest.approx(expected.low)
    assert found["paired"].all()
    assert "True" in formatted_tables.table_csv(found, elo=False)


def test_an_anchor_has_no_interval(games_of: GamesOf) -> None:
    rows = [(*two, result, pair) for pair in range(5) for two, result in ((("a", "b"), "first"),)]
    games = games_of([*rows, *(("b", "a", "first", pair) for pair in range(5))])
    cells = elo_cells(rate(games, anchor=("a", 1700)))
    assert {row["bot"]: row["95% interval"] == "fixed" for row in cells} == {"a": True, "b": False}
