"""Who counts in a standing, and what is said of those that have not played."""

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from arena.store import Look
from salvo.reports.standings.standing import (
    Standing,
    _notes_of,
    _unplayed,
    _was_extended,
    has_met,
)
from tests.salvo.reports.standings.records import Record, alone, met, tournament

PLAYED = [(("a", "b"), 0), (("b", "c"), 0), (("a",), 0)]


@pytest.mark.parametrize(
    ("bot", "names", "left_out", "has"),
    [
        ("a", "abc", [], True),
        ("a", "ac", [], False),  # it met one that does not count
        ("a", "abc", ["ab"], False),
        ("b", "abc", ["ab"], True),
        ("d", "abcd", [], False),
        ("a", "a", [], False),  # alone it meets nobody
    ],
)
def test_bot_has_met_those_that_count(
    bot: str, names: str, left_out: list[str], *, has: bool
) -> None:
    assert has_met(bot, set(names), PLAYED, [frozenset(pair) for pair in left_out]) is has


@pytest.mark.parametrize(
    ("entered", "told"),
    [
        ("ab", []),
        ("abc", ["1 of the 3 bots has not played yet: c."]),
        ("abcd", ["2 of the 4 bots have not played yet: c, d."]),
        ("cd", []),  # nobody has
    ],
)
def test_bots_that_have_not_played_are_named(entered: str, told: list[str]) -> None:
    results = pd.DataFrame([("a", "b"), ("a", None)], columns=["first", "second"])
    assert _unplayed(tournament(entered), results) == told


def test_record_was_extended_where_it_had_been_rated_with_fewer_pairs() -> None:
    assert not _was_extended([], Look(10))
    assert not _was_extended([Look(10)], Look(10))
    assert _was_extended([Look(9)], Look(10))
    assert not _was_extended([Look(9, "0 against 20 Elo")], Look(10, "0 against 20 Elo"))
    assert _was_extended([Look(9, "0 against 20 Elo")], Look(10, "0 against 30 Elo"))
    assert _was_extended([Look(9, "0 against 20 Elo")], Look(10))


def test_notes_say_that_a_record_was_extended_or_ended_by_a_test() -> None:
    stopped = [Look(9), Look(10, "0 against 20 Elo")]
    [one] = _notes_of(stopped, None, extended=False)
    assert "when these games end (0 against 20 Elo)" in one
    extended, _ = _notes_of(stopped, None, extended=True)
    assert extended.startswith("The record was extended")
    assert _notes_of(stopped, Look(10, "0 against 20 Elo"), extended=False) == []
    assert _notes_of(stopped[:1], None, extended=False) == []


FOUR_PAIRS = tuple(met("a", "b", "wwlwdwww"))
RULE = "0 against 20 Elo"


def standing(*rows: Any, bots: str = "ab", kind: str = "tournament", **more: Any) -> Standing:  # noqa: ANN401 - what a record and a standing are given
    looks = more.pop("looks", ())
    played = tournament(bots, kind)
    record: Any = Record(played, *rows, looks=looks)
    return Standing(record, played, **more)


@pytest.mark.parametrize(
    ("kind", "rows", "title"),
    [
        ("match", [FOUR_PAIRS], "Salvo match: a against b, rules salvo"),
        ("tournament", [FOUR_PAIRS], "Salvo tournament: 2 bots, rules salvo"),
        ("match", [FOUR_PAIRS, alone("c", 9)], "Salvo match: 3 bots, rules salvo"),
        ("solo", [alone("b", 9, 9)], "Salvo solo: 1 bot, rules salvo"),
        ("planned", [FOUR_PAIRS], "Salvo first: 2 bots, rules salvo"),
    ],
)
def test_title_says_what_was_played(kind: str, rows: list[Any], title: str) -> None:
    shown = standing(*rows, kind=kind)
    assert shown.title() == title
    assert shown.html().startswith(f"<p><b>{title}</b></p>\n")


