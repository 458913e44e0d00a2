"""A person plays in a browser: by mouse, by keyboard, and by touch on a phone; nothing is lost."""

import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from arena.league import Charter, League
from arena.rules import preset
from salvo.bundled import bundled_bots
from tests.salvo.cli.test_play_browser import page

pytestmark = pytest.mark.long("whole games in a browser")

Served = Any
PATIENCE_S = 300


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, serve_folder: Callable[..., Served]) -> Served:
    """Return a league of two shots a turn and two ships, in which no other games are played."""
    folder = tmp_path_factory.mktemp("played") / "league"
    league = League(
        folder, Charter(rules=preset("ramesh-5"), seed="12345", layouts=0), bundled_bots()
    )
    with league.candidate(bundled_bots()["hunt_target"], "hunt_target") as candidate:
        league.admit(candidate)
    return serve_folder(folder, "--public")


class Player:
    """What a person sees and does in a browser."""

    def __init__(self, browser: webdriver.Chrome, served: Served) -> None:
        self.browser, self.served = browser, served

    def until(self, is_so: Callable[[], Any]) -> Any:  # noqa: ANN401 - what it returned
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                if found := is_so():
                    return found
            except StaleElementReferenceException:
                pass
            assert time.monotonic() < deadline, (self.browser.current_url, self.text("body"))
            time.sleep(0.05)

    def text(self, css: str) -> str:
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.browser.execute_script(script, css))

    def open(self, path: str) -> None:
        self.browser.get(f"http://{self.served.host}{path}")

    def sit_down(self) -> None:
        self.open("/play")
        form = self.until(lambda: self.browser.find_element(By.ID, "begin"))
        self.until(form.is_displayed)
        self.choose("bot", "hunt_target")
        self.choose("seat", "You")
        self.press("Play", "#begin button")
        self.until(lambda: "Place your fleet" in self.text("#due"))

    def choose(self, field: str, label: str) -> None:
        options = self.browser.find_elements(By.CSS_SELECTOR, f"#{field} option")
        next(one for one in options if one.text == label).click()

    def press(self, words: str, css: str = "#acts button, #dock button") -> None:
        def pressed() -> bool:
            for button in self.browser.find_elements(By.CSS_SELECTOR, css):
                if button.text.startswith(words) and button.is_enabled():
                    self.tap(button)
                    return True
            return False

        self.until(pressed)

    def tap(self, element: WebElement) -> None:
        element.click()

    def cell(self, board: str, number: int) -> WebElement:
        return self.browser.find_elements(By.CSS_SELECTOR, f"#{board} tbody td")[number]

    def marks(self, board: str) -> str:
        """Return the letter of each cell."""
        script = "return [...document.querySelectorAll(arguments[0])].map((td) => td.classList[0])"
        return "".join(self.browser.execute_script(script, f"#{board} tbody td"))

    def is_due(self) -> bool:
        """Return whether a salvo is due; False if the game is over."""
        return bool(
            self.until(
                lambda: (
                    "due"
                    if "Your turn" in self.text("#due")
                    else "over"
                    if self.text(".outcome")
                    else ""
                )
            )
            == "due"
        )

    def shoot(self, fire: Callable[[list[int]], None], most: int = 100) -> int:
        """Shoot at free cells, so many turns or to the end; return how many turns it took."""
        for turn in range(most):
            if not self.is_due():
                return turn
            free = [number for number, mark in enumerate(self.marks("theirs")) if mark == "w"]
            told = self.text("#told")
            fire(free[: 2 if "2 left" in self.text("#due") else 1])
            self.until(lambda told=told: self.text("#told") != told)
        return most

    def due(self) -> str:
        """Return what a person is asked for, as soon as that is something; "over" at the end."""
        script = "return document.querySelector('.outcome') ? 'over' : document.body.dataset.asked"
        return str(self.until(lambda: self.browser.execute_script(script)))

    def number(self) -> object:
        """Return what grows with everything that happens in the game, as far as it is shown."""
        script = "return document.getElementById('table')?.dataset.number"
        return self.browser.execute_script(script)

    def move(self) -> str:
        """Move a ship if one can be, or stay."""
        ships = self.browser.find_elements(By.CSS_SELECTOR, "#own td.open")
        if not ships:
            self.press("Stay")
            return "stayed"
        label = str(ships[0].get_attribute("aria-label"))
        ships[0].click()
        self.press(label.rpartition(", ")[2])
        return "moved"

    def answer(self) -> str:
        """Lie if that is allowed."""
        may = "you may lie about" in self.text("#due")
        if may:
            self.browser.find_element(By.CSS_SELECTOR, "#own td.open").click()
            self.until(lambda: "which is a lie" in self.text("#acts"))
        self.press("Say")
        return "lied" if may else "answered truly"

    def fire_by_clicks(self, cells: list[int]) -> None:
        for cell in cells:
            self.tap(self.cell("theirs", cell))
        if len(cells) > 1:
            self.press("Fire at")

    def assert_over(self) -> None:
        assert self.text(".outcome").startswith(("You win", "You lose"))
        self.until(lambda: self.browser.find_element(By.LINK_TEXT, "Watch the game again")).click()
        self.until(lambda: "/games/" in self.browser.current_url)
        self.until(lambda: "Salvo 2 of" in self.text("#player-lines"))  # it plays by itself
        assert self.browser.get_log("browser") == []


