"""The replay of a game: its figure, and its slider in a browser without a network."""

import json
import time
from collections.abc import Callable

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from leaderboards import report
from leaderboards.replays import Frame, Mark, Panel, replay_figure

ROWS, COLUMNS = ["A", "B"], ["1", "2", "3"]
SHOWN = """
const {data, layout} = document.getElementById("replay-1");
return {
    board: data[0].z, signs: data[0].text, chances: data[1].z,
    fired: [...data[2].y.map((row, n) => row + data[2].x[n])], title: layout.title.text,
    colours: [layout.coloraxis.cmin, layout.coloraxis.cmax],
};
"""
PAINTED = """
const images = [...document.querySelectorAll("#replay-1 .heatmaplayer image")];
return images.map(image => image.getAttribute("href") || image.getAttribute("xlink:href"));
"""


def frame(number: int) -> Frame:
    marks: list[Mark] = ["ship", "ship", *["water"] * 4]
    shot: list[Mark] = ["hit", "hit", "miss", "miss", "water", "water"]
    marks[:number] = shot[:number]
    chances = [1.0 if cell < min(number - 1, 2) else 0.123456 for cell in range(6)]
    chart: list[Mark] = ["water"] * 6
    lines = [f"Salvo {number}", "<b>one</b>: fires"]
    board = Panel("<i>two</i>", "ships", marks, None, [number - 1])
    return Frame(lines, [board, Panel("one", "posterior", chart, chances, [number - 1])])


FRAMES = [frame(number) for number in range(1, 5)]


@pytest.fixture
def page() -> str:
    drawing = report.Drawing("Replay", replay_figure(FRAMES, ROWS, COLUMNS), wide=True)
    return report.html(further=[report.Section("replay", "Replay", drawings=(drawing,))])


def wait_for(browser: webdriver.Chrome, title: str) -> None:
    deadline = time.monotonic() + 20
    while title not in browser.execute_script(SHOWN)["title"]:
        assert time.monotonic() < deadline, browser.execute_script(SHOWN)
        time.sleep(0.05)


def test_slider_moves_boards_and_posterior_with_the_network_off(
    browser: webdriver.Chrome, page: str, opened: Callable[[str], None]
) -> None:
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    opened(page)
    before, painted = browser.execute_script(SHOWN), browser.execute_script(PAINTED)
    assert before["fired"] == ["A1"]
    grip = browser.find_element(By.CSS_SELECTOR, "#replay-1 .slider-grip-rect")
    rail = browser.find_element(By.CSS_SELECTOR, "#replay-1 .slider-rail-rect")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", rail)
    right = int(rail.size["width"])
    ActionChains(browser).drag_and_drop_by_offset(grip, right, 0).perform()
    wait_for(browser, "Salvo 4")
    after = browser.execute_script(SHOWN)
    assert after["fired"] == ["B1"]
    assert before["signs"] == [["X", "", ""], ["", "", ""]]
    assert after["signs"] == [["X", "X", "o"], ["o", "", ""]]
    assert after["chances"] == [[1, 1, 0.123], [0.123, 0.123, 0.123]] != before["chances"]
    assert before["colours"] == after["colours"] == [0, 1]
    repainted = browser.execute_script(PAINTED)
    assert len(painted) == len(repainted) == 2
    assert all(one != other for one, other in zip(painted, repainted, strict=True))
    assert browser.get_log("browser") == []


def test_buttons_and_arrow_keys_go_from_salvo_to_salvo(
    browser: webdriver.Chrome, page: str, opened: Callable[[str], None]
) -> None:
    opened(page)
    back, on = browser.find_elements(By.CSS_SELECTOR, "[data-steps='replay-1'] button")
    press = ActionChains(browser).send_keys
    for number, move in (
        (1, back.click),
        (2, on.click),
        (3, on.click),
        (2, back.click),
        (3, press(Keys.ARROW_RIGHT).perform),
        (2, ActionChains(browser).send_keys(Keys.ARROW_LEFT).perform),
    ):
        move()
        wait_for(browser, f"Salvo {number}")
        active = "return document.getElementById('replay-1')._fullLayout.sliders[0].active"
        assert browser.execute_script(active) == number - 1


def test_posterior_has_most_of_its_colours_for_small_chances_and_ticks_where_they_are() -> None:
    axis = replay_figure(FRAMES, ROWS, COLUMNS).layout.coloraxis
    stops = [place for place, _ in axis.colorscale]
    assert (axis.cmin, axis.cmax) == (stops[0], stops[-1]) == (0, 1)
    assert len([place for place in stops if place < 0.25]) > len(stops) / 2
    assert set(axis.colorbar.tickvals) <= set(stops)


def test_ring_stays_within_its_cell() -> None:
    rings = [
        replay_figure([frame(1)], [str(row) for row in range(side)], [*map(str, range(side))])
        for side in (3, 10, 20)
    ]
    for side, figure in zip((3, 10, 20), rings, strict=True):
        assert figure.data[2].marker.size * side < 320


@pytest.mark.parametrize("width", [390, 700, 1400])
def test_replay_fits_pages_of_any_width_with_square_cells(
    browser: webdriver.Chrome, page: str, opened: Callable[[str], None], width: int
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    opened(page)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    sizes = browser.execute_script(
        "const {xaxis, yaxis} = document.getElementById('replay-1')._fullLayout;"
        "return [xaxis._length / 3, yaxis._length / 2]"
    )
    assert sizes[0] == pytest.approx(sizes[1], rel=0.02)
    assert sizes[0] > 40


def test_frame_names_are_shown_as_they_are() -> None:
    figure = replay_figure(FRAMES, ROWS, COLUMNS)
    title = figure.frames[1].layout.title.text
    assert title == "<b>Salvo 2</b><br>&lt;b&gt;one&lt;/b&gt;: fires"
    assert "&lt;i&gt;two" in figure.frames[1].layout.xaxis.title.text


def test_every_step_of_the_slider_has_its_frame() -> None:
    figure = replay_figure(FRAMES, ROWS, COLUMNS)
    steps = [step.args[0] for step in figure.layout.sliders[0].steps]
    assert [list(step) for step in steps] == [[one.name] for one in figure.frames]
    labels = [step.label.strip() for step in figure.layout.sliders[0].steps]
    assert labels == ["1", "2", "3", "4"]


def test_probabilities_are_rounded_so_that_the_page_stays_small() -> None:
    data = json.loads(replay_figure(FRAMES, ROWS, COLUMNS).to_json())
    assert data["frames"][0]["data"][1]["z"] == [[0.123] * 3] * 2


def test_long_lines_of_a_frame_are_broken() -> None:
    long = Frame(["one", "shot " * 40], FRAMES[0].panels)
    lines = replay_figure([long], ROWS, COLUMNS).layout.title.text.split("<br>")
    assert len(lines) > 3
    assert max(map(len, lines)) < 60
