"""`salvo match --sprt`: games until a sequential test decides."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import UserError
from salvo.cli import match

Salvo = Callable[..., Any]

SMALL = """
name = "small"
rows = 4
columns = 4
shots = "afloat"
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
"""
FAST = ("--rules", "small.toml", "--isolation", "limits", "--workers", "1")
TWO = ("hunt_parity", "uniform_random")
SPRT = ("--sprt", "0,300")


@pytest.fixture(autouse=True)
def small_rules(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)


@pytest.mark.long("a match is played twice to its decision")
def test_better_bot_is_accepted_and_the_bytes_are_the_same_at_any_number_of_workers(
    salvo: Salvo, salvo_process: Salvo
) -> None:
    command = ("match", *TWO, *FAST, *SPRT, "--format", "json")
    one = salvo_process(*command, "--workers", "1", "--db", "one.sqlite3")
    two = salvo_process(*command, "--workers", "3", "--db", "two.sqlite3")
    assert one.out == two.out
    told = one.json["sprt"]
    assert (told["first"], told["accepted"]) == ("hunt_parity", "elo1")
    assert told["pairs"] >= 30
    assert told["pairs"] % 10 == 0
    assert one.json["elo"][0]["games"] > 2 * told["pairs"]
    assert one.json["verdict"]["any_time"]
    # The same command again plays nothing, and says the same.
    assert salvo(*command, "--db", "one.sqlite3").out == one.out
    words = " ".join(salvo(*command[:-2], "--db", "one.sqlite3").out.split())
    assert "hunt_parity is 300 Elo better than uniform_random, rather than" in words
    assert "biased, since the test stopped where luck had helped" in words
    assert "that were being played when the test decided" in words
    shown = " ".join(salvo("standings", "--db", "one.sqlite3").out.split())
    assert "sequential test decides when these games end (0 against 300 Elo)" in shown


def test_hypotheses_are_about_the_first_bot(salvo: Salvo) -> None:
    ran = salvo("match", *TWO[::-1], *FAST, "--sprt", "0,1000", "--format", "json").json
    assert (ran["sprt"]["first"], ran["sprt"]["accepted"]) == ("uniform_random", "elo0")


def test_games_that_were_played_before_count_and_the_end_is_said_to_be_open(salvo: Salvo) -> None:
    salvo("match", *TWO, *FAST, "--games", "20")
    ran = salvo("match", *TWO, *FAST, *SPRT, "--games", "40", "--format", "json")
    assert ran.json["sprt"]["accepted"] is None
    assert ran.json["sprt"]["pairs"] == 20
    assert "20 games to play, beside 20 in salvo.sqlite3, fewer if the test decides" in ran.err
    told = " ".join(salvo("match", *TWO, *FAST, *SPRT, "--games", "40").out.split())
    assert "has not decided after 20 pairs" in told
    assert "Raise --games to play on." in told


def test_match_has_its_difference_and_interval_as_data(salvo: Salvo) -> None:
    ran = salvo("match", *TWO, *FAST, "--games", "40", "--format", "json").json
    verdict, [difference] = ran["verdict"], ran["differences"]
    assert verdict["better"] == "hunt_parity"
    assert verdict["low"] < verdict["difference"] < verdict["high"]
    assert verdict["difference"] == difference["lead"]
    assert verdict["low"] == difference["lead_low"]


@pytest.mark.parametrize("text", ["20,0", "0", "0,20,40", "a,b", "0,5000", "nan,20", "0,nan"])
def test_what_is_no_two_leads_is_refused(salvo: Salvo, text: str) -> None:
    assert "--sprt" in salvo("match", *TWO, *FAST, "--sprt", text).mistake


@pytest.mark.parametrize(
    ("words", "games"),
    [
        ((), 200),
        (("--games", "6"), 6),
        (("--sprt", "0,20"), 20_000),
        (("--sprt", "0,20", "--games", "6"), 6),
    ],
)
def test_so_many_games_are_played_unless_others_are_asked_for(
    salvo: Salvo, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], games: int
) -> None:
    def planned(_entered: object, **amount: int) -> None:
        raise UserError(str(amount))

    monkeypatch.setattr(match, "make_plan", planned)
    ran = salvo("match", "stupid", "uniform_random", "--isolation", "none", *words)
    assert ran.mistake == f"salvo: {{'games': {games}, 'layouts': 0}}"
