"""Bots that are not of the default field shoot as ever; ``recorded`` has those that are."""

from collections.abc import Callable
from typing import Any

import pytest

from arena.rules import preset


@pytest.mark.parametrize(
    ("bot", "rules", "solo", "shots"),
    [
        ("clever", "afp-immovable", True, "10 7 8 9 1 0 63 94 34 70 85 76 77 86 96 66 56 23 22"),
        ("clever", "afp", False, "10 7 34 52 1 83 98 89 67 70 61 23 45 29 56 92 74 41 96 5 50 69"),
        ("thompson", "classic", True, "43 54 65 32 36 25 47 76 58 14 87 86 85 88 89 93 3 40 61 72"),
        ("stupid", "afp", True, "17 72 97 8 32 15 63 97 57 60"),
        ("thompson_enumeration", "square-5-3", True, "12 6 7 5 8"),
        ("brute_force", "classic", True, "44 54 45 43 34 24 66 56 76 46 62 85 38 71 12 17 16 27 7"),
        ("diagonal_search", "square-5-3", True, "2 5 8 13 7 6"),
        ("optimal", "ramesh-1", True, "3 6 7 5 4"),
        ("optimal_row", "row-10-3", True, "2 1 0 3"),
    ],
)
def test_shoots_as_ever(
    play: Callable[..., list[Any]], *, bot: str, rules: str, solo: bool, shots: str
) -> None:
    (game,) = play(bot, preset(rules), solo=solo)
    wanted = [int(cell) for cell in shots.split()]
    assert game.cells[: len(wanted)] == wanted