@pytest.fixture
def player(browser: webdriver.Chrome, served: Served) -> Iterator[Player]:
    browser.delete_all_cookies()
    yield Player(browser, served)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def drag(player: Player, start: WebElement, end: WebElement) -> None:
    ActionChains(player.browser).click_and_hold(start).move_to_element(end).release().perform()


def test_whole_game_by_mouse_through_a_reload_and_a_killed_server(
    player: Player, served: Served
) -> None:
    browser = player.browser
    player.sit_down()
    ships = browser.find_elements(By.CSS_SELECTOR, "#dock .ship")
    drag(player, ships[0], player.cell("own", 0))
    assert player.marks("own").startswith("ssss")
    drag(player, ships[1], player.cell("own", 2))
    assert "lies on the" in player.text("#dock")
    assert not any(
        one.is_enabled()
        for one in browser.find_elements(By.CSS_SELECTOR, "#acts button")
        if one.text.startswith("Begin")
    )
    drag(player, player.cell("own", 3), player.cell("own", 15))  # the ship that was taken first
    assert player.marks("own") == "wwss" + 8 * "w" + "ssss"
    player.cell("own", 2).click()  # the other one is held, and turns
    assert player.marks("own") == "wwswwwsw" + 4 * "w" + "ssss"
    player.press("Begin with")
    assert player.shoot(player.fire_by_clicks, 1) == 1
    player.is_due()
    before = player.text("#told"), player.marks("theirs"), player.marks("own")
    browser.refresh()
    player.is_due()
    assert (player.text("#told"), player.marks("theirs"), player.marks("own")) == before
    served.kill()
    player.tap(player.cell("theirs", 15))
    player.tap(player.cell("theirs", 14))
    player.press("Fire at")
    player.until(lambda: "does not answer" in player.text(".answer"))
    browser.get_log("browser")  # which has that the server did not answer
    served.start(served.port)
    player.until(lambda: player.served.get("/play").status == 200)
    player.press("Fire at")  # what was chosen is still there
    player.until(lambda: player.marks("theirs")[14:] != "ww")
    player.shoot(player.fire_by_clicks)
    browser.get_log("browser")
    player.assert_over()


