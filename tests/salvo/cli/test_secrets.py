"""A secret reaches the one bot that is given it, and no file or line that anybody reads."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.store import Store

Salvo = Callable[..., Any]

KEY = "sk-5b2e9c0f77a1"

SMALL = ("--rules", "ramesh-1", "--games", "2", "--layouts", "2", "--seed", "1")
UNCONFINED = ("--isolation", "none")

BOT = """
import os, sys
from arena import Bot, run

KEY = os.environ.get("SALVO_KEY", "")
sys.stderr.write(f"key {KEY[:5]}")
sys.stderr.flush()
sys.stderr.write(f"{KEY[5:]}\\n")
if len(KEY) != LENGTH:
    sys.exit("it is not what was meant")


class Named(Bot):
    name = f"named {KEY}"

    def choose_shots(self, count):
        FAULT
        return self.untried[:count]


run(Named)
"""


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return what makes a bot that asks for a key, tells it everywhere, and does what is given."""
    monkeypatch.setenv("SALVO_KEY", KEY)

    def make(fault: str = "pass") -> Path:
        folder = tmp_path / "keyed"
        folder.mkdir(exist_ok=True)
        code = BOT.replace("LENGTH", str(len(KEY))).replace("FAULT", fault)
        (folder / "bot.py").write_text(code, encoding="utf-8")
        (folder / "bot.toml").write_text('secrets = ["SALVO_KEY"]\n', encoding="utf-8")
        return folder

    return make


