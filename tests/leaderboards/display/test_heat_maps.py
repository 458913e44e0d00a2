"""Heat maps of boards: shades, and the numbers as text."""

import re

from leaderboards.display.heat_maps import HeatMap, describe, heat_map, numbers


def heat(counts: list[int]) -> HeatMap:
    return HeatMap("Where <it> shoots", counts, 200, ["A", "B"], ["1", "2", "3"])


def test_shades_follow_the_shares_of_the_greatest() -> None:
    drawn = heat_map(heat([0, 1, 50, 100, 200, 200]))
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
    assert 'class="h0"' in heat_map(heat([0] * 6))
    assert 'class="h1"' not in heat_map(heat([0] * 6))


def test_words_name_the_commonest_cells_and_the_games() -> None:
    assert describe(heat([2, 20, 10, 0, 100, 0])) == (
        "Most often B2 50%, A2 10%, A3 5.0%, A1 1.0%; 11% a cell on average, in 200 games."
    )


def test_numbers_are_percent_cell_by_cell() -> None:
    assert numbers(heat([2, 20, 10, 0, 100, 0])) == [["1", "10", "5"], ["0", "50", "0"]]


def test_text_in_the_drawing_is_escaped() -> None:
    assert "<it>" not in heat_map(heat([1] * 6))
