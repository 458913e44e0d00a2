"""Numbers, levels and readers that the command line did not hope for are answered in words."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Salvo = Callable[..., Any]
QUICK = ("--rules", "ramesh-1", "--workers", "1")
TWO = ("hunt_target", "uniform_random")


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--seed", "abc", "'--seed': 'abc' is not a whole number"),
        ("--seed", "1.5", "'--seed': '1.5' is not a whole number"),
        ("--seed", "-1", "'--seed': -1 is too small; give 0 or more"),
        ("--games", "0", "'--games': 0 is too small; give 2 or more"),
        ("--max-memory", "100000", "100,000 is too large; give 65,536 at most"),
        ("--move-time", "soon", "'--move-time': 'soon' is not a number"),
        ("--move-time", "0", "'--move-time': 0.0 is too small; give 0.01 or more"),
        ("--game-time", "inf", "'--game-time': inf is too large; give 86,400 at most"),
    ],
)
def test_number_is_refused_in_words(salvo: Salvo, option: str, value: str, told: str) -> None:
    assert told in salvo("match", *TWO, option, value).mistake


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("verify", "folder"), "'RECORD': File 'folder' is a directory"),
        (("standings", "--db", "folder"), "'--db': File 'folder' is a directory"),
        (("operate", "pause", "--league", "file"), "'--league': Directory 'file' is a file"),
    ],
)
def test_folder_is_no_file_and_a_file_no_folder(
    salvo: Salvo, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    assert told in salvo(*words).mistake


def test_notice_of_a_lower_level_names_the_one_that_is_used(
    salvo_process: Salvo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))  # where there is no bubblewrap
    # A shard prints no tables, for which most of the time would go.
    ran = salvo_process("solo", "uniform_random", *QUICK, "--layouts", "1", "--shard", "1/1")
    assert ran.code == 0
    used = salvo_process("doctor", "--format", "json").json["auto"]
    assert used != "sandbox"
    assert f"salvo: isolation '{used}' is used: no 'sandbox' here: " in ran.err


def test_page_is_written_where_the_reader_of_the_text_is_gone(salvo: Salvo, tmp_path: Path) -> None:
    salvo("solo", "stupid", *QUICK, "--isolation", "none", "--layouts", "1")
    [game] = salvo("games", "--format", "json").json
    command = [sys.executable, "-m", "salvo", "replay", game["game"], "--posterior"]
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        command, cwd=tmp_path, stdout=writer, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(writer)
    assert ran.returncode == 0
    assert ran.stderr == "salvo: salvo-replay.html shows it\n"
    assert "<html" in (tmp_path / "salvo-replay.html").read_text(encoding="utf-8")


def test_tournaments_of_a_record_are_listed_oldest_first(salvo: Salvo) -> None:
    size = (*QUICK, "--isolation", "none")
    salvo("match", *TWO, *size, "--games", "4", "--tournament", "spring")
    salvo("solo", "hunt_target", *size, "--layouts", "3", "--tournament", "summer")
    rows = salvo("tournaments", "--format", "json").json
    assert rows == [
        {
            "tournament": "spring",
            "kind": "match",
            "rules": "ramesh-1",
            "bots": 2,
            "names": "hunt_target, uniform_random",
            "games": 4,
            "solo games": 0,
        },
        {
            "tournament": "summer",
            "kind": "solo",
            "rules": "ramesh-1",
            "bots": 1,
            "names": "hunt_target",
            "games": 0,
            "solo games": 3,
        },
    ]
    assert "no such file" in salvo("tournaments", "--db", "none.sqlite3").mistake
