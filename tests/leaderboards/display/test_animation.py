"""A game as an animated SVG: what is seen when, and text as it is."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from selenium import webdriver

from leaderboards.display.animation import animated_svg
from leaderboards.display.replay_frames import Frame, Mark, Panel, Replay

SEEN = """
const svg = document.documentElement;
svg.pauseAnimations();
svg.setCurrentTime(arguments[0]);
const seen = (element) => getComputedStyle(element).opacity === "1";
return {
    words: [...document.querySelectorAll("svg > text")].filter(seen).map((one) => one.textContent),
    fills: [...document.querySelectorAll("g rect")].map((cell) => getComputedStyle(cell).fill),
    rings: [...document.querySelectorAll("circle")].filter(seen).length,
};
"""


def game(frames: int = 3) -> Replay:
    shown = []
    for number in range(frames):
        marks: list[Mark] = ["ship", "water"]
        marks[:number] = (["hit", "miss"])[:number]
        board = Panel("<b>two</b>", "ships", marks, None, [number] if number < 2 else [])
        shown.append(Frame([f"Salvo {number + 1}", "a & b"], [board]))
    return Replay("game", "", "one & <two>", [], [], ["A"], ["1", "2"], shown)


def test_film_is_well_formed_and_names_nothing_outside() -> None:
    text = animated_svg(game())
    root = ET.fromstring(text)  # noqa: S314 - it was written here
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "href" not in text
    assert "<script" not in text


def test_text_of_bots_is_escaped() -> None:
    texts = list(ET.fromstring(animated_svg(game())).itertext())  # noqa: S314 - it was written here
    assert "<b>two</b>" in texts
    assert texts.count("one & <two>") == 2


def test_each_salvo_is_seen_at_its_time(browser: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "film.svg"
    path.write_text(animated_svg(game()), encoding="utf-8")
    browser.get(path.as_uri())
    first, second, last = (browser.execute_script(SEEN, seconds) for seconds in (0.5, 1.5, 2.5))
    for number, seen in enumerate((first, second, last), 1):
        assert seen["words"] == ["one & <two>", f"Salvo {number}a & b"]
    assert first["fills"] != second["fills"] != last["fills"]
    assert [seen["rings"] for seen in (first, second, last)] == [1, 1, 0]


def test_what_does_not_animate_shows_the_end() -> None:
    text = animated_svg(game())
    assert '<text fill="#1b2430" opacity="1">' in text
    assert text.index('opacity="1"><animate') > text.index('opacity="0"><animate')


@pytest.mark.parametrize(
    ("salvos", "seconds"), [(1, 4), (2, 5), (45, 48), (46, 45 * 45 / 46 + 4), (200, 48.775)]
)
def test_game_plays_a_salvo_a_second_but_no_more_than_45_and_holds_the_end(
    salvos: int, seconds: float
) -> None:
    text = animated_svg(game(salvos))
    told = [float(part) for part in re.findall(r'dur="([^"]*)s"', text)]
    assert told == pytest.approx([seconds] * len(told), abs=0.001)
    assert bool(told) == (salvos > 1)
    starts = re.findall(r'keyTimes="([^"]*)"', text)
    if salvos > 2:
        assert f"0;{min(1, 45 / salvos) / seconds:.4g}" in starts


def test_words_are_broken_where_the_board_ends_but_not_before_twenty_letters() -> None:
    words = [Frame(["It fires at A1, A2 and at B10."], game(1).frames[0].panels)]
    narrow = animated_svg(replace(game(1), frames=words))
    assert re.findall(r'<tspan x="18" y="(\d+)">([^<]*)<', narrow) == [
        ("64", "It fires at A1, A2"),
        ("85", "and at B10."),
    ]
    broad = replace(game(1), frames=words, columns=[str(number) for number in range(9)])
    assert "It fires at A1, A2 and at B10.<" in animated_svg(broad)
