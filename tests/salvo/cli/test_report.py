"""`salvo report`: one page on a tournament, or on a league, made from a real record."""

import json
import os
import re
import shlex
import shutil
import time
from collections.abc import Callable
from html import unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from selenium import webdriver

from arena.store import Store
from bots.tactics.value.network import VERSION
from salvo.cli.main import salvo as command

SMALL = ("--rules", "ramesh-5", "--isolation", "none", "--workers", "1")
CRASH = """
from arena import Bot, run


class Crash(Bot):
    author, version = "A. <b>Student</b>", "0.3"

    def choose_shots(self, count):
        if len(self.untried) < 12:
            raise ValueError("</script><script>window.hurt = 1</script>")
        return self.untried[:count]


run(Crash)
"""


def run(folder: Path, *words: str) -> str:
    """Run a command of ``salvo`` in a folder, and return what it printed on stdout."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner().invoke(command, words, catch_exceptions=False).stdout
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the record of a tournament, one of whose bots crashes."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "my bots").mkdir()
    (folder / "my bots" / "crash.py").write_text(CRASH, encoding="utf-8")
    bots = ("hunt_target", "uniform_random", "my bots/crash.py")
    run(folder, "tournament", *bots, *SMALL, "--games", "6", "--layouts", "6")
    return folder


@pytest.fixture(scope="module")
def page(played: Path) -> str:
    return (played / "salvo-report.html").read_text(encoding="utf-8")


def facts(page: str) -> dict[str, str]:
    """Return who, what and when, as the top of the page says."""
    found = re.findall(r"<dt>(.*?)</dt><dd>(?:<code>)?(.*?)(?:</code>)?</dd>", page)
    return {name: unescape(value) for name, value in found}


def test_who_what_and_when_stand_at_the_top(page: str) -> None:
    told = facts(page)
    assert re.fullmatch(r"\d+ \w+ \d{4}, \d\d:\d\d.* UTC", told["Played"])
    assert told["By"].startswith("Salvo ")
    assert " core" in told["On"]
    assert told["Isolation"] == "none"
    assert "crash 0.3 by A. <b>Student</b>" in told["Bots"]
    assert re.fullmatch(r"\d+ of 36 games: \d+ barred, \d+ exited", told["Forfeits"])


def test_command_to_repeat_plays_the_same_games(played: Path, page: str) -> None:
    [name, *words] = shlex.split(facts(page)["To repeat"])
    assert name == "salvo"
    own = ("--db", "again.sqlite3", "--report", "again.html", "--workers", "1")
    again = run(played, *words, *own, "--format", "json")
    assert json.loads(again) == json.loads(run(played, "standings", "--format", "json"))


def test_same_record_makes_the_same_bytes(played: Path, page: str, tmp_path: Path) -> None:
    again = tmp_path / "again.html"
    run(played, "report", "--report", str(again))
    assert again.read_text(encoding="utf-8") == page


def test_forfeits_stand_by_kind_in_the_bots_own_words(page: str) -> None:
    assert "ValueError: &lt;/script&gt;" in page
    assert "`salvo replay GAME` shows a game by its id, and with --stderr" in page
    assert "<script>window.hurt" not in page


def test_several_games_can_be_watched(page: str) -> None:
    keys = re.findall(r'data-replay="(\w+)"', page)
    assert {"closest", "longest", "forfeit", "solo"} <= set(keys)
    assert len(keys) == len(set(keys))


def replays_in(page: str) -> dict[str, Any]:
    """Return the games that a page plays, by their keys."""
    data = r'<script type="application/json" data-replay="(\w+)">(.*?)</script>'
    return {key: json.loads(text) for key, text in re.findall(data, page)}


def test_choices_and_luck_are_those_of_the_commands(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(
        'name = "small"\nrows = 4\ncolumns = 4\n'
        'fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]\n'
    )
    size = ("--games", "2", "--layouts", "3", "--rules", "small.toml")
    own = ("--isolation", "none", "--workers", "1")
    run(tmp_path, "tournament", "hunt_target", "uniform_random", *size, *own)
    run(tmp_path, "standings", "--adjusted")
    games = replays_in((tmp_path / "salvo-report.html").read_text(encoding="utf-8"))
    assert {"closest", "solo"} <= games.keys()
    for shown in (games["closest"], games["solo"]):
        [named] = [note for note in shown["notes"] if note.startswith("Game ")]
        game = named.split()[1].rstrip(":,")
        run(tmp_path, "replay", game, "--posterior", "--html", str(tmp_path / "game.html"))
        told = replays_in((tmp_path / "game.html").read_text(encoding="utf-8"))["game"]
        assert analysed(shown) == analysed(told)
        assert any(cost for cost, _ in analysed(shown))
    with Store(tmp_path / "salvo.sqlite3", create=False) as store:
        [tournament] = store.tournament_names()
        luck = store.luck(tournament, VERSION)[store.game(game)[0].fixture.id].turns
    summed = f"luck {'gave' if luck <= 0 else 'took'} {abs(luck):.1f}, choices "
    assert any(summed in note for note in games["solo"]["notes"])


def analysed(game: dict[str, Any]) -> list[tuple[float | None, list[str]]]:
    """Return what each salvo of a game cost, and what is said of that."""
    return [
        (
            frame.get("cost"),
            [line for line in frame["lines"] if line.startswith(("Cost: ", "Luck: "))],
        )
        for frame in game["frames"]
    ]


def test_every_name_leads_to_a_section_with_numbers_of_its_own(page: str) -> None:
    for bot in ("hunt_target", "uniform_random", "crash"):
        assert page.count(f'href="#bot-{bot}"') > 3
        [section] = re.findall(rf'id="bot-{bot}">.*?(?:class="card"|</section>)', page, re.DOTALL)
        for words in ("shoots first", "places its fleet", "Against each", "is number", "answers"):
            assert words in section


def test_page_of_a_league_has_its_field_and_the_history_of_versions(
    tmp_path: Path, league_of_one: Path
) -> None:
    shutil.copytree(league_of_one, tmp_path / "league")
    own = ("--isolation", "none", "--workers", "1")
    run(tmp_path, "submit", "uniform_random", "--name", "alpha", *own)
    run(tmp_path, "submit", "hunt_parity", "--name", "alpha", *own)
    run(tmp_path, "submit", "uniform_random", "--name", "gone", *own)
    run(tmp_path, "withdraw", "gone")
    run(tmp_path, "report", "--league", "league")
    page = (tmp_path / "salvo-report.html").read_text(encoding="utf-8")
    assert "<h1>Salvo league: 2 bots, rules ramesh-1</h1>" in page
    assert set(re.findall(r'class="card" id="bot-(.*?)">', page)) == {"alpha", "hunt_target"}
    [history] = re.findall(r'<section id="versions">.*?</section>', page, re.DOTALL)
    assert "replaced" in history
    assert "withdrawn" in history
    assert facts(page)["Seed"].startswith("secret; its fingerprint is ")
    # The record by itself is read in the same way, as long as it lies in its league.
    names = [
        row["bot"]
        for row in json.loads(
            run(tmp_path, "standings", "--db", "league/salvo.sqlite3", "--format", "json")
        )["elo"]
    ]
    assert sorted(names) == ["alpha", "hunt_target"]
    (tmp_path / "league" / "salvo.sqlite3").rename(tmp_path / "moved.sqlite3")
    told = run(tmp_path, "standings", "--db", "moved.sqlite3")
    assert "does not lie beside this record" in " ".join(told.split())
    assert "alpha@" not in told
    assert "alpha@1" in run(tmp_path, "standings", "--db", "moved.sqlite3", "--all")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_page_is_fit_for_everybody(
    browser: webdriver.Chrome,
    opened: Callable[[str], None],
    page: str,
    width: int,
    scheme: str,
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    opened(page)
    # What is folded is not looked at otherwise.
    browser.execute_script("document.querySelectorAll('details').forEach((one) => one.open = true)")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script("return window.hurt") is None
    assert browser.get_log("browser") == []
    assert violations(browser) == []


def violations(browser: webdriver.Chrome) -> list[Any]:
    """Return what axe finds against a page."""
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.execute_script(axe)
    browser.execute_script("axe.run().then((found) => { window.found = found; })")
    deadline = time.monotonic() + 300
    while not browser.execute_script("return Boolean(window.found)"):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    return [
        (found["id"], [node["html"] for node in found["nodes"]])
        for found in browser.execute_script("return window.found.violations")
    ]
