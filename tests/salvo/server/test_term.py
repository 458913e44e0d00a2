"""A class from its roster to its grades, in a browser, on a clock that the test moves."""

import csv
import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from arena.seeds import fingerprint
from tests.salvo.server.reading_pages import PATIENCE_S, text_of, until

Served = Any

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
LABELS = {name: f"{name} Quillworth" for name in NAMES}
ROSTER = "number,name\n" + "".join(f"{n},{label}\n" for n, label in enumerate(LABELS.values()))
CLOSES = timedelta(days=7)
FINAL = timedelta(days=8)


class Clock:
    """The clock of the server."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.move(timedelta())

    def move(self, on: timedelta) -> None:
        draft = self.path.with_suffix(".new")
        draft.write_text(str(on.total_seconds()), encoding="utf-8")
        draft.replace(self.path)


@pytest.fixture
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "moved_clock"))
    monkeypatch.setenv("MOVED_CLOCK", str(tmp_path / "clock"))
    return Clock(tmp_path / "clock")


@pytest.fixture
def show(browser: webdriver.Chrome) -> Iterator[Callable[[str], webdriver.Chrome]]:
    def open_page(address: str) -> webdriver.Chrome:
        browser.get(address)
        return browser

    browser.implicitly_wait(PATIENCE_S)
    yield open_page
    browser.implicitly_wait(0)


def says(browser: webdriver.Chrome, pattern: str) -> Callable[[], re.Match[str] | None]:
    return lambda: re.search(pattern, text_of(browser), re.IGNORECASE)


def fill(browser: webdriver.Chrome, form: str, **values: str) -> None:
    """Fill a form of the page Operate in and send it; a moment as the browser has it."""
    place = browser.find_element(By.CSS_SELECTOR, f'[data-json="/api/operate/{form}"]')
    for name, value in values.items():
        field = place.find_element(By.NAME, name)
        browser.execute_script("arguments[0].value = arguments[1]", field, value)
    place.find_element(By.TAG_NAME, "button").click()


def upload(browser: webdriver.Chrome, path: Path, name: str) -> None:
    browser.find_element(By.ID, "name").send_keys(name)
    browser.find_element(By.ID, "file").send_keys(str(path))
    browser.find_element(By.CSS_SELECTOR, "[data-upload] button").click()


def salvo(*words: str) -> str:
    command = [sys.executable, "-m", "salvo", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    return done.stdout


def bot_of(server: Served, name: str) -> str:
    """Return a bot that is unlike that of any other name; Ada's is the best by far."""
    start = 0 if name == "Ada" else 1 + NAMES.index(name)
    better = "[cell for cell in self.untried if sum(divmod(cell, self.rules.columns)) % 2]"
    order = f"sorted(self.untried, key=lambda cell: (cell * {7 + 2 * start} + {start}) % 101)"
    cells = f"({better} + self.untried)" if name == "Ada" else order
    return str(server.bot.replace("self.untried[:count]", f"list(dict.fromkeys({cells}))[:count]"))


