"""A league as static pages: every link leads to a file, and nothing private is in it."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from selenium import webdriver

from salvo.server.site import relative

Served = Any
MakeServer = Callable[..., Served]

ABOUT = (
    "# The autumn league\n\nThursdays at ten. [The queue](/queue), [a page](https://example.org)\n"
)


def salvo(*words: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-m", "salvo", *words)
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(
    ("address", "path", "link"),
    [
        ("/", "index.html", "index.html"),
        ("/", "bots/ada.html", "../index.html"),
        ("/bots/a%2Db", "index.html", "bots/a-b.html"),
        ("/games/0123#watch-game-2", "bots/ada.html", "../games/0123.html#watch-game-2"),
        ("/api/games/0123", "games/0123.html", "0123.json"),
        ("/static/page.css?abc", "games/0123.html", "../static/page.css"),
        ("/rules#protocol", "rules.html", "rules.html#protocol"),
        ("/queue", "index.html", "/queue"),
    ],
)
def test_links_are_relative(address: str, path: str, link: str) -> None:
    assert relative(f'<a href="{address}">x</a>', path) == f'<a href="{link}">x</a>'


@pytest.mark.long("each page and link of a site is read")
def test_site_of_a_league_can_be_read_from_a_disk(
    league: Path, make_server: MakeServer, browser: webdriver.Chrome, tmp_path: Path
) -> None:
    (league / "about.md").write_text(ABOUT, encoding="utf-8")
    served = make_server(league)
    [code] = served.invite("Lovelace, Ada")
    assert served.checked(served.submit("ada", served.bot.encode(), code))["state"] == "accepted"

    def is_played() -> bool:
        told = served.get("/api/standings", served.key).json
        return told["missing_games"] == 0 and {row["bot"] for row in told["elo"]} >= {"ada"}

    served.until(is_played)
    site = tmp_path / "site"
    for _ in range(2):  # the second time it is replaced
        done = salvo("site", str(site), "--league", str(league), "--games", "3")
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{site / 'index.html'} is a site of 3 bots, with ")
    pages = sorted(site.rglob("*.html"))
    assert {page.name for page in pages} >= {"index.html", "games.html", "rules.html", "ada.html"}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for secret in ("Lovelace", code, served.key, "/enter", "/mine", "/operate", "server.js"):
            assert secret not in text, (page, secret)
        for address in re.findall(r'(?:href|src)="([^"]*)"', text):
            parts = urlsplit(address)
            if parts.scheme or address == "/queue" or not parts.path:
                continue
            assert (page.parent / unquote(parts.path)).is_file(), (page, address)
    games = list((site / "games").glob("*.html"))
    assert 3 <= len(games) <= 9
    data = json.loads(games[0].with_suffix(".json").read_text(encoding="utf-8"))
    assert "seed" not in json.dumps(data)
    with (site / "data" / "games.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 3 * 4 + 3 * 2
    assert (site / "data" / "elo.csv").read_text("utf-8").count("\n") == 4
    # In a browser, from the disk.
    browser.get((site / "index.html").as_uri())
    assert "Thursdays at ten." in browser.page_source
    browser.find_element("link text", "ada").click()
    assert browser.current_url.endswith("/bots/ada.html")
    browser.get(games[0].as_uri() + "#watch-game-2")
    shown = "return document.querySelector('#player-lines').innerText"
    assert "Salvo 2 of" in browser.execute_script(shown)


@pytest.mark.long("commands are started one after the other")
def test_nothing_else_is_replaced(league: Path, tmp_path: Path) -> None:
    never = salvo("site", str(tmp_path / "site"), "--league", str(league))
    assert never.returncode == 2
    assert "it was never served" in never.stderr
    (league / "serve").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter").touch()
    for target, told in (
        (tmp_path / "mine", "it is there already, and is no site of Salvo"),
        (league / "site", "it lies in the league's own folder"),
    ):
        with_database = salvo("operate", "invite", "Ada", "--league", str(league))
        assert with_database.returncode == 0, with_database.stderr
        refused = salvo("site", str(target), "--league", str(league))
        assert refused.returncode == 2
        assert told in refused.stderr
    assert (tmp_path / "mine" / "letter").exists()
