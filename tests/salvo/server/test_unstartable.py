"""A bot that can no longer be started stops nobody."""

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.entrants import Terms
from arena.league import Anchor, Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots

pytestmark = pytest.mark.usefixtures("_sandbox")

Served = Any
MakeServer = Callable[..., Served]
Salvo = Callable[..., Any]


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder with an interpreter that the bots of a league may use."""
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "interpreter").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', "ascii")
    (folder / "interpreter").chmod(0o755)
    return folder


@pytest.fixture
def granting(tmp_path: Path, tools: Path) -> Path:
    """Return a league that grants it."""
    charter = Charter(
        rules=preset("ramesh-1"),
        seed="1234567890123456789",
        games=4,
        layouts=2,
        anchor=Anchor(bot="hunt_target@1"),
        terms=Terms(grants=(str(tools),)),
    )
    league = League(tmp_path / "league", charter, bundled_bots())
    for name in ("hunt_target", "uniform_random"):
        with league.candidate(bundled_bots()[name], name) as candidate:
            league.admit(candidate)
    return league.folder


def folder_of(bot: str, tools: Path) -> dict[str, str]:
    command = json.dumps([str(tools / "interpreter"), "bot.py"])
    return {"bot.py": bot, "bot.toml": f"command = {command}\n"}


@pytest.mark.long("a league is played three times")
def test_served_league_plays_on_without_it_and_with_it_once_it_is_mended(
    granting: Path, tools: Path, make_server: MakeServer
) -> None:
    server = make_server(granting, "--public")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in folder_of(server.bot, tools).items():
            archive.writestr(name, text)
    ada, bob = server.invite("ada", "bob")
    submitted = server.submit("ada", content.getvalue(), ada, "bot.zip")
    assert server.checked(submitted)["state"] == "accepted"
    key = server.key_of(submitted)

    def standings(games: dict[str, int]) -> Any:  # noqa: ANN401 - an answer
        told = server.get("/api/standings").json
        return told if {row["bot"]: row["games"] for row in told["elo"]} == games else None

    def unstartable() -> dict[str, str]:
        found: dict[str, str] = server.get("/api/operate", server.key).json["unstartable"]
        return found

    everybody = {"hunt_target", "uniform_random", "ada"}
    server.until(lambda: standings(dict.fromkeys(everybody, 8)))
    tools.rename(tools.with_name("moved"))
    late = server.bot.replace("A. Student", "B. Student").encode()
    assert server.checked(server.submit("bob", late, bob))["state"] == "accepted"
    # All of the newcomer's games are played but those against the one that cannot be started.
    met = {"hunt_target": 12, "uniform_random": 12, "bob": 8, "ada": 8}
    after = server.until(lambda: standings(met))
    assert any("cannot be started here" in note and "ada@1" in note for note in after["notes"])
    assert "there is no" in unstartable()["ada@1"]
    for page in (server.get("/operate", server.key), server.get("/mine/ada", key)):
        assert page.status == 200
        assert "ada@1 cannot be started, plays no more and keeps its rating" in page.text
    assert str(granting) not in server.get("/mine/ada", key).text
    tools.with_name("moved").rename(tools)
    server.until(lambda: standings(dict.fromkeys(met, 12)))
    assert unstartable() == {}


@pytest.mark.long("a league is played three times")
def test_commands_go_on_without_it_and_after_it_is_withdrawn(
    salvo: Salvo, granting: Path, tools: Path, tmp_path: Path
) -> None:
    of = ("--league", str(granting))
    bot = tmp_path / "ada"
    bot.mkdir()
    for name, text in folder_of("from bots.hunt_parity import *\n", tools).items():
        (bot / name).write_text(text, encoding="ascii")
    (bot / "bot.py").write_text(bundled_bots()["hunt_parity"].read_text("utf-8"), "utf-8")
    assert salvo("submit", str(bot), *of).code == 0
    tools.rename(tools.with_name("moved"))
    for words in (("standings", *of), ("report", *of, "--report", str(tmp_path / "page.html"))):
        done = salvo(*words)
        assert (done.code, done.err) == (0, "")
    assert "ada" in salvo("standings", *of).out
    done = salvo("submit", "hunt_parity", *of)
    assert done.code == 0
    [told] = [line for line in done.err.splitlines() if "cannot be started" in line]
    assert told.startswith("salvo: ada@1 cannot be started, plays no more and keeps its rating: ")
    assert told.endswith("; mend that, or withdraw it: `salvo withdraw ada`")
    assert "4 games are still to be played" in done.out
    assert salvo("withdraw", "ada", *of).code == 0
    done = salvo("submit", "probability_density", *of)
    assert done.code == 0
    assert "cannot be started" not in done.err
    assert "still to be played" not in done.out


def test_grants_of_a_league_with_games_are_changed_by_a_command(
    salvo: Salvo, granting: Path, tools: Path
) -> None:
    of = ("--league", str(granting))
    assert salvo("submit", *of).code == 0
    moved = tools.rename(tools.with_name("moved"))
    done = salvo("operate", "set", "grants", str(moved), *of)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"grants is {moved}, not {tools}. ")
    done = salvo("submit", "hunt_parity", *of)
    assert done.code == 0
    assert "still to be played" not in done.out
    done = salvo("operate", "set", "seed", "5", *of)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    done = salvo("submit", "hunt_parity", "--grant", str(tools.parent), *of)
    assert done.code == 2
    assert "`salvo operate set`" in done.err


def test_nothing_is_registered_where_the_charter_was_changed_by_hand(
    salvo: Salvo, granting: Path
) -> None:
    of = ("--league", str(granting))
    assert salvo("submit", *of).code == 0
    charter = granting / "league.toml"
    was = charter.read_text("utf-8")
    charter.write_text(was.replace("move_s = 2.0", "move_s = 3.0"), encoding="utf-8")
    register = (granting / "register.json").read_bytes()
    done = salvo("submit", "hunt_parity", *of)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "move_s" in done.err
    assert (granting / "register.json").read_bytes() == register
    charter.write_text(was, encoding="utf-8")
    assert salvo("submit", "hunt_parity", *of).code == 0
