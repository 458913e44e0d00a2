"""The book of openings: for the classic game alone, in all its turns."""

import pytest

from arena.rules import Rules, Ship, preset, view
from bots.tactics.value import opening_book as book
from bots.tactics.value.opening_book import compute, opening, turnings


def test_the_book_has_different_cells() -> None:
    assert len(set(opening())) == len(opening()) == book.DEPTH


def test_the_book_is_turned_and_mirrored() -> None:
    assert len(set(turnings(view(preset("classic"))))) == 8


def test_other_games_have_no_book() -> None:
    small = Rules(name="small", rows=10, columns=10, fleet=(Ship("two", 2),))
    assert turnings(view(small)) == []


def test_a_book_is_computed_and_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "STARTS": 2,
        "CLIMBED": 1,
        "SAMPLES": 1,
        "LAYOUTS": 200,
        "SAMPLE": 500,
        "SWEEPS": 1,
        "DEPTH": 3,
    }.items():
        monkeypatch.setattr(book, name, value)
    first, again = compute(1), compute(1)
    assert first.tolist() == again.tolist()
    assert len(set(first.tolist())) == 3
