"""The report, in its bytes and in a browser."""

import json
import re
import time
from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from selenium import webdriver

from leaderboards import mean_turns, rate
from leaderboards.display import html_page
from leaderboards.display.heat_maps import HeatMap
from leaderboards.display.replay_frames import Frame, Panel, Replay
from leaderboards.display.sections import Profile, Table
from leaderboards.display.short_names import cut
from leaderboards.display.templating import as_data

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


@pytest.fixture(scope="module")
def build(league: GamesOf, searches: Searches) -> Callable[..., str]:
    def page(*bots: str) -> str:
        solo = searches(bots)
        games = league({bot: -60.0 * place for place, bot in enumerate(bots)}, 4)
        return html_page.html(
            ratings=rate(games),
            turns=mean_turns(solo),
            solo=solo,
            settings={"seed": 7, "rules": "<b>10x10</b>"},
        )

    return page


@pytest.fixture(scope="module")
def page(build: Callable[..., str]) -> Callable[..., str]:
    """Return the page of some bots, built once."""
    return cache(build)


def requested(browser: webdriver.Chrome) -> list[str]:
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
        # The browser's own first page asks for things of its own.
        and event["params"]["documentURL"].startswith("file:")
    ]


def phone(browser: webdriver.Chrome, width: int = 390) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 700},
    )