def test_bots_are_those_of_both_tables_in_their_order() -> None:
    shown = standing(FOUR_PAIRS, alone("c", 30, 31), alone("b", 20, 22), alone("a", 25, 24))
    assert shown.bots == ["a", "b", "c"]
    assert list(shown.figures()) == ["elo", "matrix", "turns", "shots"]
    assert list(standing(FOUR_PAIRS).figures()) == ["elo", "matrix"]
    only_alone = standing(alone("c", 30, 31), alone("b", 20, 22))
    assert (only_alone.bots, list(only_alone.figures())) == (["b", "c"], ["turns", "shots"])
    nothing = standing()
    assert (nothing.bots, nothing.figures()) == ([], {})


@pytest.mark.parametrize(
    ("looks", "kind", "look", "extended"),
    [
        ([], "tournament", None, False),
        ([3], "tournament", None, True),  # by the games that are there
        ([4], "tournament", None, False),
        ([3, 4], "swiss", None, True),  # by the largest look
        ([3], "swiss", None, False),
        ([4], "tournament", Look(5), True),
        ([5], "tournament", Look(5), False),
    ],
)
def test_record_that_was_looked_at_with_fewer_games_was_extended(
    looks: list[int], kind: str, look: Look | None, *, extended: bool
) -> None:
    shown = standing(FOUR_PAIRS, kind=kind, look=look, looks=[Look(pairs) for pairs in looks])
    assert shown.extended is extended
    assert shown.ratings is not None
    assert shown.ratings.extended is extended
    assert [note.startswith("The record was extended") for note in shown.notes] == [True] * extended


def test_what_is_sure_holds_at_any_look_where_a_test_ends_the_games() -> None:
    for shown in (
        standing(FOUR_PAIRS, looks=[Look(4, RULE)]),
        standing(FOUR_PAIRS, look=Look(4, RULE)),
    ):
        assert shown.ratings is not None
        assert (shown.extended, shown.ratings.extended) == (False, True)


@pytest.mark.parametrize(
    ("how_much", "games", "searches"),
    [
        ({}, 8, 3),
        ({"plan": SimpleNamespace(pairs=3, layouts=2)}, 6, 2),
        ({"sizes": {("a", "b"): 1}}, 2, 3),
        ({"plan": SimpleNamespace(pairs=3, layouts=2), "sizes": {("a", "b"): 1}}, 2, 2),
    ],
)
def test_plan_and_sizes_say_how_much_counts(
    how_much: dict[str, Any], games: int, searches: int
) -> None:
    shown = standing(FOUR_PAIRS, alone("a", 20, 21, 22), **how_much)
    assert (len(shown.games), len(shown.searches)) == (games, searches)


def test_only_those_that_have_a_name_count_and_are_shown_by_it() -> None:
    rows = (*FOUR_PAIRS, *met("a", "c", "wwww"), *met("b", "c", "wwww"))
    shown = standing(rows, bots="abc", names={"a": "Ann", "c": "Cy"})
    assert shown.bots == ["Ann", "Cy"]
    apart = standing(rows, bots="abc", left_out=[frozenset("ab")])
    assert apart.ratings is not None
    assert dict(zip(apart.ratings.table["bot"], apart.ratings.table["games"], strict=True)) == {
        "a": 4,
        "b": 4,
        "c": 8,
    }


def test_who_has_not_played_is_named_where_everybody_counts() -> None:
    note = "1 of the 3 bots has not played yet: c."
    assert standing(FOUR_PAIRS, bots="abc", notes=["First."]).notes == ["First.", note]
    assert standing(FOUR_PAIRS, bots="abc", names={"a": "a", "b": "b"}).notes == []
    assert standing(FOUR_PAIRS, bots="abc", sizes={("a", "b"): 4}).notes == []


def test_bots_that_had_the_network_are_named() -> None:
    played = tournament("ab", network=("api.example.org:443", "10.0.0.1:80"))
    record: Any = Record(played, FOUR_PAIRS)
    told = "Had the network, and so may have been told what to play"
    assert Standing(record, played).had_network == [
        f"{told}: b (api.example.org:443, 10.0.0.1:80)."
    ]
    shown = Standing(record, played, names={"a": "Ann", "b": "Bob"})
    assert shown.had_network == [f"{told}: Bob (api.example.org:443, 10.0.0.1:80)."]
    assert Standing(record, played, names={"a": "Ann"}).had_network == []
    assert standing(FOUR_PAIRS).had_network == []
