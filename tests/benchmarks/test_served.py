"""The benchmarks of a server, small: every page is answered, no event is lost."""

import json

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import bench


def test_watchers_hear_of_everything_once() -> None:
    words = ("serve", "--watchers", "20", "--bots", "2", "--seconds", "5")
    result = CliRunner().invoke(bench, words, catch_exceptions=False)
    outcome = json.loads(result.output.splitlines()[-1])
    assert (outcome["events_lost"], outcome["events_doubled"], outcome["resets"]) == (0, 0, 0)
    assert outcome["failed"] == 0
    assert outcome["pages"] >= 20


def test_leaderboard_of_a_league_that_was_made_up_opens() -> None:
    words = ("board", "--bots", "4", "--games", "50")
    result = CliRunner().invoke(bench, words, catch_exceptions=False)
    outcome = json.loads(result.output.splitlines()[-1])
    assert (outcome["bots"], outcome["games"]) == (4, 48)
    assert 0 < outcome["later_s"] <= outcome["first_s"]


def test_people_who_watch_and_play_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.people._REPEATS", 4)
    monkeypatch.setattr("benchmarks.people._COME_S", 1.0)
    words = ("people", "--watchers", "5", "--people", "2", "--seconds", "5", "--rounds", "1")
    result = CliRunner().invoke(bench, words, catch_exceptions=False)
    outcome = json.loads(result.output.splitlines()[-1])
    assert outcome["failed"] == 0
    assert outcome["pages"] >= 5
    assert outcome["salvos"] > 0