class AtKeys(Player):
    """Has a keyboard alone."""

    def keys(self, *pressed: str) -> None:
        ActionChains(self.browser).send_keys(*pressed).perform()

    def tab_to(self, is_there: str, *given: str) -> None:
        """Go on by the tab key until a script says that the focus is there."""
        for _ in range(80):
            if self.browser.execute_script(f"return Boolean({is_there})", *given):
                return
            self.keys(Keys.TAB)
        raise AssertionError(given)

    def go_to(self, board: str, cell: int) -> None:
        self.tab_to("document.activeElement.closest(arguments[0])", f"#{board} tbody")
        self.keys(Keys.HOME, *[Keys.ARROW_UP] * 4, *[Keys.ARROW_DOWN] * (cell // 4))
        self.keys(*[Keys.ARROW_RIGHT] * (cell % 4))

    def press(self, words: str, css: str = "button") -> None:
        self.tab_to(
            "document.activeElement.matches(arguments[1])"
            " && document.activeElement.innerText.startsWith(arguments[0])",
            words,
            css,
        )
        self.keys(Keys.ENTER)

    def fire(self, cells: list[int]) -> None:
        for cell in cells:
            self.go_to("theirs", cell)
            self.keys(Keys.ENTER)
        if len(cells) > 1:
            self.press("Fire at")


def test_whole_game_by_keyboard(player: Player) -> None:
    at_keys = AtKeys(player.browser, player.served)
    at_keys.sit_down()
    at_keys.go_to("own", 0)
    at_keys.keys("r", Keys.ENTER)  # down the first column
    at_keys.go_to("own", 1)
    at_keys.keys(Keys.ENTER)
    assert at_keys.marks("own") == "sssw" + 3 * "swww"
    at_keys.keys(Keys.DELETE)
    assert at_keys.marks("own") == "swww" * 4
    at_keys.go_to("own", 14)
    at_keys.keys(" ")
    assert at_keys.marks("own") == 3 * "swww" + "swss"
    at_keys.press("Begin with")
    at_keys.shoot(at_keys.fire)
    assert str(at_keys.cell("theirs", 0).get_attribute("aria-label")).startswith("A1: ")
    at_keys.assert_over()


class OnPhone(Player):
    """Taps with a finger."""

    def tap(self, element: WebElement) -> None:
        script = "arguments[0].scrollIntoView({block: 'center'})"
        self.browser.execute_script(script, element)
        box = self.browser.execute_script(
            "const box = arguments[0].getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            element,
        )
        self.touch("touchStart", box)
        self.touch("touchEnd")

    def touch(self, kind: str, at: list[float] | None = None) -> None:
        points = [] if at is None else [{"x": at[0], "y": at[1]}]
        self.browser.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )


def test_whole_game_on_a_phone_by_touch(player: Player) -> None:
    browser = player.browser
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    on_phone = OnPhone(browser, player.served)
    on_phone.sit_down()
    on_phone.tap(on_phone.cell("own", 4))
    assert on_phone.marks("own") == "wwwwssss" + 8 * "w"
    on_phone.tap(on_phone.cell("own", 8))
    on_phone.tap(on_phone.cell("own", 8))  # turns it
    assert on_phone.marks("own") == "wwwwssss" + "swww" * 2
    on_phone.press("Random")
    on_phone.until(lambda: on_phone.marks("own").count("s") == 6)
    on_phone.press("Begin with")
    on_phone.is_due()
    size = browser.execute_script("return document.querySelector('#theirs tbody td').offsetHeight")
    assert size >= 24
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    on_phone.shoot(on_phone.fire_by_clicks)
    on_phone.assert_over()


def test_league_and_page_of_ones_own_on_the_same_host_know_their_visitors(
    player: Player, served: Served, tmp_path: Path
) -> None:
    browser = player.browser
    player.open(f"/enter?key={served.key}")
    player.until(lambda: browser.find_elements(By.LINK_TEXT, "Operate"))
    player.sit_down()
    with page(tmp_path, "hunt_target", "ramesh-5") as own:
        browser.get(f"http://{own.host}/{own.path}")
        player.until(lambda: "Nobody rates these games" in player.text("main"))
        assert "Go on with the game" not in player.text("main")
    player.open("/operate")
    player.until(lambda: player.text("h1") == "Operate")
    player.open("/play")
    player.until(lambda: "Go on with the game" in player.text("main"))
    browser.get_log("browser")


TRICKY = """
name = "tricky"
rows = 4
columns = 4
fleet = [{ name = "Long", length = 3 }, { name = "Short", length = 2 }]
sinkings = "unnamed"
moves = true
reshoot = true
lies = 2
turn_limit = 12
"""
"""Everything that a person can be asked for beside shots."""


def test_ships_are_moved_and_lies_are_told_by_mouse(player: Player, tmp_path: Path) -> None:
    (tmp_path / "tricky.toml").write_text(TRICKY, encoding="utf-8")
    with page(tmp_path, "uniform_random", "tricky.toml") as own:
        player.browser.get(f"http://{own.host}/{own.path}")
        player.until(lambda: "Nobody rates these games" in player.text("main"))
        player.choose("seat", "You")
        player.press("Play", "#begin button")
        player.press("Random")
        player.press("Begin with")
        done = set()
        while (due := player.due()) != "over":
            before = player.number()
            match due:
                case "shoot":
                    marks = player.marks("theirs")
                    player.cell("theirs", marks.find("w") if "w" in marks else 0).click()
                case "move":
                    done.add(player.move())
                case "answer":
                    done.add(player.answer())
            player.until(lambda before=before: player.number() != before)
        assert done >= {"moved", "lied"}
        assert player.text(".outcome").startswith(("You win", "You lose", "A draw"))
        assert player.browser.get_log("browser") == []


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_play_pages_are_fit_for_everybody(player: Player, width: int, scheme: str) -> None:
    browser = player.browser
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    player.open("/play")
    assert_fit(player, width)
    player.sit_down()
    assert_fit(player, width)
    player.press("Random")
    player.press("Begin with")
    player.shoot(player.fire_by_clicks, 1)
    assert_fit(player, width)
    player.shoot(player.fire_by_clicks)
    player.until(lambda: browser.find_element(By.LINK_TEXT, "Watch the game again"))
    assert_fit(player, width)


def assert_fit(player: Player, width: int) -> None:
    browser = player.browser
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    axe = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.execute_script(axe)
    browser.execute_script("window.found = 0; axe.run().then((found) => { window.found = found; })")
    found = player.until(
        lambda: browser.execute_script(
            "return window.found && window.found.violations && [window.found.violations]"
        )
    )
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found[0]] == []
    assert browser.get_log("browser") == []