def places(folder: Path) -> list[str]:
    """Return the files below a folder in which the key stands, or most of it."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if KEY[:9].encode() in path.read_bytes()]


@pytest.mark.parametrize("isolation", ["sandbox", "lite", "none"])
def test_bot_has_its_secret_and_nobody_reads_it(
    bot: Callable[[str], Path], tmp_path: Path, isolation: str, salvo: Salvo
) -> None:
    if isolation == "sandbox" and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: apt install bubblewrap")
    result = salvo(
        *("tournament", str(bot("pass")), "uniform_random", *SMALL, "--secret", "keyed=SALVO_KEY"),
        *("--isolation", isolation, "--log", "logs", "--report", "report.html"),
    )
    assert result.code == 0, result.err
    assert "forfeit" not in result.out + result.err
    assert "keyed is given SALVO_KEY, as its TOML asks" in result.err
    assert ("every bot can read them" in result.err) == (isolation == "none")
    assert "key ***" in "".join(path.read_text() for path in Path("logs").rglob("*.log"))
    assert places(tmp_path) == []
    assert KEY not in result.out + result.err
    assert "--secret keyed=SALVO_KEY" in Path("report.html").read_text(encoding="utf-8")
    with Store(Path("salvo.sqlite3"), create=False) as store:
        [name] = store.tournament_names()
        entrants = {one.name: one.program for one in store.tournament(name).entrants}
    assert entrants["keyed"].secrets == ("SALVO_KEY",)
    assert entrants["uniform_random"].secrets == ()


@pytest.mark.parametrize(
    "fault",
    [
        "raise ValueError(f'401 for {KEY}')",
        "sys.exit(f'401 for {KEY}')",
        "os.write(3, f'401 for {KEY}\\n'.encode())",
        'os.write(3, (\'{"type": "shots", "\' + KEY + \'": 1}\\n\').encode())',
    ],
    ids=["raises", "exits", "prints", "answers"],
)
def test_fault_that_quotes_a_secret_does_not_tell_it(
    bot: Callable[[str], Path], tmp_path: Path, fault: str, salvo: Salvo
) -> None:
    # The kit answers by the descriptor 3, or the next that is free: try them all.
    every = (
        fault.replace("os.write(3,", "[os.write(n,").replace(
            ".encode())",
            ".encode()) for n in (3, 4, 5) if os.path.exists(f'/proc/self/fd/{n}') or n == 3]",
        )
        if fault.startswith("os")
        else fault
    )
    folder = bot(every)
    check = salvo("check", str(folder), "--rules", "ramesh-1", "--secret", "keyed=SALVO_KEY")
    assert check.code == 1
    alone = ("--rules", "ramesh-1", "--layouts", "1", "--secret", "keyed=SALVO_KEY")
    played = salvo("solo", str(folder), *alone)
    shown = salvo("games", "--forfeits", "--format", "json")
    assert "***" in check.out + shown.out
    for result in (check, played, shown):
        assert KEY[:9] not in result.out + result.err
    assert places(tmp_path) == []


def test_bot_that_asks_for_a_secret_is_given_none_by_itself(
    bot: Callable[[str], Path], salvo: Salvo
) -> None:
    told = salvo("check", str(bot("pass"))).mistake
    assert "bot 'keyed': its TOML asks for the secret SALVO_KEY, which it is not given" in told
    assert "--secret keyed=SALVO_KEY" in told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("SALVO_KEY", "'SALVO_KEY' is not BOT=VARIABLE, such as chat=API_KEY"),
        ("keyed=sk-123", "'keyed=sk-123' is not BOT=VARIABLE"),
        ("other=SALVO_KEY", "--secret other=SALVO_KEY: no bot is called 'other'; they are keyed"),
        ("keyed=HOME", '--secret keyed=HOME: keyed does not ask for it; write secrets = ["HOME"]'),
    ],
)
def test_secret_for_nobody_is_refused_in_one_line(
    given: str, told: str, bot: Callable[[str], Path], salvo: Salvo
) -> None:
    options = ("--secret", "keyed=SALVO_KEY", "--secret", given)
    assert told in " ".join(salvo("check", str(bot("pass")), *options).err.split())
    solo = salvo("solo", str(bot("pass")), "--layouts", "1", *options)
    assert solo.code == 2
    assert told in " ".join(solo.err.split())


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "SALVO_KEY, which it is to be given, is not set in the environment"),
        ("", "SALVO_KEY, which it is to be given, is not set in the environment"),
        ("hunter2", "SALVO_KEY has fewer than 8 characters"),
    ],
)
def test_secret_that_is_none_is_refused_in_one_line(
    value: str | None,
    told: str,
    bot: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    salvo: Salvo,
) -> None:
    folder = bot("pass")
    if value is None:
        monkeypatch.delenv("SALVO_KEY")
    else:
        monkeypatch.setenv("SALVO_KEY", value)
    options = ("--layouts", "1", "--secret", "keyed=SALVO_KEY")
    assert told in salvo("solo", str(folder), *options).mistake


def test_secret_sets_no_variable_that_salvo_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, salvo: Salvo
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "12345678")
    folder = tmp_path / "keyed"
    folder.mkdir()
    code = (
        BOT.replace("FAULT", "pass").replace("LENGTH", "1").replace("SALVO_KEY", "PYTHONHASHSEED")
    )
    (folder / "bot.py").write_text(code, encoding="utf-8")
    (folder / "bot.toml").write_text('secrets = ["PYTHONHASHSEED"]\n', encoding="utf-8")
    result = salvo("check", str(folder), "--secret", "keyed=PYTHONHASHSEED", "--rules", "ramesh-1")
    assert result.code == 0, result.out


def test_league_gives_a_secret_by_its_charter_and_plays_on_without(
    bot: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, salvo: Salvo
) -> None:
    folder, league = bot("pass"), ("--league", str(tmp_path / "league"))
    assert "asks for the secret SALVO_KEY" in salvo("submit", str(folder), *league, *SMALL).mistake
    secret = ("--secret", "keyed=SALVO_KEY")
    first = salvo("submit", str(folder), *league, *SMALL, *secret, *UNCONFINED)
    assert first.code == 0, first.err
    # The same content under another name is not the one that is given it.
    twin = salvo("submit", str(folder), "--name", "twin", *league).mistake
    assert "bot 'twin': its TOML asks for the secret SALVO_KEY" in twin
    monkeypatch.delenv("SALVO_KEY")
    left = salvo("submit", "hunt_parity", *league, *UNCONFINED)
    assert left.code == 0, left.err
    assert "keyed@1 cannot be started, plays no more and keeps its rating" in left.err
    assert "SALVO_KEY, which it is to be given, is not set" in left.err
    assert "keyed" in salvo("standings", *league).out
    monkeypatch.setenv("SALVO_KEY", KEY)
    assert salvo("operate", "set", "secrets", *league).code == 0
    taken = salvo("submit", *league)
    assert "asks for the secret SALVO_KEY, which it is not given" in taken.err
    assert places(tmp_path) == []


def test_games_of_a_bot_with_a_secret_are_not_verified(
    bot: Callable[[str], Path], salvo: Salvo
) -> None:
    options = (*SMALL, "--secret", "keyed=SALVO_KEY", *UNCONFINED)
    assert salvo("tournament", str(bot("pass")), "uniform_random", *options).code == 0
    verified = salvo("verify", "salvo.sqlite3", "--sample", "100%", *UNCONFINED)
    assert verified.code == 0, verified.err
    assert "games of keyed cannot be played again: they had the network, or secrets" in verified.err
    assert "all of them are the same" in verified.out
