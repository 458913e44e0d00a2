"""A league in a browser, from `salvo serve` to a second version; every page fit for everybody."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.salvo.server.reading_pages import PATIENCE_S, text_of, until

Served = Any
Show = Callable[[str], webdriver.Chrome]


@pytest.fixture
def show(browser: webdriver.Chrome, served: Served) -> Iterator[Show]:
    """Return a function that opens a page of the server."""

    def open_page(path: str) -> webdriver.Chrome:
        browser.get(f"http://{served.host}{path}" if path.startswith("/") else path)
        return browser

    # A page has an address before it has its elements.
    browser.implicitly_wait(PATIENCE_S)
    yield open_page
    browser.implicitly_wait(0)


def upload(browser: webdriver.Chrome, path: Path, name: str | None = None) -> None:
    if name is not None:
        browser.find_element(By.ID, "name").send_keys(name)
    browser.find_element(By.ID, "file").send_keys(str(path))
    browser.find_element(By.CSS_SELECTOR, "[data-upload] button").click()


def written(folder: Path, text: str) -> Path:
    path = folder / "bot.py"
    path.write_text(text, encoding="utf-8")
    return path


def game_of(served: Served, bot: str) -> str:
    """Return a game of a bot, as soon as there is one."""
    path = f"/api/games?bot={bot}"
    return str(served.until(lambda: served.get(path).json["games"])[0]["id"])


def test_bot_goes_from_the_page_to_the_leaderboard_and_gets_a_second_version(  # noqa: PLR0915 - one story
    show: Show, served: Served, tmp_path: Path
) -> None:
    # The operator invites.
    browser = show(served.link)
    until(browser, lambda: browser.current_url.endswith("/operate"))
    assert served.key not in browser.current_url
    assert served.key not in browser.page_source
    browser.find_element(By.ID, "labels").send_keys("Ada")
    browser.find_element(By.CSS_SELECTOR, "[data-invites] button").click()
    made = until(browser, lambda: browser.find_element(By.CLASS_NAME, "made").text)
    [link] = re.findall(r"http://\S+", made)
    served.post("/api/operate/pause", {}, served.key)
    # A student follows the link, and drops a bot into the box.
    browser.delete_all_cookies()
    show(link)
    until(browser, lambda: browser.current_url.endswith("/submit"))
    upload(browser, written(tmp_path, served.bot), "ada")
    until(browser, lambda: "/submissions/" in browser.current_url)
    secret = until(browser, lambda: re.search(r"http://\S+enter\?key=\S+", text_of(browser)))[0]
    browser.find_element(By.CSS_SELECTOR, ".secret button").click()
    until(browser, lambda: "Copied" in text_of(browser))
    until(browser, lambda: "exits when it should" in text_of(browser))
    until(browser, lambda: "It plays as ada@1" in text_of(browser))
    assert browser.execute_script("return document.querySelectorAll('.steps .ok').length") == 13
    # Its games are played, and its rank appears on a page that follows them by itself.
    show("/")
    browser.execute_script("window.same = true")
    assert not re.search(r"\bada\b", text_of(browser))
    served.post("/api/operate/resume", {}, served.key)
    until(browser, lambda: re.search(r"\bada\b", text_of(browser)))
    assert browser.execute_script("return window.same")
    browser.find_element(By.LINK_TEXT, "ada").click()
    until(browser, lambda: "number" in text_of(browser) and "LATEST" in text_of(browser).upper())
    # Its replay is watched, from a salvo on that a link names.
    game = game_of(served, "ada")
    show(f"/games/{game}#watch-game-3")
    shown = "return document.querySelector('#player-lines').innerText"
    until(browser, lambda: "Salvo 3 of" in browser.execute_script(shown))
    browser.find_element(By.ID, "player-next").click()
    assert "Salvo 4 of" in browser.execute_script(shown)
    show(f"/games/{game}")
    until(browser, lambda: "Salvo 2 of" in browser.execute_script(shown))  # it plays by itself
    # A second version, by the page of its author.
    show("/mine")
    until(browser, lambda: browser.current_url.endswith("/mine/ada"))
    upload(browser, written(tmp_path, served.bot.replace("[:count]", "[-count:]")))
    until(browser, lambda: "It plays as ada@2" in text_of(browser))
    # The link of the invite opens the same pages in any browser; of another, it does not.
    browser.delete_all_cookies()
    show(link)
    until(browser, lambda: browser.current_url.endswith("/mine/ada"))
    browser.delete_all_cookies()
    [other] = served.invite("Eve")
    show(f"/enter?key={other}")
    until(browser, lambda: browser.current_url.endswith("/submit"))
    upload(browser, written(tmp_path, served.bot + "# forged"), "ada")
    until(browser, lambda: "'ada' belongs to somebody else" in text_of(browser))
    # With it, from any browser, the author is back.
    browser.delete_all_cookies()
    show(secret)
    until(browser, lambda: browser.current_url.endswith("/mine/ada"))


def test_page_of_another_site_cannot_submit(
    show: Show, served: Served, browser: webdriver.Chrome
) -> None:
    show(served.link)
    until(browser, lambda: browser.current_url.endswith("/operate"))
    browser.get("data:text/html,<p>evil")
    forged = """
        const [address, done] = arguments;
        const kind = {"Content-Type": "application/json"};
        fetch(address, {method: "POST", credentials: "include", headers: kind, body: "{}"})
            .then(() => done("went through"), () => done("refused"));
    """
    address = f"http://{served.host}/api/operate/pause"
    assert browser.execute_async_script(forged, address) == "refused"
    blind = forged.replace("application/json", "text/plain").replace(
        "method:", "mode: 'no-cors', method:"
    )
    browser.execute_async_script(blind, address)
    assert not served.get("/api/operate", served.key).json["paused"]


PAGES = ("/", "/games", "/queue", "/submit", "/rules", "/write", "/data", "/enter", "/operate")


@pytest.mark.long("each page in a browser, in light and dark")
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_pages_are_fit_for_everybody(show: Show, served: Served, width: int, scheme: str) -> None:
    browser = show(served.link)
    until(browser, lambda: browser.current_url.endswith("/operate"))
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    game = game_of(served, "uniform_random")
    for path in (*PAGES, f"/games/{game}", "/bots/hunt_target", "/mine/hunt_target"):
        show(path)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width, path
        assert violations(browser) == [], path
        assert browser.get_log("browser") == [], path


def violations(browser: webdriver.Chrome) -> list[Any]:
    """Return what axe finds against a page."""
    # Into the page by the tool of developers, since its policy lets in no script of anybody's.
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.execute_script(axe)
    browser.execute_script("axe.run().then((found) => { window.found = found; })")
    until(browser, lambda: browser.execute_script("return Boolean(window.found)"))
    return [
        (found["id"], [node["html"] for node in found["nodes"]])
        for found in browser.execute_script("return window.found.violations")
    ]


def test_link_on_another_site_does_not_sign_the_operator_out(show: Show, served: Served) -> None:
    browser = show(served.link)
    until(browser, lambda: browser.current_url.endswith("/operate"))
    [code] = served.invite("Mallory")
    browser.get(f"data:text/html,<a href='http://{served.host}/enter?key={code}'>A bot</a>")
    browser.find_element(By.LINK_TEXT, "A bot").click()
    until(browser, lambda: "you are the operator" in text_of(browser))
    assert violations(browser) == []
    browser.find_element(By.LINK_TEXT, "Go on as the operator").click()
    until(browser, lambda: browser.title.startswith("Operate"))
    browser.back()
    browser.find_element(By.CSS_SELECTOR, "[data-post]").click()
    until(browser, lambda: browser.current_url.endswith("/submit"))
    until(browser, lambda: show("/operate").title.startswith("Operate"))


def says(show: Show, path: str, words: str) -> bool:
    return words in show(path).find_element(By.TAG_NAME, "body").text


def test_pages_are_read_without_a_script(show: Show, served: Served) -> None:
    game = game_of(served, "hunt_target")
    browser = show("/")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        for path, words in (
            ("/", "hunt_target"),
            ("/bots/hunt_target", "Against each"),
            ("/games", "first seat"),
            (f"/games/{game}", "Salvo by salvo"),
            ("/rules", "Protocol"),
            ("/submit", "curl --data-binary"),
        ):
            # A page that follows no games by itself is loaded again until they are rated.
            until(browser, partial(says, show, path, words))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
