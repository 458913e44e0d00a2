"""Heat maps of boards: shades, and the numbers as text."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy

from leaderboards.display.heat_maps import (
    HeatMap,
    caption,
    describe,
    heat_map,
    is_noise,
    numbers,
)


def heat(counts: list[int]) -> HeatMap:
    return HeatMap("Where <it> shoots", counts, 200, ["A", "B"], ["1", "2", "3"])


def test_shades_follow_the_shares_of_the_greatest() -> None:
    drawn, _, _ = heat_map(heat([0, 1, 50, 100, 200, 200])).partition('<g class="cells">')
    cells = {
        shade: re.findall(r"M(\d) (\d)", path)
        for shade, path in re.findall(r'<path class="h(\d)" d="([^"]*)"', drawn)
    }
    assert cells == {
        "0": [("0", "0")],
        "1": [("1", "0")],
        "2": [("2", "0")],
        "4": [("0", "1")],
        "8": [("1", "1"), ("2", "1")],
    }


def test_board_on_which_nothing_happened_has_no_shade() -> None:
    drawn, _, _ = heat_map(heat([0] * 6)).partition('<g class="cells">')
    assert 'class="h0"' in drawn
    assert 'class="h1"' not in drawn


def test_colour_scale_has_every_shade_and_the_greatest_share() -> None:
    _, _, scale = heat_map(heat([0, 1, 50, 100, 20, 20])).partition('<g class="cells">')
    assert re.findall(r'class="h(\d)"', scale) == list("012345678")
    assert re.findall(r">([\d.]+%)<", scale) == ["0%", "50%"]


def test_words_name_the_commonest_cells_and_the_games() -> None:
    assert describe(heat([2, 20, 10, 0, 100, 0])) == (
        "Most often B2 50%, A2 10%, A3 5.0%, A1 1.0%; 11% a cell on average."
    )
    assert caption(heat([0] * 6)) == "Where <it> shoots: 200 games"


def counted(cells: Callable[[Random], Iterable[int]], games: int) -> list[int]:
    random = Random(4)
    counts = Counter(cell for _ in range(games) for cell in cells(random))
    return [counts[cell] for cell in range(100)]


def on_board(counts: list[int], games: int, **more: Any) -> HeatMap:  # noqa: ANN401 - fields
    return HeatMap("", counts, games, list("ABCDEFGHIJ"), list("0123456789"), **more)


@pytest.mark.parametrize("games", [1, 20, 2000])
def test_shots_by_chance_are_noise(games: int) -> None:
    shots = counted(lambda random: random.sample(range(100), 5), games)
    assert is_noise(on_board(shots, games))


def test_same_opening_twice_is_none() -> None:
    assert is_noise(on_board([0] * 44 + [1] + [0] * 55, 1))
    assert not is_noise(on_board([0] * 44 + [2] + [0] * 55, 2))


def test_columns_of_chance_are_noise_only_where_they_come_as_one() -> None:
    def column(random: Random) -> Iterable[int]:
        return range(random.randrange(10), 100, 10)

    columns = counted(column, 200)
    assert is_noise(on_board(columns, 200, together=10.0))
    assert not is_noise(on_board(columns, 20_000, together=1.0))


def test_places_are_compared_with_those_that_chance_prefers() -> None:
    def middle(random: Random) -> Iterable[int]:
        return random.sample(range(30, 70), 4)

    places, by_chance = counted(middle, 300), counted(middle, 2000)
    assert not is_noise(on_board(places, 300))
    assert is_noise(on_board(places, 300, by_chance=by_chance))


def p_value(counts: list[int], games: int, together: float, by_chance: list[int]) -> float:
    """Return Pearson's, with the corrections that heat maps are tested with."""
    seen = np.array(counts)
    drawn = np.array(by_chance) if by_chance else np.ones(len(seen))
    mean = seen.sum() * drawn / drawn.sum()
    possible = mean > 0
    statistic = ((seen - mean)[possible] ** 2 / mean[possible]).sum()
    a_game = seen.sum() / games
    statistic *= (len(seen) - 1) / (len(seen) - a_game)
    if by_chance:
        statistic /= 1 + seen.sum() / drawn.sum()
    return float(scipy.stats.chi2.sf(statistic / together, (len(seen) - 1) / together))


@pytest.mark.parametrize("together", [1.0, 2.5])
@pytest.mark.parametrize("by_chance", [[], [40, 10, 20, 30, 20, 0]])
def test_a_map_is_shown_from_one_in_a_hundred_on(by_chance: list[int], together: float) -> None:
    shown = set()
    for more in range(0, 140, 2):
        counts = [30 + more, 10, 20, 20, 20 + more // 3, 0 if by_chance else 20]
        told = HeatMap("", counts, 200, ["A", "B"], list("123"), together, by_chance)
        chance = p_value(counts, 200, together, by_chance)
        assert is_noise(told) == (chance > 0.01), chance
        shown.add(is_noise(told))
    assert shown == {True, False}


@pytest.mark.parametrize("games", [0, 1])
def test_nothing_is_told_of_no_games_and_of_one_cell_a_game(games: int) -> None:
    assert is_noise(HeatMap("", [games, 0], games, ["A"], ["1", "2"]))
    assert is_noise(HeatMap("", [games], games, ["A"], ["1"]))


def test_nothing_counted_and_everything_counted_are_noise() -> None:
    assert is_noise(on_board([0] * 100, 7))
    assert is_noise(on_board([7] * 100, 7))


def test_numbers_are_percent_cell_by_cell() -> None:
    assert numbers(heat([2, 20, 10, 0, 100, 0])) == [["1", "10", "5"], ["0", "50", "0"]]


def test_text_in_the_drawing_is_escaped() -> None:
    assert "<it>" not in heat_map(heat([1] * 6))
