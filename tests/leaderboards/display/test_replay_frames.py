"""Games to watch: their data, and the player in a browser without a network."""

import dataclasses
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from leaderboards.display import html_page
from leaderboards.display.replay_frames import Frame, Mark, Panel, Replay, plain_replay
from leaderboards.display.templating import as_data

SHOWN = """
const texts = (of) => [...document.querySelectorAll(of)].map((element) => element.textContent);
const panels = [...document.querySelectorAll("#player-panels .panel")].map((panel) => ({
    name: panel.querySelector("b").textContent,
    signs: [...panel.querySelectorAll(".sign")].map((sign) => sign.textContent),
    fills: [...panel.querySelectorAll("rect")].map((cell) => getComputedStyle(cell).fill),
    fired: [...panel.querySelectorAll(".ring")].flatMap(
        (ring, n) => getComputedStyle(ring).display === "none" ? [] : [n]),
    told: panel.querySelector(".told").textContent,
}));
return {
    panels, lines: texts("#player-lines > *"), notes: texts("#player-notes li"),
    heading: texts("#player-heading")[0], play: texts("#player-play")[0],
    link: document.getElementById("player-link").getAttribute("href"),
};
"""
OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
ONLINE = {**OFFLINE, "offline": False, "downloadThroughput": -1, "uploadThroughput": -1}


def frame(number: int) -> Frame:
    marks: list[Mark] = ["ship", "ship", *["water"] * 4]
    shot: list[Mark] = ["hit", "hit", "miss", "miss", "water", "water"]
    marks[:number] = shot[:number]
    chances = [1.0 if cell < min(number - 1, 2) else 0.123456 for cell in range(6)]
    chart: list[Mark] = ["water"] * 6
    lines = [f"Salvo {number}", "<b>one</b> fires: it sinks the cruiser."]
    board = Panel("<i>two</i>", "ships", marks, None, [number - 1])
    return Frame(lines, [board, Panel("one", "posterior", chart, chances, [number - 1])])


def replay(key: str, frames: int = 4) -> Replay:
    return Replay(
        key=key,
        label=f"The {key} game",
        heading=f"one against <i>two</i>, {key}",
        bots=["one"],
        notes=[f"Why {key}: </script><script>window.hurt = 1</script>"],
        rows=["A", "B"],
        columns=["1", "2", "3"],
        frames=[frame(number) for number in range(1, frames + 1)],
    )


@pytest.fixture
def watched(
    browser: webdriver.Chrome, opened: Callable[[str], None]
) -> Iterator[Callable[..., Any]]:
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)

    def watch(*keys: str) -> None:
        opened(html_page.html(replays=[replay(key) for key in keys]))

    yield watch
    browser.execute_cdp_cmd("Network.emulateNetworkConditions", ONLINE)


def shown(browser: webdriver.Chrome) -> Any:  # noqa: ANN401 - JSON has any shape
    return browser.execute_script(SHOWN)


def wait_for(browser: webdriver.Chrome, line: str) -> None:
    deadline = time.monotonic() + 20
    while line not in shown(browser)["lines"]:
        assert time.monotonic() < deadline, shown(browser)
        time.sleep(0.05)


def press(browser: webdriver.Chrome, of: str) -> None:
    browser.find_element(By.CSS_SELECTOR, of).click()


