"""`python -m benchmarks same-shots` compares installations, and names the salvo that differs."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from arena.errors import UserError
from benchmarks.__main__ import bench
from benchmarks.games.shots import Shots
from benchmarks.same_shots import Settings, run

GAME = Shots("some", "salvo", solo=True, seed=1, salvos="45,12,7 33,2 8,9")


def test_an_installation_shoots_as_itself() -> None:
    *_, last = run(Settings(games=1, bots="hunt_target", against=Path(sys.prefix)))
    outcome = json.loads(last)
    assert outcome["games"] > 20
    assert outcome["different"] == 0


def test_the_first_salvo_that_differs_is_named() -> None:
    other = replace(GAME, salvos="45,12,7 33,3 9,8")
    assert GAME.first_difference(other) == (
        "some by salvo, alone, seed 1: salvo 2 is 33,2, in the other 33,3"
    )


def test_a_game_that_ends_sooner_differs() -> None:
    shorter = replace(GAME, salvos="45,12,7 33,2")
    assert shorter.first_difference(GAME).endswith("salvo 3 is none, in the other 8,9")
    assert GAME.first_difference(GAME) == ""


def test_another_installation_must_be_named() -> None:
    told = CliRunner().invoke(bench, ["same-shots"])
    assert told.exit_code == 2
    assert "Missing option '--against'" in told.output


def test_a_bot_that_is_not_bundled_is_refused() -> None:
    with pytest.raises(UserError, match=r"^--bots nobody: there is no bundled bot of that name$"):
        next(run(Settings(bots="hunt_target,nobody", against=Path(sys.prefix))))
