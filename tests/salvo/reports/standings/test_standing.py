"""Who counts in a standing, and what is said of those that have not played."""

import pandas as pd
import pytest

from arena.entrants import Entrant
from arena.isolation import Program
from arena.records import Settings
from arena.rules import preset
from arena.store import Look, Tournament
from salvo.reports.standings.standing import _notes_of, _unplayed, _was_extended, has_met

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


def tournament(names: str) -> Tournament:
    entrants = [Entrant(name, Program((), "", ()), "") for name in names]
    return Tournament(
        name="first",
        kind="tournament",
        seed="1",
        settings=Settings(),
        rules=preset("salvo"),
        entrants=tuple(entrants),
    )


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
