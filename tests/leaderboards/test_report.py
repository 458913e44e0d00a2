"""The report, in its bytes and in a browser."""

import json
import re
import time
from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
import pytest
from selenium import webdriver

from leaderboards import figures, mean_turns, rate, report
from leaderboards.names import cut

GamesOf = Callable[..., pd.DataFrame]
Searches = Callable[..., pd.DataFrame]
Opened = Callable[[str], None]

HOSTILE = [
    "<script>window.hurt = 1</script>",
    "</script><img src=x onerror='window.hurt = 1'>",
    "<b>bold</b>",
    "$x$ and $$y$$",
    "&lt;i&gt; &amp; %{x}",
    "{{ 7 * 7 }}",
    "a name that is very long " + "and goes on " * 8,
    "\u202eright to left \u4e2d\u6587",
]


@pytest.fixture
def page(league: GamesOf, searches: Searches) -> Callable[..., str]:
    def build(bots: list[str]) -> str:
        solo = searches(bots)
        games = league({bot: -60.0 * place for place, bot in enumerate(bots)}, 4)
        return report.html(
            ratings=rate(games),
            turns=mean_turns(solo),
            solo=solo,
            settings={"seed": 7, "rules": "<b>10x10</b>"},
        )

    return build


def requested(browser: webdriver.Chrome) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        # The browser's own first page asks for things of its own.
        and event["params"]["documentURL"].startswith("file:")
    ]


