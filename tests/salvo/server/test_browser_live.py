"""Games in play are watched salvo by salvo in browsers, while nothing of them is in the record."""

import time
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from arena.league import Charter, League
from arena.records import Settings
from arena.rules import preset
from salvo.bundled import bundled_bots

pytestmark = pytest.mark.long("two browsers watch whole games")

Served = Any
PATIENCE_S = 300
SLOW = """
import time
from arena import Bot, run


class Slow(Bot):
    def choose_shots(self, count):
        time.sleep(1 if len(self.untried) > 70 else 10)
        return self.untried[:count]


run(Slow)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve_folder: Callable[..., Served]) -> Served:
    """Return a league with a bot that takes ten minutes for a game."""
    place = tmp_path_factory.mktemp("watched")
    (place / "slow.py").write_text(SLOW, encoding="utf-8")
    charter = Charter(
        rules=preset("classic"),
        seed="12345",
        layouts=0,
        block_games=2,
        times=Settings(move_s=600, game_s=36_000),
    )
    league = League(place / "league", charter, bundled_bots())
    bots = {"slow": place / "slow.py", "uniform_random": bundled_bots()["uniform_random"]}
    for name, path in bots.items():
        with league.candidate(path, name) as candidate:
            league.admit(candidate)
    return serve_folder(place / "league", "--public")


class Shown(NamedTuple):
    """What a page shows: the game, whether it is in play, and the salvo."""

    game: str
    stage: str
    salvo: str


def shown(browser: webdriver.Chrome) -> Shown | None:
    found = browser.execute_script("""
        const {of, stage} = document.querySelector("[data-on-air]")?.dataset ?? {};
        const line = document.querySelector("#player-lines strong")?.innerText;
        return line ? [of, stage, line] : null
    """)
    return None if found is None else Shown(*found)


def watch_advance(served: Served, browsers: Sequence[webdriver.Chrome]) -> str:
    """Return a game that each browser saw advance in play, and that is not in the record."""
    seen: list[dict[str, set[str]]] = [{} for _ in browsers]
    deadline = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < deadline, seen
        for browser, salvos in zip(browsers, seen, strict=True):
            now = shown(browser)
            if now is not None and now.stage == "in play":
                salvos.setdefault(now.game, set()).add(now.salvo)
        for game in seen[0]:
            if all(len(salvos.get(game, ())) > 2 for salvos in seen) and (
                served.get(f"/api/games/{game}").status == 404
            ):
                return game
        time.sleep(0.1)


def test_two_browsers_see_a_game_advance_before_it_is_recorded(
    served: Served, browser: webdriver.Chrome, start_chrome: Callable[[], webdriver.Chrome]
) -> None:
    browsers = (browser, start_chrome())
    for one in browsers:
        one.get(f"http://{served.host}/live")
    served.until(lambda: served.get("/api/live").status == 200)
    watch_advance(served, browsers)
    assert "In play now" in browser.find_element(By.ID, "on-air").text
    served.kill()
    for one in browsers:
        one.get_log("browser")  # which has that the server did not answer
    served.start(served.port)
    watch_advance(served, browsers)


def test_page_whose_game_was_broken_off_waits_until_the_server_is_back(
    served: Served, browser: webdriver.Chrome
) -> None:
    served.until(lambda: served.get("/api/live").status == 200)
    browser.get(f"http://{served.host}/live")
    served.kill()
    browser.execute_script("reload()")
    time.sleep(2)
    assert shown(browser)
    served.start(served.port)
    watch_advance(served, [browser])
    browser.get_log("browser")  # which has that the server did not answer


def test_page_of_a_bot_leads_into_its_game_in_play_as_one_bot_sees_it(
    served: Served, browser: webdriver.Chrome
) -> None:
    served.until(lambda: "/live?game=" in served.get("/bots/slow").text)
    browser.get(f"http://{served.host}/bots/slow")
    # By a script: the list is renewed now and then, and the boards with each salvo.
    browser.execute_script("document.querySelector('.in-play a').click()")
    served.until(lambda: "/live?game=" in browser.current_url and shown(browser))
    told = "return [...document.querySelectorAll('.panel .told')].map((part) => part.innerText)"
    one, other = browser.execute_script(told)
    assert "cells of its ships left" in one
    assert "left" not in other
    browser.execute_script("document.querySelector('a[data-game=\"game\"]').click()")
    served.until(lambda: all("left" in part for part in browser.execute_script(told)))


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_pages_of_games_in_play_are_fit_for_everybody(
    served: Served, browser: webdriver.Chrome, width: int, scheme: str
) -> None:
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for path in ("/live", "/bots/slow"):

        def shows_a_game(address: str = f"http://{served.host}{path}") -> bool:
            browser.get(address)
            return "/live?game=" in browser.page_source

        served.until(shows_a_game)  # between two games there is none
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
        browser.set_script_timeout(PATIENCE_S)
        found = browser.execute_async_script(
            axe + "; const done = arguments[0]; axe.run().then((found) => done(found.violations))"
        )
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []
        assert browser.get_log("browser") == []
