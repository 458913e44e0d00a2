"""Bundled bots are asked in one process how they introduce themselves, and say the same there."""

import os
import subprocess
import sys

import pytest

from arena.bot import Bot
from arena.entrants import parse_entrant
from arena.isolation import Level
from arena.records import Settings
from arena.rules import preset
from arena.tournament import connect, introduce
from salvo import bundled
from salvo.bundled import bundled_bots, default_field
from salvo.playing import bundled_introductions
from salvo.playing.bundled_introductions import introduce_bundled

ALONE = """
import sys
from arena.rules import preset
from salvo.playing.bundled_introductions import introduce_bundled

found = introduce_bundled(["monte_carlo"], preset("salvo"))
print(found["monte_carlo"].plays, "numpy" in sys.modules)
"""
"""In an interpreter of its own, since other tests import numpy."""


@pytest.mark.parametrize("rules", ["salvo", "row-5-3"])
def test_they_say_what_they_say_when_they_are_started(rules: str) -> None:
    asked = introduce_bundled(default_field(), preset(rules))
    for name in default_field():
        program = parse_entrant(name, bundled_bots()).program
        started = introduce(connect(program, preset(rules), Settings(), Level.NONE))
        assert asked[name] == started


def test_some_decline_rules_that_others_play() -> None:
    plays = {one.plays for one in introduce_bundled(default_field(), preset("row-5-3")).values()}
    assert plays == {True, False}


@pytest.mark.parametrize("fails", [ImportError("no such library"), SystemExit(3)])
def test_one_that_cannot_say_is_left_out(
    fails: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(name: str) -> type[Bot]:
        if name == "broken":
            raise fails
        return bundled.bot_class(name)

    monkeypatch.setattr(bundled_introductions, "bot_class", find)
    found = introduce_bundled(["hunt_parity", "broken", "hunt_target"], preset("salvo"))
    assert list(found) == ["hunt_parity", "hunt_target"]


def test_without_an_answer_nobody_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled_introductions, "bot_class", lambda _name: os._exit(1))
    assert introduce_bundled(["hunt_parity"], preset("salvo")) == {}


def test_what_they_import_stays_out_of_this_process() -> None:
    ran = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert ran.stdout == "True False\n"
