"""A bot may reach and ask for what is granted, and whoever runs it is told."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import Level, prove
from arena.store import Store

Salvo = Callable[..., Any]

BOT = """
from arena import Bot, run


class InOrder(Bot):
    def choose_shots(self, count):
        return self.untried[:count]


run(InOrder)
"""

READER = BOT.replace("self.untried", "(self.untried if open(PATH).read() else None)")

FEW = ("--rules", "ramesh-1", "--layouts", "1")


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """Return a folder in which two authors laid their bots, and beside it something shared."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    (tmp_path / "shared").write_text("openings", encoding="utf-8")
    for name in ("alice.py", "mallory.py"):
        (inbox / name).write_text(BOT, encoding="utf-8")
        (inbox / name).chmod(0o755)
    return inbox


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ('files = ["."]', "files: '.' lies neither in its own folder (mallory.py.files) nor"),
        ('files = ["alice.py"]', "files: 'alice.py' lies neither in its own folder"),
        ('command = ["./alice.py"]', "command: './alice.py' lies neither in its own folder"),
        ('command = ["../inbox/alice.py"]', "command: '../inbox/alice.py' lies neither"),
        ('command = "python3 alice.py"', "command: 'alice.py' lies neither in its own folder"),
        ("memory_mb = 60000", "asks for 60000 MB, and at most 4096 MB are allowed"),
        ("processes = true", "asks to start processes, and no bot may"),
        ('network = ["API.example.org:443"]', "asks to reach api.example.org:443, and no bot may"),
        ('network = ["example.org"]', "'example.org' is no address; write HOST:PORT"),
        ("temporary_mb = 65", "folder of 65 MB, and at most 64 MB are allowed"),
    ],
)
@pytest.mark.parametrize("command", ["solo", "check", "submit"])
def test_a_file_that_asks_for_too_much_is_refused_in_one_line(
    command: str, toml: str, reason: str, inbox: Path, salvo: Salvo
) -> None:
    (inbox / "mallory.py.toml").write_text(toml, encoding="utf-8")
    assert reason in salvo(command, "inbox/mallory.py").mistake


def nest(team: Path) -> None:
    place = team
    for _ in range(100):
        place /= "d"
        place.mkdir()


HOSTILE = {
    "pipe": lambda team: os.mkfifo(team / "weights"),
    "pipe for a TOML": lambda team: os.mkfifo(team / "bot.toml"),
    "device": lambda team: (team / "bot.toml").symlink_to("/dev/zero"),
    "nest": nest,
    "long list": lambda team: (team / "x.py").write_text(f"x=[{'0,' * 8_000_000}]", "utf-8"),
    "key of the operator": lambda team: (team / "author").symlink_to("/etc/passwd"),
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("command", ["solo", "submit"])
def test_a_hostile_folder_is_refused_in_one_line(
    command: str, kind: str, tmp_path: Path, salvo: Salvo
) -> None:
    team = tmp_path / "team"
    team.mkdir()
    (team / "bot.py").write_text(BOT, encoding="utf-8")
    HOSTILE[kind](team)
    assert salvo(command, "team").mistake.startswith("salvo: bot ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["team"]


def test_what_was_granted_is_read_and_stands_in_the_record(
    inbox: Path, tmp_path: Path, salvo: Salvo
) -> None:
    shared = tmp_path / "shared"
    bot = inbox / "alice.py"
    bot.write_text(READER.replace("PATH", repr(str(shared))), encoding="utf-8")
    (inbox / "alice.py.toml").write_text("memory_mb = 5000", encoding="utf-8")
    terms = ("--grant", "shared", "--max-memory", "5000")
    played = salvo("solo", "inbox/alice.py", *FEW, *terms)
    assert played.code == 0
    assert "forfeited" not in played.err
    assert "salvo: alice is given 5000 MB, as its TOML asks\n" in played.err
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        [entrant] = store.tournament().entrants
    assert entrant.program.grants == (str(shared),)
    assert entrant.program.memory_mb == 5000


@pytest.mark.parametrize("path", ["../shared", "mallory.py"])
def test_what_was_not_granted_is_not_read(path: str, inbox: Path, salvo: Salvo) -> None:
    bot = inbox / "alice.py"
    bot.write_text(READER.replace("PATH", repr(str(inbox / path))), encoding="utf-8")
    assert "alice forfeited 1 of 1 games" in salvo("solo", "inbox/alice.py", *FEW).err


def test_a_tournament_is_not_extended_by_games_with_other_grants(inbox: Path, salvo: Salvo) -> None:
    assert inbox.is_dir()
    cup = ("--tournament", "cup", "--seed", str(1 << 100))
    words = ("solo", "inbox/alice.py", *FEW, *cup, "--isolation", "none")
    assert salvo(*words).code == 0
    assert "differs in grant to bot alice: none then" in salvo(*words, "--grant", "shared").mistake


def test_bot_that_loads_too_slowly_is_told_what_allows_more(inbox: Path, salvo: Salvo) -> None:
    (inbox / "alice.py").write_text("import time\ntime.sleep(30)\n", encoding="utf-8")
    words = ("check", "inbox/alice.py", "--isolation", "none", "--load-time", "0.1")
    reason = "(0.1 s to load); allow more with --load-time"
    assert reason in " ".join(salvo(*words).out.split())


def test_temporary_folder_is_the_sandboxs_alone(inbox: Path, salvo: Salvo) -> None:
    (inbox / "alice.py.toml").write_text("temporary_mb = 100", encoding="utf-8")
    words = ("solo", "inbox/alice.py", *FEW, "--max-temporary", "100", "--isolation", "none")
    told = "alice is given no temporary folder: only isolation sandbox gives one\n"
    assert told in salvo(*words).err


@pytest.mark.parametrize(
    ("level", "told"),
    [
        (Level.NONE, "alice is given 1024 MB and may start processes, as its TOML asks\n"),
        (Level.LITE, "alice may start no processes: isolation lite lets no bot\n"),
        (Level.SANDBOX, "alice is given 1024 MB and may start processes, as its TOML asks\n"),
    ],
)
def test_whether_a_bot_may_start_processes_is_said(
    inbox: Path, salvo: Salvo, level: Level, told: str
) -> None:
    lacking = [promise for promise in prove(level) if not promise.held]
    if lacking and level is not Level.NONE:
        pytest.skip(f"isolation '{level}' does not hold here: {lacking[0].detail}")
    (inbox / "alice.py.toml").write_text("processes = true", encoding="utf-8")
    words = ("solo", "inbox/alice.py", *FEW, "--allow-processes", "--isolation", level.value)
    assert told in salvo(*words).err