def test_hostile_names_are_shown_as_they_are_and_the_network_stays_silent(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    opened(page(HOSTILE))
    assert browser.get_log("browser") == []
    urls = [url for url in requested(browser) if not url.startswith(("file:", "data:"))]
    assert urls == []
    assert browser.execute_script("return window.hurt") is None
    cells = browser.execute_script(
        "return [...document.querySelectorAll('#elo td.bot bdi')].map(cell => cell.textContent)"
    )
    labels = browser.execute_script(
        "return [...document.querySelectorAll('#elo-1 .ytick text')].map(text => text.textContent)"
    )
    for name in HOSTILE:
        literal = name.replace("\u202e", "\\u202e")
        short = cut(literal, 20)
        assert literal in cells
        assert short.replace("\xa0", " ") in [label.replace("\xa0", " ") for label in labels]
    assert "<b>10x10</b>" in browser.find_element("id", "settings").text


def test_hover_shows_a_hostile_name_as_it_is(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    opened(page(HOSTILE))
    hover = "Plotly.Fx.hover('elo-1', [{curveNumber: arguments[0], pointNumber: 0}])"
    told = []
    for index in range(len(HOSTILE)):
        browser.execute_script(hover, index)
        time.sleep(0.2)  # Plotly draws a hover at most every 50 ms.
        told.append(browser.find_element("css selector", "#elo-1 .hovertext").text)
    for name in HOSTILE[:6]:
        assert any(name in text for text in told), told


def test_page_fits_a_phone(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    opened(page(HOSTILE))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    widths = browser.execute_script(
        "return [...document.querySelectorAll('.main-svg')].map(svg => svg.clientWidth)"
    )
    assert len(widths) > 0
    assert all(0 < width <= 390 for width in widths)


def test_dark_page_has_light_labels(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    fill = "return getComputedStyle(document.querySelector('#elo-1 .ytick text')).fill"
    opened(page(["a", "b"]))
    light = browser.execute_script(fill)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    opened(page(["a", "b"]))
    assert browser.execute_script(fill) != light


def test_same_games_make_the_same_bytes(page: Callable[..., str]) -> None:
    assert page(["a", "b", "c"]) == page(["a", "b", "c"])


def test_page_names_no_address_but_those_inside_plotly(page: Callable[..., str]) -> None:
    text = page(["a", "b"])
    scripts = sorted(re.findall(r"<script>.*?</script>", text, flags=re.DOTALL), key=len)
    assert "http" not in text.replace(scripts[-1], "").replace("http-equiv", "")


def test_page_without_games_says_so() -> None:
    nothing = pd.DataFrame()
    text = report.html(ratings=rate(nothing), turns=mean_turns(nothing), solo=nothing)
    assert "No two-player games were played." in text
    assert "No solo games were played." in text
    assert 'data-figure="' not in text
    assert 'id="settings"' not in text


def test_page_of_one_kind_of_games_leaves_the_other_out(searches: Searches) -> None:
    text = report.html(turns=mean_turns(searches(["a"])))
    assert "Two-player games" not in text
    assert text.count('data-figure="turns-') == 1


def test_heading_is_the_title_with_a_line_below() -> None:
    text = report.html(title="A <title>", about="Of <7> games")
    assert "<h1>A &lt;title&gt;</h1>" in text
    assert '<p class="about">Of &lt;7&gt; games</p>' in text
    assert 'class="about"' not in report.html()


@pytest.mark.parametrize(("width", "heads"), [(1400, ["a", "b", "c"]), (390, ["#1", "#2", "#3"])])
def test_columns_of_the_matrix_have_names_where_there_is_room(
    browser: webdriver.Chrome,
    page: Callable[..., str],
    opened: Opened,
    width: int,
    heads: list[str],
) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    opened(page(["a", "b", "c"]))
    shown = browser.execute_script(
        "return [...document.querySelectorAll('#elo-2 .xtick text')].map(text => text.textContent)"
    )
    assert shown == heads


def searched(shots: list[int], a_turn: int) -> go.Figure:
    rows = [("a", layout, -(-n // a_turn), n, 17, False) for layout, n in enumerate(shots)]
    columns = ["bot", "layout", "turns", "shots", "hits", "forfeit"]
    solo = pd.DataFrame(rows, columns=columns)
    return figures.shots_figure(solo, mean_turns(solo), figures.colours(["a"]))


@pytest.mark.parametrize(
    ("shots", "a_turn", "least"),
    [
        ([35, 40, 60, 100], 5, 5),
        ([33, 36, 60, 100], 3, 3),
        ([30, 60, 90], 1, 0),
        ([40, 41, 55], 1, 0),
    ],
)
def test_spread_is_smoothed_over_the_shots_of_a_turn_and_ends_with_the_games(
    shots: list[int], a_turn: int, least: int
) -> None:
    ridge = searched(shots, a_turn).data[0]
    assert ridge.spanmode == "hard"
    assert least <= ridge.bandwidth <= max(least, 1.5)


def test_further_section_follows_the_leaderboards() -> None:
    drawing = report.Drawing("Frames", go.Figure(layout={"height": 100}))
    section = report.Section("replay", "A replay", notes=("Game 7.",), drawings=(drawing,))
    text = report.html(further=[section])
    assert '<section id="replay">' in text
    assert "Game 7." in text
    assert 'data-figure="replay-1"' in text


def test_data_cannot_end_its_script_element() -> None:
    data = report.as_data(go.Figure(go.Bar(y=["</script>", "\u2028", "&"])))
    assert not set("<>&\u2028") & set(data)
    assert json.loads(data)["data"][0]["y"] == ["</script>", "\u2028", "&"]


def test_bound_is_drawn_on_one_side_with_a_hollow_mark(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0), ("b", "a", "second", 0)]))
    figure = figures.elo_figure(ratings, figures.colours(["a", "b"]))
    best, worst = figure.data
    assert best.marker.symbol == "triangle-right-open"
    assert (best.error_x.array[0], worst.error_x.arrayminus[0]) == (0, 0)
    assert best.error_x.arrayminus[0] > 0
    assert "at least" in best.hovertemplate


def test_bot_without_a_rating_or_a_bound_is_left_out_of_the_figure(games_of: GamesOf) -> None:
    ratings = rate(games_of([("a", "b", "first", 0)]), prior=None)
    assert figures.elo_figure(ratings, figures.colours(["a", "b"])).data == ()
    matrix = figures.matrix_figure(ratings).data[0]
    assert "?% predicted" in matrix.hovertext[0][1]


@pytest.mark.parametrize("number", [3, 10, 11, 40])
def test_every_bot_has_a_colour_of_its_own(number: int) -> None:
    bots = [f"bot {place}" for place in range(number)]
    assert len(set(figures.colours(bots).values())) == number
