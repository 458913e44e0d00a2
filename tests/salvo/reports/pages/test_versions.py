"""The versions of a league's bots in its report: where there is something to compare."""

from typing import Any

import pandas as pd
import pytest

from arena.league import Entry
from leaderboards import Ratings, rate
from salvo.reports.pages import versions
from salvo.reports.pages.versions import history_in, versions_section
from salvo.reports.standings.standing import Standing
from tests.salvo.reports.standings.records import Record, league_of, met, tournament

OLD, NEW, BOB = (
    Entry(name=name, version=version, digest="", words=())
    for name, version in (("ada", 1), ("ada", 2), ("bob", 1))
)
GAMES = (*met("ada@1", "bob@1", "wlwl"), *met("ada@2", "bob@1", "wwlw"))


@pytest.fixture(scope="module")
def ratings() -> Ratings:
    table = pd.DataFrame(GAMES, columns=["first", "second", "pair", "result"])
    return rate(table.assign(forfeit=None))


def test_versions_are_drawn_and_listed_where_a_bot_has_two(
    ratings: Ratings, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[pd.DataFrame] = []
    monkeypatch.setattr(versions, "history_figure", lambda rows, _: drawn.append(rows))
    section = versions_section([BOB, NEW, OLD], ratings, ["ada", "bob"])
    assert section is not None
    assert (section.name, section.heading) == ("versions", "Versions")
    [drawing] = section.drawings
    assert drawing.wide
    assert drawing.numbers is not None
    assert [(row["bot"], row["version"]) for row in drawing.numbers.rows] == [
        *(("ada", "1"), ("ada", "2"), ("bob", "1"))
    ]
    [rows] = drawn
    assert rows[["bot", "version"]].to_numpy().tolist() == [["ada", 1], ["ada", 2], ["bob", 1]]
    elo = dict(zip(ratings.table["bot"], ratings.table["elo"], strict=True))
    assert rows["elo"].tolist() == [elo["ada@1"], elo["ada@2"], elo["bob@1"]]


def test_nothing_is_compared_where_nobody_has_two_or_nothing_is_rated(ratings: Ratings) -> None:
    assert versions_section([OLD, BOB], ratings, ["ada", "bob"]) is None
    assert versions_section([OLD, NEW, BOB], None, ["ada", "bob"]) is None


@pytest.mark.parametrize(
    ("kind", "entries", "sections"),
    [
        ("league", (OLD, NEW, BOB), 1),
        ("league", (OLD, BOB), 0),
        ("league", None, 0),  # no league lies beside the record
        ("tournament", (OLD, NEW, BOB), 0),
    ],
)
def test_history_is_that_of_a_league(
    monkeypatch: pytest.MonkeyPatch, kind: str, entries: tuple[Entry, ...] | None, sections: int
) -> None:
    played = tournament(["ada@1", "ada@2", "bob@1"], kind)
    record: Any = Record(played, GAMES)
    league = None if entries is None else league_of(*entries, record=played)
    monkeypatch.setattr(versions, "league_of", lambda _: league)
    assert len(history_in(record, played, Standing(record, played))) == sections