def test_slider_moves_boards_and_posterior_with_the_network_off(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest")
    before = shown(browser)
    browser.find_element(By.ID, "player-range").send_keys(Keys.END)
    after = shown(browser)
    assert after["lines"] == ["Salvo 4", "<b>one</b> fires: it sinks the cruiser."]
    assert [panel["fired"] for panel in after["panels"]] == [[3], [3]]
    assert before["panels"][0]["signs"] == ["X", "", "", "", "", ""]
    assert after["panels"][0]["signs"] == ["X", "X", "o", "o", "", ""]
    board, posterior = after["panels"]
    assert len({posterior["fills"][cell] for cell in (0, 1)}) == 1
    assert posterior["fills"][0] != posterior["fills"][2] == posterior["fills"][5]
    assert board["fills"] != before["panels"][0]["fills"]
    assert browser.get_log("browser") == []


def test_buttons_and_arrow_keys_go_from_salvo_to_salvo(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest")
    for number, move in (
        (2, lambda: press(browser, "#player-next")),
        (3, lambda: press(browser, "#player-next")),
        (2, lambda: press(browser, "#player-back")),
        (3, ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform),
        (2, ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform),
    ):
        move()
        assert shown(browser)["lines"][0] == f"Salvo {number}"


def test_game_plays_by_itself_to_its_end_at_the_speed_chosen(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest")
    Select(browser.find_element(By.ID, "player-speed")).select_by_value("10")
    press(browser, "#player-play")
    wait_for(browser, "Salvo 4")
    deadline = time.monotonic() + 20
    while shown(browser)["play"] != "Play":
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_address_of_a_salvo_leads_to_it(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest", "upset")
    browser.execute_script("location.hash = '#watch-upset-3'")
    wait_for(browser, "Salvo 3")
    now = shown(browser)
    assert now["heading"] == "one against <i>two</i>, upset"
    assert now["link"] == "#watch-upset-3"


def test_other_games_are_links_that_open_them(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest", "longest")
    press(browser, "#player-next")
    press(browser, "#games a")
    wait_for(browser, "Salvo 1")
    now = shown(browser)
    assert now["heading"].endswith("longest")
    shown_now = browser.find_elements(By.CSS_SELECTOR, "#games a[aria-current='true']")
    assert [link.text for link in shown_now] == ["The longest game"]
    assert now["lines"][0] == "Salvo 1"


def test_text_of_bots_is_shown_as_it_is(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest")
    now = shown(browser)
    assert now["panels"][0]["name"] == "<i>two</i>"
    assert now["notes"] == ["Why closest: </script><script>window.hurt = 1</script>"]
    assert browser.execute_script("return window.hurt") is None


def test_boards_have_their_numbers_as_text(
    browser: webdriver.Chrome, watched: Callable[..., None]
) -> None:
    watched("closest")
    board, posterior = shown(browser)["panels"]
    assert board["told"] == "1 hit, 0 misses, 1 cell of its ships left"
    assert posterior["told"] == "Likeliest cells: A1 12%, A2 12%, A3 12%, B1 12%"


@pytest.mark.parametrize("width", [390, 700, 1400])
def test_replay_fits_pages_of_any_width_with_square_cells(
    browser: webdriver.Chrome, watched: Callable[..., None], width: int
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    watched("closest")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    [wide, high] = browser.execute_script(
        "const box = document.querySelector('#player-panels rect').getBoundingClientRect();"
        "return [box.width, box.height]"
    )
    assert wide == pytest.approx(high, rel=0.02)
    assert wide > 35


def test_game_opens_at_its_start(browser: webdriver.Chrome, opened: Callable[[str], None]) -> None:
    opened(html_page.html(replays=[dataclasses.replace(replay("closest"), start=3)]))
    assert shown(browser)["lines"][0] == "Salvo 3"


def test_data_is_one_letter_a_cell_and_thousandths() -> None:
    [first, *_] = plain_replay(replay("closest"))["frames"]
    board, posterior = first["panels"]
    assert board["marks"] == "hswwww"
    assert posterior["chances"] == [123] * 6
    assert "chances" not in board


def test_unknown_chances_are_null_in_the_data() -> None:
    panel = Panel("one", "posterior", ["water"], [float("nan")])
    game = Replay("game", "", "", [], [], ["A"], ["1"], [Frame(["x"], [panel])])
    assert json.loads(as_data(plain_replay(game)))["frames"][0]["panels"][0]["chances"] == [None]