def test_hostile_names_are_shown_as_they_are_and_the_network_stays_silent(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    opened(page(*HOSTILE))
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
    settings = browser.find_element("id", "settings").get_attribute("textContent")
    assert "<b>10x10</b>" in str(settings)


def test_hover_shows_a_hostile_name_as_it_is(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    opened(page(*HOSTILE))
    hover = "Plotly.Fx.hover('elo-1', [{curveNumber: arguments[0], pointNumber: 0}])"
    told = []
    for index in range(len(HOSTILE)):
        browser.execute_script(hover, index)
        time.sleep(0.2)  # Plotly draws a hover at most every 50 ms.
        told.append(browser.find_element("css selector", "#elo-1 .hovertext").text)
    for name in HOSTILE[:6]:
        assert any(name in text for text in told), told


def test_page_fits_a_phone_and_shows_what_is_cut_off(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    phone(browser)
    opened(page(*HOSTILE))
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    widths = browser.execute_script(
        "return [...document.querySelectorAll('.main-svg')].map(svg => svg.clientWidth)"
    )
    assert len(widths) > 0
    assert all(0 < width <= 390 for width in widths)
    cut = "return document.querySelector('#elo .scroll').classList.contains('more')"
    assert browser.execute_script(cut)
    browser.execute_script("document.querySelector('#elo .scroll').scrollLeft = 9999")
    deadline = time.monotonic() + 20
    while browser.execute_script(cut):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_dark_page_has_light_labels(
    browser: webdriver.Chrome, page: Callable[..., str], opened: Opened
) -> None:
    fill = "return getComputedStyle(document.querySelector('#elo-1 .ytick text')).fill"
    opened(page("a", "b"))
    light = browser.execute_script(fill)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    opened(page("a", "b"))
    assert browser.execute_script(fill) != light


def test_same_games_make_the_same_bytes(build: Callable[..., str]) -> None:
    assert build("a", "b") == build("a", "b")


def test_page_names_no_address_but_those_inside_plotly(page: Callable[..., str]) -> None:
    text = page("a", "b")
    packed = re.search(r'<script type="text/plain" id="plotly">.*?</script>', text)
    assert packed is not None
    rest = text.replace(packed[0], "").replace("http-equiv", "")
    assert set(re.findall(r"https?://[^\"']*", rest)) <= {"http://www.w3.org/2000/svg"}


def test_page_without_games_says_so() -> None:
    nothing = pd.DataFrame()
    text = html_page.html(ratings=rate(nothing), turns=mean_turns(nothing), solo=nothing)
    assert "No two-player games were played." in text
    assert "No solo games were played." in text
    assert 'class="figure"' not in text
    assert 'id="settings"' not in text


def test_page_of_one_kind_of_games_leaves_the_other_out(searches: Searches) -> None:
    text = html_page.html(turns=mean_turns(searches(["a"])))
    assert "Two-player games" not in text
    assert text.count('data-figure="turns-') == 1


def test_heading_is_the_title_with_a_line_below() -> None:
    text = html_page.html(title="A <title>", about="Of <7> games")
    assert "<h1>A &lt;title&gt;</h1>" in text
    assert '<p class="about">Of &lt;7&gt; games</p>' in text
    assert 'class="about"' not in html_page.html()


@pytest.mark.parametrize(("width", "heads"), [(1400, ["a", "b", "c"]), (390, ["1", "2", "3"])])
def test_columns_of_the_matrix_have_names_where_there_is_room(
    browser: webdriver.Chrome,
    page: Callable[..., str],
    opened: Opened,
    width: int,
    heads: list[str],
) -> None:
    phone(browser, width)
    opened(page("a", "b", "c"))
    shown = browser.execute_script(
        "return [...document.querySelectorAll('.matrix thead th')].map(head => head.innerText)"
    )
    assert shown == heads


def test_further_section_follows_the_leaderboards() -> None:
    drawing = html_page.Drawing("Frames", go.Figure(layout={"height": 100}))
    section = html_page.Section("more", "More", notes=("Game 7.",), drawings=(drawing,))
    text = html_page.html(further=[section])
    assert '<section id="more">' in text
    assert "Game 7." in text
    assert 'data-figure="more-1"' in text


def test_data_cannot_end_its_script_element() -> None:
    data = as_data({"y": ["</script>", "\u2028", "&"]})
    assert not set("<>&\u2028") & set(data)
    assert json.loads(data)["y"] == ["</script>", "\u2028", "&"]


def test_who_what_and_when_are_told() -> None:
    text = html_page.html(facts={"Seed": "<7>", "To repeat": "$ salvo match a b"})
    assert "<dt>Seed</dt><dd>&lt;7&gt;</dd>" in text
    assert "<dt>To repeat</dt><dd><code>salvo match a b</code></dd>" in text


def test_name_of_a_bot_leads_to_its_section(league: GamesOf) -> None:
    names = ["a", "<b> c"]
    table = Table("Against each", [{"opponent": names[0], "games": "8"}])
    profiles = [Profile(names[0]), Profile(names[1], "", ["It says <hello>."], [table])]
    text = html_page.html(ratings=rate(league(dict.fromkeys(names, 0.0), 4)), profiles=profiles)
    assert text.count('<a href="#bot-a"><bdi>a</bdi></a>') == 3
    assert text.count('<a href="#bot-number-2"><bdi>&lt;b&gt; c</bdi></a>') == 2
    assert '<details class="card" id="bot-number-2">' in text
    assert "<p>It says &lt;hello&gt;.</p>" in text


def test_link_to_a_bot_opens_its_card(
    browser: webdriver.Chrome, opened: Opened, league: GamesOf
) -> None:
    ratings = rate(league({"a": 0.0, "b": 0.0}, 4))
    opened(html_page.html(ratings=ratings, profiles=[Profile("a", "", ["Of a."]), Profile("b")]))
    unfolded = "return [...document.querySelectorAll('.card[open]')].map(card => card.id)"
    assert browser.execute_script(unfolded) == []
    browser.execute_script("document.querySelector('#elo a[href=\"#bot-a\"]').click()")
    deadline = time.monotonic() + 20
    while browser.execute_script(unfolded) != ["bot-a"]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_game_comes_first_and_settings_last(league: GamesOf) -> None:
    axes = ["A"], ["1"]
    game = Replay("closest", "", "", ["a"], [], *axes, [Frame(["x"], [Panel("a", "", ["water"])])])
    text = html_page.html(
        ratings=rate(league({"a": 0.0, "b": 0.0}, 4)),
        turns=mean_turns(pd.DataFrame()),
        settings={"seed": 7},
        further=[html_page.Section("more", "More")],
        closing=[html_page.Section("faults", "Faults")],
        replays=[game, game],
        profiles=[Profile("a")],
    )
    order = ["watch", "elo", "turns", "more", "games", "bots", "faults", "sure", "settings"]
    assert re.findall(r'<section id="(\w+)"', text) == order


def test_page_without_figures_carries_no_script_to_draw_them() -> None:
    assert len(html_page.html()) < 20_000


def test_page_of_eight_bots_is_small(league: GamesOf, searches: Searches) -> None:
    bots = [f"a_bot_with_a_long_name_{place}" for place in range(8)]
    solo = searches(bots, 500)
    axes = [*"ABCDEFGHIJ"], [str(column) for column in range(1, 11)]
    chances = np.random.default_rng(1).random(100).tolist()
    panels = [Panel(bot, "ships", ["ship"] * 100, None, (1, 2, 3, 4, 5)) for bot in bots[:2]]
    frame = Frame(
        ["A salvo", "words " * 30], [*panels, Panel(bots[0], "odds", ["hit"] * 100, chances)]
    )
    replays = [Replay(f"game{n}", "", "", bots[:2], [], *axes, [frame] * 100) for n in range(2)]
    heat = HeatMap("Where it shoots", list(range(100)), 500, *axes)
    text = html_page.html(
        ratings=rate(league(dict.fromkeys(bots, 0.0), 20)),
        turns=mean_turns(solo),
        solo=solo,
        replays=replays,
        profiles=[Profile(bot, heat_maps=[heat, heat]) for bot in bots],
    )
    assert len(text.encode()) < 1_500_000
