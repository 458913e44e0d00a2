"""Who counts in a league, and where a bot that was submitted stands in it."""

import itertools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from arena.league import Anchor, Entry
from arena.store import Look
from leaderboards import Ratings, rate
from salvo.reports.how_rated import HowRated
from salvo.reports.standings.league_standing import (
    describe_place,
    league_standing,
    standing_in,
    submitted_place,
)
from salvo.reports.standings.standing import Standing
from tests.salvo.reports.standings.records import Record, league_of, met, tournament

ADA = Entry(name="ada", version=2, digest="", words=())


def rated(points: Mapping[str, float], pairs: int = 40) -> Ratings:
    """Return ratings by games of which the stronger wins as many more as points say."""
    rows = []
    for one, other in itertools.combinations(points, 2):
        won = round(pairs * (0.5 + (points[one] - points[other]) / 2))
        for pair in range(pairs):
            for first, second in ((one, other), (other, one)):
                result = "first" if (pair < won) == (first == one) else "second"
                rows.append((first, second, result, pair))
    columns = ["first", "second", "result", "pair"]
    return rate(pd.DataFrame(rows, columns=columns).assign(forfeit=None))


def place(points: Mapping[str, float], former: Mapping[str, float]) -> str:
    standing, before = (
        SimpleNamespace(ratings=rated(one) if len(one) > 1 else None) for one in (points, former)
    )
    told: Any = submitted_place(standing, before, ADA)  # type: ignore[arg-type] - ratings are enough
    return " ".join(describe_place(standing, ADA, told))  # type: ignore[arg-type]


def test_all_others_are_better_worse_or_undecided() -> None:
    told = place({"top": 0.9, "ada": 0.0, "bob": 0.0, "cy": 0.0, "low": -0.8}, {"ada@2": 0})
    assert "surely better than 1 bot and surely worse than 1 bot; against 2 bots it" in told
    told = place({"ada": 0.8, "bob": 0.0}, {"ada@2": 0})
    assert "surely better than 1 bot and surely worse than no bot; against no bot it" in told


def test_version_is_compared_with_the_one_before() -> None:
    field = {"ada": 0.8, "bob": 0.0}
    better = place(field, {"ada@2": 0.8, "ada@1": 0.0, "ada@3": 0.8})
    assert better.endswith("It is surely better than version 1.")
    assert place(field, {"ada@2": 0.0, "ada@1": 0.8}).endswith("surely worse than version 1.")
    level = place(field, {"ada@2": 0.0, "ada@1": 0.0})
    assert level.endswith("Whether it is better than version 1 is undecided.")


def test_bot_that_is_alone_is_not_rated() -> None:
    assert place({"ada": 0}, {"ada@2": 0}) == (
        "ada is alone in the league: it is rated when there is another."
    )


OLD, NEW, BOB, GONE, DAN = (
    Entry(name=name, version=version, digest="", words=(), state=state)
    for name, version, state in (
        *(("ada", 1, "replaced"), ("ada", 2, "current"), ("bob", 1, "current")),
        *(("gone", 1, "withdrawn"), ("dan", 1, "current")),
    )
)
ENTRIES = (OLD, NEW, BOB, GONE, DAN)
FULL = [entry.full_name for entry in ENTRIES]
PLAYED = (
    *(*met("ada@2", "bob@1", "wwlw"), *met("ada@1", "bob@1", "wwlw"), *met("ada@1", "dan@1", "wl")),
    *(*met("bob@1", "gone@1", "wlwl"), *met("ada@2", "dan@1", "wlwl"), *met("bob@1", "dan@1", "l")),
)
FIELD = "The league's field: ada@2, bob@1, dan@1."
ANCHORED = (
    "ada@1 (replaced) is the anchor of the league: it stays in the tables, and all others meet it."
)


def in_league(*, looks: tuple[Look, ...] = (), **more: Any) -> Standing:  # noqa: ANN401 - what a league and its standing are given
    given = {key: more.pop(key) for key in ("anchor", "left_out", "charter") if key in more}
    played = tournament(FULL, "league")
    league = league_of(*ENTRIES, record=played, missing=more.pop("missing", 0), **given)
    record: Any = Record(played, PLAYED, looks=looks)
    return league_standing(league, record, **more)


def games(standing: Standing) -> dict[str, int]:
    assert standing.ratings is not None
    table = standing.ratings.table
    return dict(zip(table["bot"], table["games"], strict=True))


def test_those_in_the_field_count_under_their_names() -> None:
    standing = in_league()
    assert games(standing) == {"ada": 8, "bob": 5, "dan": 5}
    assert standing.notes == [
        FIELD,
        "Only in the record, and shown by --all: ada@1 (replaced), gone@1 (withdrawn).",
    ]


