"""The book of openings: for the classic game alone, in all its turns."""

import numpy as np
import pytest

from arena.rules import Rules, Ship, preset, view
from arena.rules.presets import STANDARD_FLEET
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.value import opening_book as book
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.opening_book import _likeliest, compute, opening, turnings


def test_the_book_has_different_cells() -> None:
    assert len(set(opening())) == len(opening()) == book.DEPTH


def test_the_book_is_turned_and_mirrored() -> None:
    assert len(set(turnings(view(preset("classic"))))) == 8


def test_other_games_have_no_book() -> None:
    small = Rules(name="small", rows=10, columns=10, fleet=(Ship("two", 2),))
    assert turnings(view(small)) == []


def test_a_book_is_computed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in {
        "STARTS": 3,
        "CLIMBED": 2,
        "SAMPLES": 2,
        "LAYOUTS": 200,
        "SAMPLE": 500,
        "SWEEPS": 2,
        "DEPTH": 3,
    }.items():
        monkeypatch.setattr(book, name, value)
    assert compute(1).tolist() == [46, 57, 64]
    told = "43.371 to 43.190 shots: 46 31 52\n43.423 to 43.172 shots: 46 57 64\n"
    assert capsys.readouterr().out == told


@pytest.mark.parametrize(
    ("fields", "turns"),
    [
        ({}, 8),
        ({"again": True, "reshoot": True, "layouts": "sequential"}, 8),
        ({"rows": 11}, 0),
        ({"columns": 11}, 0),
        ({"touching": "corners"}, 0),
        ({"lies": 1}, 0),
        ({"fleet": (*STANDARD_FLEET, Ship("two", 2))}, 0),
    ],
)
def test_the_book_is_for_the_classic_board_and_fleet_however_sinkings_are_told(
    fields: dict[str, object], turns: int
) -> None:
    rules = Rules(**{"name": "game", "rows": 10, "columns": 10, "fleet": STANDARD_FLEET} | fields)  # type: ignore[arg-type]
    found = turnings(view(rules))
    assert len(found) == turns
    assert all(len(set(cells)) == 12 for cells in found)


def test_cells_that_follow_a_path_are_the_likeliest_once_those_before_missed() -> None:
    board = board_of(1, 5, (2,))
    drawn = Drawn(np.arange(4)[None], np.array([1.0, 1, 1, 1]), 0.0, whole=True)
    layouts = LayoutSet(board, (2,), drawn, np.zeros(5, bool), np.ones(5, bool))
    # The ship lies on 01, 12, 23 or 34: one placement covers the ends, two each other cell.
    assert _likeliest(layouts, np.array([0, 3]), 0).tolist() == [1, 2, 4, 0, 3]
    assert _likeliest(layouts, np.array([3, 0]), 1).tolist() == [1, 2, 0, 3, 4]
    assert _likeliest(layouts, np.array([1, 0]), 1).tolist() == [3, 2, 4, 0, 1]