@pytest.mark.long("a whole term, with kills")
def test_class_goes_from_the_roster_to_grades_and_a_site(  # noqa: PLR0915 - one story
    clock: Clock,
    league: Path,
    make_server: Callable[..., Served],
    show: Callable[[str], webdriver.Chrome],
    tmp_path: Path,
) -> None:
    server = make_server(league)
    home = f"http://{server.host}"
    began = datetime.now(UTC)

    # The operator announces a deadline and the final.
    browser = show(server.link)
    until(browser, lambda: browser.current_url.endswith("/operate"))
    local = "return new Date(Date.now() + arguments[0]).toISOString().slice(0, 16)"
    assert browser.execute_script("return new Date().getTimezoneOffset()") == 0
    fill(
        browser,
        "date",
        field="closes",
        at=browser.execute_script(local, CLOSES.total_seconds() * 1000),
    )
    until(browser, says(browser, "The league closes .*in 6 days"))
    fill(
        browser,
        "tournament",
        name="final",
        at=browser.execute_script(local, FINAL.total_seconds() * 1000),
        games="8",
        looks="2",
    )
    until(browser, says(browser, "final: begins .*in 7 days"))

    # Six authors come in by a roster; one of them in the browser.
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTER, encoding="utf-8")
    lines = salvo("operate", "invite", "--from", str(roster), "--league", str(league)).splitlines()
    invites = {label: (code, link) for label, code, link in (line.split("\t") for line in lines)}
    assert list(invites) == list(LABELS.values())
    browser.delete_all_cookies()
    show(invites[LABELS["Ada"]][1])
    until(browser, lambda: browser.current_url.endswith("/submit"))
    until(browser, says(browser, "Bots come in until"))
    until(browser, says(browser, "Tournament final: begins"))
    path = tmp_path / "ada.py"
    path.write_text(bot_of(server, "Ada"), encoding="utf-8")
    upload(browser, path, "ada")
    until(browser, says(browser, "It plays as ada@1"))
    for name in NAMES[1:-1]:
        code, _ = invites[LABELS[name]]
        told = server.submit(name.lower(), bot_of(server, name).encode(), code)
        assert server.checked(told)["state"] == "accepted"

    # After the deadline an upload is refused in one line, unless the operator allows it.
    clock.move(CLOSES + timedelta(minutes=1))
    show(f"{home}/mine/ada")
    until(browser, says(browser, "Bots came in until .*; versions are frozen"))
    late = server.submit("ada", bot_of(server, "Bob").encode(), invites[LABELS["Ada"]][0])
    assert (late.status, late.json["error"].count("\n")) == (403, 0)
    assert "versions are frozen" in late.json["error"]
    code, _ = invites[LABELS["Finn"]]
    assert server.submit("finn", bot_of(server, "Finn").encode(), code).status == 403
    number = next(
        one["id"]
        for one in server.get("/api/operate", server.key).json["invites"]
        if one["label"] == LABELS["Finn"]
    )
    server.post("/api/operate/late", {"invite": number, "allowed": True}, server.key)
    told = server.submit("finn", bot_of(server, "Finn").encode(), code)
    assert server.checked(told)["state"] == "accepted"

    # The final is played while a page shows it, and its result stays there.
    show(f"{home}/tournaments/final")
    seed_print = until(browser, says(browser, r"[0-9a-f]{32}"))[0]
    browser.execute_script("window.same = true")
    # Paused, it begins and stays so, until the page was seen.
    server.post("/api/operate/pause", {}, server.key)
    clock.move(FINAL + timedelta(minutes=1))
    until(browser, says(browser, "So far"))
    server.post("/api/operate/resume", {}, server.key)
    until(browser, says(browser, r"Ended \d{4}-"))
    assert browser.execute_script("return window.same")  # the page follows by itself
    show(f"{home}/tournaments/final")
    seed = until(browser, says(browser, r"SEED\s+(\d{30,})"))[1]
    assert fingerprint(seed) == seed_print
    [final] = server.get("/api/tournaments", server.key).json
    assert {f"{name.lower()}@1" for name in NAMES} < set(final["entrants"])
    best = final["taken"][-1]["may_win"][0]
    assert began < datetime.fromisoformat(final["began"]) - FINAL + timedelta(minutes=5)

    # Grades are the operator's; the site is everybody's, without a server and without names.
    table = csv.DictReader(io.StringIO(server.get("/operate/grades.csv", server.key).text))
    rows = {row["label"]: row for row in table}
    assert list(rows) == list(LABELS.values())
    assert rows[LABELS[best.capitalize()]]["final_elo"] == max(
        (row["final_elo"] for row in rows.values()), key=float
    )
    assert all(row["final_elo"] and row["beats hunt_target"] for row in rows.values())
    site = tmp_path / "site"
    salvo("site", str(site), "--league", str(league))
    server.stop()
    show((site / "index.html").as_uri())
    browser.find_element(By.LINK_TEXT, "Tournaments").click()
    until(browser, lambda: browser.current_url.endswith("tournaments.html"))
    browser.find_element(By.LINK_TEXT, "final").click()
    until(browser, says(browser, seed))
    assert browser.find_elements(By.LINK_TEXT, "The report")
    browser.find_element(By.LINK_TEXT, "The report").click()
    until(browser, lambda: browser.current_url.endswith("final-report.html"))
    until(browser, lambda: browser.title.startswith("Salvo final"))
    everything = b"".join(one.read_bytes() for one in site.rglob("*") if one.is_file())
    assert b"Quillworth" not in everything