def test_all_versions_count_under_their_full_names_or_some_of_them() -> None:
    assert games(in_league(all_versions=True)) == {
        "ada@1": 6,
        "ada@2": 8,
        "bob@1": 13,
        "gone@1": 4,
        "dan@1": 7,
    }
    some = in_league(all_versions=True, among={"ada@1", "gone@1", "bob@1"})
    assert games(some) == {"ada@1": 4, "bob@1": 8, "gone@1": 4}
    assert games(in_league(among={"ada@1", "gone@1", "bob@1", "dan@1"})) == {"bob": 1, "dan": 1}


def test_anchor_counts_also_when_it_was_replaced_and_holds_the_scale() -> None:
    charter = {"anchor": Anchor(bot="ada@1", elo=1000.0)}
    for more in ({}, {"among": {"bob@1", "dan@1"}}):
        standing = in_league(anchor=OLD, charter=charter, **more)
        assert standing.ratings is not None
        rows = standing.ratings.table.set_index("bot")
        assert rows.loc["ada@1", "elo"] == 1000
        assert set(rows.index) == {"ada@1", "bob", "dan"} | ({"ada"} if not more else set())
    assert standing.notes == [
        FIELD,
        "Only in the record, and shown by --all: gone@1 (withdrawn).",
        ANCHORED,
    ]
    current = in_league(anchor=BOB, charter={"anchor": Anchor(bot="bob@1", elo=1000.0)})
    assert current.ratings is not None
    assert current.ratings.table.set_index("bot").loc["bob", "elo"] == 1000
    assert not any("anchor" in note for note in current.notes)


def test_anchor_that_met_nobody_who_counts_holds_no_scale() -> None:
    charter = {"anchor": Anchor(bot="gone@1", elo=1000.0)}
    standing = in_league(
        anchor=GONE, charter=charter, left_out=frozenset({frozenset({"gone", "bob"})})
    )
    assert standing.ratings is not None
    assert games(standing) == {"ada": 8, "bob": 5, "dan": 5}
    own = HowRated(anchor=("dan", 1200.0))
    anchored = in_league(how=own).ratings
    assert anchored is not None
    assert anchored.table.set_index("bot").loc["dan", "elo"] == 1200


def test_games_left_out_and_those_of_one_author_do_not_count() -> None:
    standing = in_league(left_out=frozenset({frozenset({"ada", "dan"})}), missing=3)
    assert games(standing) == {"ada": 4, "bob": 5, "dan": 1}
    assert standing.notes[2:] == [
        "Left out of the ratings by the operator: ada against dan.",
        "3 games are still to be played: `salvo submit --league league`.",
    ]
    assert games(in_league(kin={"ada@2": 1, "dan@1": 1})) == {"ada": 4, "bob": 5, "dan": 1}
    assert games(in_league(kin={"ada@2": 1, "dan@1": 2})) == games(in_league())


@pytest.mark.parametrize(("pairs", "extended"), [(1, True), (2, False), (3, False)])
def test_league_is_extended_where_it_was_rated_with_fewer_games_a_pairing(
    pairs: int, *, extended: bool
) -> None:
    assert in_league(looks=(Look(pairs),)).extended is extended


def test_record_without_its_league_shows_the_newest_versions() -> None:
    played = tournament([*FULL, "ada@10", "ada@9", "loner"], "league")
    record: Any = Record(
        played,
        PLAYED,
        met("ada@10", "bob@1", "wl"),
        met("ada@9", "bob@1", "wl"),
        met("loner", "bob@1", "wl"),
    )
    standing = standing_in(record, played)
    assert games(standing) == {"ada": 2, "bob": 9, "gone": 4, "dan": 1, "loner": 2}
    [note] = standing.notes
    assert note.startswith("The newest version of each bot: the league's register")
    everybody = standing_in(record, played, all_versions=True)
    assert set(games(everybody)) == {*FULL, "ada@10", "ada@9", "loner"}
    assert everybody.notes == []


def test_bots_that_were_surely_better_or_worse_are_named() -> None:
    ratings = rated({"top": 0.9, "ada": 0.0, "bob": 0.0, "low": -0.8})
    standing: Any = SimpleNamespace(ratings=ratings)
    told = submitted_place(standing, standing, ADA)
    assert (told["bot"], told["version"], told["games"]) == ("ada", 2, 240)
    assert (told["surely_better_than"], told["surely_worse_than"]) == (["low"], ["top"])
    assert "than_before" not in told
    nobody: Any = SimpleNamespace(ratings=None)
    for other in (nobody, SimpleNamespace(ratings=rated({"bob": 0, "cy": 0}))):
        unrated: Any = other
        assert submitted_place(unrated, nobody, ADA) == {"bot": "ada", "version": 2}
