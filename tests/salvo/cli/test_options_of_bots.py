"""A bot has options where its TOML says so, whichever Python is first on PATH."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Salvo = Callable[..., Any]

BOT = """
import sys
from arena import Bot, run


class Steps(Bot):
    version = sys.argv[1]

    def choose_shots(self, count):
        return self.untried[:count]


run(Steps)
""".replace("run(Steps)", "run(lambda: Steps())")

FAST = ("--isolation", "none")
SMALL = ("--rules", "ramesh-1", "--games", "2", "--layouts", "2", "--seed", "1")
FIX = 'begin the command with the file, as in "bot.py 300", for the Python of Salvo'


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """Return the folder of a bot that needs an option."""
    folder = tmp_path / "steps"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT, encoding="utf-8")
    return folder


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def without_salvo(path: Path) -> None:
    """Put a Python on PATH that Salvo is not installed in."""
    python = path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
    python.chmod(0o755)


def give(steps: Path, command: str) -> None:
    (steps / "bot.toml").write_text(f'command = "{command}"', encoding="utf-8")


@pytest.mark.parametrize("other", [False, True])
def test_file_with_options_plays_in_a_league_whichever_python_is_on_path(
    steps: Path, path: Path, salvo: Salvo, *, other: bool
) -> None:
    if other:
        without_salvo(path)
    give(steps, "bot.py 300")
    submitted = salvo("submit", "steps", "--league", "league", *SMALL, *FAST)
    assert submitted.code == 0, submitted.err
    assert "version 300" in submitted.err


def test_python_without_salvo_is_said_with_the_fix(steps: Path, path: Path, salvo: Salvo) -> None:
    without_salvo(path)
    give(steps, "python bot.py 300")
    told = " ".join(salvo("check", "steps", *FAST).out.split())
    assert f"'python' is not the Python that Salvo runs in; {FIX}" in told


@pytest.mark.usefixtures("path")
def test_python_that_is_not_there_is_said_with_the_fix(steps: Path, salvo: Salvo) -> None:
    give(steps, "python bot.py 300")
    told = " ".join(salvo("check", "steps", *FAST).out.split())
    assert f"No such file or directory: 'python'; {FIX}" in told


@pytest.mark.parametrize(
    ("bot", "told"),
    [
        ("steps 300", 'write command = "bot.py 300" in its bot.toml'),
        ("steps/bot.py 300", 'write command = "bot.py 300" in its bot.py.toml'),
        ("python3 steps/bot.py 300", 'write command = "bot.py 300" in its bot.py.toml'),
        ("sh steps/rows.sh 300", 'write command = "sh rows.sh 300" in its rows.sh.toml'),
        ("sh -c true", "write the command in a bot.toml"),
        ("hunt_target --slow", 'copy its file, write command = "hunt_target.py --slow" in its'),
    ],
)
def test_options_of_a_league_are_refused_with_the_line_that_has_them(
    steps: Path, salvo: Salvo, bot: str, told: str
) -> None:
    if bot.startswith("python3") and shutil.which("python3") is None:
        pytest.skip("no Python is on PATH")
    (steps / "rows.sh").touch()
    mistake = salvo("submit", bot, "--league", "league").mistake
    assert "a league takes a file or a folder, not a command or options; " in mistake
    assert told in mistake


def test_record_of_a_bot_whose_toml_has_its_options_is_verified(steps: Path, salvo: Salvo) -> None:
    give(steps, "bot.py 300")
    small = ("--rules", "ramesh-1", "--layouts", "2")
    played = salvo("solo", "steps", *small, *FAST, "--db", "cup.sqlite3")
    assert played.code == 0, played.err
    ran = salvo("verify", "cup.sqlite3", *FAST, "--sample", "100%")
    assert ran.code == 0, ran.err
    assert "all of them are the same" in ran.out
