"""Bots of one invite do not meet, and where they met anyway, it does not count."""

from pathlib import Path

import pandas as pd
import pytest

from arena.league import Anchor, Charter, League
from arena.league.register import read_register
from arena.rules import preset
from salvo.bundled import bundled_bots
from salvo.reports.tables.game_tables import without_pairings
from salvo.server.leagues import open_league, plan_of


@pytest.fixture
def league(tmp_path: Path) -> League:
    """Return a league with two versions of ada, the first of which is still its anchor."""
    charter = Charter(rules=preset("ramesh-1"), seed="1", games=20, anchor=Anchor(bot="ada@1"))
    league = League(tmp_path / "league", charter, bundled_bots())
    for name, bot in (
        ("ada", "hunt_target"),
        ("bob", "uniform_random"),
        ("ada", "hunt_parity"),
    ):
        with league.candidate(bundled_bots()[bot], name) as candidate:
            league.admit(candidate)
    return open_league(tmp_path / "league")


def test_versions_of_one_invite_do_not_meet_even_if_one_is_the_anchor(league: League) -> None:
    assert ("ada@1", "ada@2") in league.plan().pairings
    plan = plan_of(league, {"ada": 7}, uploaded=True)
    assert set(plan.pairings) == {("ada@1", "bob@1"), ("ada@2", "bob@1")}


def test_bots_of_two_names_and_one_invite_do_not_meet(league: League) -> None:
    assert plan_of(league, {"ada": 7, "bob": 7}, uploaded=True).pairings == ()


def test_outside_the_sandbox_no_bot_plays_that_was_uploaded(league: League) -> None:
    plan = plan_of(league, {"bob": 7}, uploaded=False)
    assert plan.pairings == (("ada@1", "ada@2"),)
    assert plan.soloists == ("ada@2",)
    assert {entry.name for entry in read_register(league.folder)} == {"ada", "bob"}


def test_forged_games_between_bots_of_one_invite_do_not_count() -> None:
    games = pd.DataFrame(
        [("a", "b"), ("b", "a"), ("a", "c"), ("c", "d"), ("a", None)], columns=["first", "second"]
    )
    kept = without_pairings(games, {frozenset({"a", "b"})})
    assert kept["first"].tolist() == ["a", "c", "a"]


def test_no_games_are_no_games_without_a_pairing() -> None:
    games = pd.DataFrame(columns=["first", "second", "result"])
    kept = without_pairings(games, {frozenset({"a", "b"})})
    assert list(kept.columns) == ["first", "second", "result"]
    assert kept.empty
