"""The stderr of bots is kept, and shown."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Salvo = Callable[..., Any]

SMALL = """
name = "small"
rows = 3
columns = 3
shots = 1
fleet = [{ name = "Boat", length = 2 }]
"""
CHATTY = """
from arena import Bot, run

print("loaded")

class Chatty(Bot):
    def game_begins(self):
        print("a game begins")

    def choose_shots(self, count):
        if self.shot:
            raise RuntimeError("lost the plot")
        return self.untried[:count]

run(Chatty)
"""
FAST = ("--rules", "small.toml", "--isolation", "limits", "--workers", "1")
TRACEBACK = [
    "Traceback (most recent call last):",
    '  File "CHATTY", line 12, in choose_shots',
    '    raise RuntimeError("lost the plot")',
    "RuntimeError: lost the plot",
]


@pytest.fixture(autouse=True)
def chatty(tmp_path: Path) -> Path:
    """Write a bot that forfeits every game on its second turn."""
    (tmp_path / "small.toml").write_text(SMALL)
    path = tmp_path / "chatty.py"
    path.write_text(CHATTY)
    return path


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory, salvo_in: Salvo) -> Path:
    """Return the record of a tournament without a forfeit."""
    folder = tmp_path_factory.mktemp("calm")
    (folder / "small.toml").write_text(SMALL)
    amount = ("--games", "2", "--layouts", "2")
    assert salvo_in(folder, "tournament", "uniform_random", "hunt_target", *FAST, *amount).code == 0
    return folder / "salvo.sqlite3"


@pytest.fixture
def of_calm(calm: Path, tmp_path: Path) -> None:
    """Copy that record to where `salvo` runs."""
    shutil.copy(calm, tmp_path)


def expected(chatty: Path) -> list[str]:
    return [line.replace("CHATTY", str(chatty)) for line in TRACEBACK]


def test_stderr_of_forfeited_games_is_replayed_and_each_traceback_listed_once(
    salvo: Salvo, chatty: Path
) -> None:
    played = salvo("match", "chatty.py", "uniform_random", *FAST, "--games", "2")
    assert "lost the plot (chatty.py, line 12)" in played.err
    games = salvo("games", "--forfeits", "--format", "json").json
    lines = salvo("replay", games[0]["game"], "--stderr").out.splitlines()
    assert lines == ["loaded", "a game begins", *expected(chatty)]
    assert games[0]["stderr"].splitlines() == lines
    shown = salvo("games", "--forfeits").out.splitlines()
    titles = [line for line in shown if line.startswith("stderr of")]
    assert len(titles) == 1
    assert re.fullmatch(
        r"stderr of chatty, which forfeited 2 games alike \(`salvo replay \w{8} --stderr`\):",
        titles[0],
    )
    assert shown[-4:] == [f"    {line}" for line in expected(chatty)]


def test_list_of_forfeits_shows_an_error_once_whatever_value_it_names(
    salvo: Salvo, chatty: Path
) -> None:
    named = CHATTY.replace('"lost the plot"', "os.urandom(8).hex()")
    chatty.write_text(f"import os\n{named}")
    salvo("match", "chatty.py", "uniform_random", *FAST, "--games", "2")
    reasons = {game["reason"] for game in salvo("games", "--format", "json").json}
    assert len(reasons) == 2
    shown = salvo("games", "--forfeits").out
    assert shown.count("Traceback") == 1
    assert "which forfeited 2 games alike" in shown


@pytest.mark.usefixtures("of_calm")
def test_list_without_forfeits_is_a_sentence(salvo: Salvo) -> None:
    ran = salvo("games", "--forfeits")
    assert ran.out == ""
    assert "no forfeit in it" in ran.err


@pytest.mark.usefixtures("of_calm")
def test_game_that_was_not_forfeited_has_no_stderr(salvo: Salvo) -> None:
    game = salvo("games", "--format", "json").json[0]["game"]
    assert f"nobody forfeited game {game}, and only then" in (
        salvo("replay", game, "--stderr").mistake
    )


@pytest.mark.usefixtures("of_calm")
def test_list_of_games_puts_pairs_before_layouts(salvo: Salvo) -> None:
    listed = salvo("games", "--format", "json").json
    assert [(game["pair"], game["layout"]) for game in listed] == [
        *[(0, None), (0, None)],
        *[(None, 0), (None, 1), (None, 0), (None, 1)],
    ]


def logs(folder: Path) -> dict[str, str]:
    """Return what is in every log below a folder, by its path without the tournament."""
    return {
        re.sub(r"small-\w{6}/", "", str(path.relative_to(folder))): path.read_text()
        for path in sorted(folder.rglob("*.log"))
    }


def test_log_keeps_what_each_process_writes_by_block_and_bot(
    salvo: Salvo, tmp_path: Path, chatty: Path
) -> None:
    amount = ("--games", "2", "--layouts", "1")
    salvo("tournament", "chatty.py", "uniform_random", *FAST, *amount, "--log", "logs/here")
    a_game = "\n".join(["loaded", "a game begins", *expected(chatty), ""])
    assert logs(tmp_path / "logs" / "here") == {
        "chatty/0-chatty.log": a_game,
        "chatty+uniform_random/0-chatty.log": a_game,
        "chatty+uniform_random/0-chatty-2.log": a_game,
        "introductions/chatty.log": "loaded\n",
    }


def test_log_of_a_league_keeps_it_too(salvo: Salvo, tmp_path: Path) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY.replace("if self.shot:", "if False:"))
    few = ("--games", "2", "--layouts", "1", "--isolation", "limits", "--workers", "1")
    salvo("submit", "chatty.py", "--rules", "small.toml", *few[:4], *few[4:], "--log", "logs")
    assert {path.name for path in (tmp_path / "logs").rglob("*.log")} == {"0-chatty@1.log"}


def test_log_of_a_game_against_a_person(salvo_process: Salvo, tmp_path: Path) -> None:
    salvo_process(
        "play", "chatty.py", "--rules", "small.toml", "--isolation", "limits", "--log", "l"
    )
    found = {re.sub(r"^\w{16}-", "", name): text for name, text in logs(tmp_path / "l").items()}
    assert found["introductions/chatty.log"] == "loaded\n"
    assert found["chatty.log"].startswith("loaded\n")


def test_log_that_a_bot_could_read_is_refused(salvo: Salvo, tmp_path: Path) -> None:
    granted = tmp_path / "granted"
    granted.mkdir()
    ran = salvo(
        *("match", "chatty.py", "uniform_random", "--rules", "small.toml", "--isolation", "lite"),
        *("--grant", str(granted), "--log", str(granted / "logs")),
    )
    assert ran.code == 2
    assert f"--log {granted / 'logs'}: chatty could read it" in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "hunt_target", "hunt_parity", "--log", "/proc/x"), "--log /proc/x: the folder"),
        (("train", "landy", "--out", "/proc/x"), "--out /proc/x: the folder cannot be made"),
        (("submit", "hunt_target", "--league", "/proc/x"), "another with --league"),
        (
            ("match", "hunt_parity --deep", "hunt_target"),
            "takes no options, but was given '--deep'",
        ),
        (("match", "clever --difficulty no", "stupid", "--rules", "afp"), "invalid choice: 'no'"),
        (("solo", "thompson --block-size 0"), "--block-size 0: a block has at least one layout"),
        (("solo", "posterior_parity --off-class nan"), "--off-class nan: give a number from 0 to"),
        (("solo", "value_search --steps castle"), "--steps castle: give some of classes,hunting"),
        (("solo", "posterior_greedy --hit-bits inf"), "--hit-bits inf: give a number from 0"),
        (("play", "--first", "--second"), "--first and --second: you have one seat"),
        (("check", "/"), "bot '/': that is no bot; name a file, or a folder with a bot.py"),
    ],
)
def test_mistake_names_what_is_wrong_and_plays_nothing(
    salvo: Salvo, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    assert told in salvo(*words).mistake
    assert not (tmp_path / "salvo.sqlite3").exists()
