"""Long names are cut in the middle, so that they stay apart."""

import pytest

from leaderboards.display.short_names import cut, cut_apart


@pytest.mark.parametrize(
    ("name", "longest", "shown"),
    [
        ("hunt", 8, "hunt"),
        ("hunt_target", 11, "hunt_target"),
        ("hunt_target_fast", 9, "hunt\u2026fast"),
        ("hunt_target_fast", 8, "hunt\u2026ast"),
    ],
)
def test_name_is_cut_in_the_middle(name: str, longest: int, shown: str) -> None:
    assert cut(name, longest) == shown


def test_names_that_would_be_alike_are_left_longer() -> None:
    names = ["posterior_one_for_boards_of_any_size", "posterior_two_for_boards_of_any_size", "hunt"]
    shown = cut_apart(names, 9)
    assert cut(names[0], 9) == cut(names[1], 9)
    assert list(shown.values()) == [
        "posterior_on\u2026_of_any_size",
        "posterior_tw\u2026_of_any_size",
        "hunt",
    ]


def test_names_that_differ_in_one_character_are_shown_whole() -> None:
    names = [f"{'x' * 19}{digit}{'x' * 20}" for digit in "12"]
    assert list(cut_apart(names, 9).values()) == names
