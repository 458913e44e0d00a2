"""The steps of the check of a class of bots, whose games and words are the same each time."""

import itertools
import math
import re
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from arena.bot import Bot
from arena.conformance import Step, check, steps
from arena.conformance.wire import Heard
from arena.entrants import Library, enter_class
from arena.isolation import Level
from arena.player import Fault
from arena.records import Fixture, Settings, Termination
from arena.rules import Rules, RulesView, Ship, Shoot
from arena.scorebook import Scorebook

TINY = Rules(name="tiny", rows=2, columns=3, fleet=(Ship("Boat", 2),))
UNHURRIED = Settings(load_s=9e5, move_s=600.0, game_s=9e5)


class InOrder(Bot):
    author = "Ada"
    version = "3"

    def choose_shots(self, count: int) -> list[int]:
        return self.untried[:count]


class Twice(InOrder):
    author = ""

    def choose_shots(self, count: int) -> list[int]:
        return list(range(count))


class Wayward(InOrder):
    name = "Way"
    version = ""
    games = itertools.count()

    def game_begins(self) -> None:
        self.turned = next(self.games) % 2

    def choose_shots(self, count: int) -> list[int]:
        return self.untried[::-1][:count] if self.turned else self.untried[:count]


class Unwilling(InOrder):
    def plays(self, rules: RulesView) -> bool:
        return rules.rows != 2


@pytest.fixture(autouse=True)
def games_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let as many games be played on a busy machine."""
    monkeypatch.setattr(steps, "GAMES_S", math.inf)


def checked(bot: type[Bot], settings: Settings = UNHURRIED) -> list[Step]:
    return list(check(enter_class(bot, Library([])), TINY, settings, Level.NONE))


def told(found: list[Step]) -> list[tuple[int, str, str]]:
    return [
        (step.number, step.verdict, re.sub(r"answer \d+ ms", "answer N ms", step.detail))
        for step in found
    ]


LINES = "a class: only a program has lines"


def test_class_without_fault_plays_ten_games_of_each_kind() -> None:
    found = checked(InOrder)
    assert [step.title for step in found] == [title for title, _ in steps._STEPS]
    assert {step.seconds for step in found if step.verdict == "skipped"} == {0.0}
    assert told(found) == [
        (1, "ok", "InOrder by Ada, version 3"),
        (2, "ok", ""),
        (3, "skipped", LINES),
        (4, "ok", ""),
        (5, "ok", ""),
        (6, "ok", ""),
        (7, "skipped", LINES),
        (8, "skipped", LINES),
        (9, "ok", "10 games, 41 turns, 41 shots, slowest answer N ms"),
        (10, "ok", "10 games, 32 turns, 32 shots, slowest answer N ms"),
        (11, "ok", "10 games, 45 turns, 45 shots, slowest answer N ms"),
        (12, "ok", ""),
        (13, "skipped", LINES),
    ]


def test_class_that_shoots_at_a_cell_again_fails_where_it_first_may() -> None:
    found = checked(Twice)
    assert [step.verdict[0] for step in found] == list("oosoofsssssss")
    assert found[5].detail.startswith("exited: exited with code 1: ValueError: choose_shots (")
    assert "returned [0], of which cell 0 was already shot" in found[5].detail
    assert "choose_shots" in found[5].stderr


def test_class_that_does_not_play_the_rules_fails_for_that() -> None:
    found = checked(Unwilling)
    assert [step.verdict[0] for step in found] == list("ofsssssssssss")
    assert [step.detail for step in found if step.detail != LINES][:2] == [
        "Unwilling by Ada, version 3",
        "it says that it does not",
    ]


def test_class_that_plays_otherwise_for_the_same_seed_is_warned_of() -> None:
    found = checked(Wayward)
    assert found[0].detail == "Way by Ada"
    assert [step.verdict[0] for step in found] == list("oosooossooows")
    assert found[11].detail == (
        "the same seed gave another game, so its games cannot be reproduced; "
        "take all randomness from the game's seed"
    )


def test_bot_that_introduces_itself_too_late_is_told_what_it_may_lack() -> None:
    first, *others = checked(InOrder, replace(UNHURRIED, load_s=0.0))
    assert (first.verdict, {step.verdict for step in others}) == ("failed", {"skipped"})
    assert first.detail.startswith("gave no introduction: did not answer in time (0 s ")
    hint = "; if it did answer: it must end the line and flush its output"
    assert first.detail.endswith(hint)


def test_slow_answer_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "SLOW_SHARE", 0.0)
    monkeypatch.setattr(steps, "GAMES_S", -1.0)  # no time for a second game
    found = checked(InOrder)
    assert [step.verdict[0] for step in found] == list("oosooosswwwos")
    assert told(found)[8][2] == ("1 game, 2 turns, 2 shots, slowest answer N ms of 600000 allowed")


def test_answer_is_slow_that_takes_more_than_half_of_the_time() -> None:
    def summary(slowest_s: float) -> str:
        book = Scorebook(Fixture("game", "bot", None, 0, (1, 2)), TINY)
        for cell, charge_s in enumerate([0.25, slowest_s, 0.25]):
            book.play(Shoot((cell,)), charge_s)
        games = [book.record("first", Fault(Termination.EXITED, ""))] * 2
        subject: Any = SimpleNamespace(settings=Settings(move_s=1.0))
        return steps._summary(subject, "first", games)

    assert summary(0.5) == "2 games, 6 turns, 6 shots, slowest answer 500 ms"
    with pytest.raises(steps._Warning, match=r"^2 games, .* answer 501 ms of 1000 allowed$"):
        summary(0.501)


def test_of_what_a_bot_writes_to_stderr_the_end_is_kept() -> None:
    heard = Heard()
    heard.write(b"a" * 8192)
    heard.write("b\u00e9\xff".encode("utf-8"))
    assert heard.take() == "a" * 8187 + "b\u00e9\xff"
    assert heard.take() == ""
