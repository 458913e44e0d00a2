"""Kinds of layouts that shooters find late, relative to uniform ones."""

import itertools

import numpy as np
import pytest

from arena.rules import Rules, cells_of, view
from arena.rules.presets import STANDARD_FLEET
from bots.tactics.placement.hard_layouts import (
    MASKS,
    HardLayouts,
    Scores,
    features,
    hard_layouts,
    numbers_of,
)
from bots.tactics.placement.weighted_layouts import class_of, name_for
from bots.training.placing.annealing import turnings
from bots.training.placing.numbered_layouts import Indices, draw_layouts

GAMES = ("classic", "salvo")


@pytest.fixture(scope="module")
def uniform() -> Indices:
    return draw_layouts(20_000, np.random.default_rng(1))


@pytest.mark.parametrize("name", GAMES)
def test_uniform_layouts_are_as_likely_as_uniformly_at_the_mean(
    name: str, uniform: Indices
) -> None:
    for kind in hard_layouts(name):
        assert kind.odds(uniform.T).mean() == pytest.approx(1, abs=0.06)


@pytest.mark.parametrize("name", GAMES)
def test_a_layout_that_is_turned_is_as_likely_as_before(name: str, uniform: Indices) -> None:
    few = uniform[:50]
    for kind in hard_layouts(name):
        for turn in turnings():
            assert kind.odds(turn[few].T) == pytest.approx(kind.odds(few.T), rel=1e-4)


def test_scores_are_sums_over_features(uniform: Indices) -> None:
    scores = np.random.default_rng(2).normal(size=len(features().names))
    few = uniform[:100].T
    assert Scores.of(scores).sums(few) == pytest.approx(features().of(few) @ scores, rel=1e-4)


def test_features_say_where_ships_lie_and_how_they_touch() -> None:
    upright, beside = [0, 10, 20, 30, 40], [1, 11, 21, 31]
    numbers = {tuple(cells_of(mask)): number for number, mask in enumerate(MASKS)}
    layout = [
        numbers[tuple(ship)] for ship in (upright, beside, [97, 98, 99], [49, 59, 69], [3, 4])
    ]
    [found] = features().of(np.array([layout]).T)
    counts = dict(zip(features().names, found.tolist(), strict=True))
    assert counts["0+1+2+3+4"] == 1  # along an edge, from a corner
    assert counts["along 1 touching 4"] == 1
    assert counts["across 2 touching 0"] == 1  # from the end of the four to the two
    assert sum(counts.values()) == 5 + 10


def way_of(one: list[int], two: list[int]) -> str:
    """Return how two ships lie to each other, counted cell by cell."""
    apart = [
        (abs(here // 10 - there // 10), abs(here % 10 - there % 10))
        for here in one
        for there in two
    ]
    gap = min(map(max, apart))
    if not 1 <= gap <= 5:
        return "far"
    along = (one[1] - one[0] == 10) == (two[1] - two[0] == 10)
    touching = apart.count((0, 1)) + apart.count((1, 0))
    return f"{'along' if along else 'across'} {gap} touching {touching}"


def test_ways_of_two_ships_are_those_counted_cell_by_cell() -> None:
    known, ships = features(), [cells_of(mask) for mask in MASKS]
    for one, two in np.random.default_rng(3).integers(len(MASKS), size=(600, 2)).tolist():
        assert known.names[known.pairs[one, two]] == way_of(ships[one], ships[two])
    near = [number for number, ship in enumerate(ships) if 44 in ship]
    for one, two in itertools.product(near[:12], range(0, len(MASKS), 7)):
        assert known.names[known.pairs[one, two]] == way_of(ships[one], ships[two])


def test_places_are_named_after_the_first_of_their_turnings() -> None:
    known = features()
    lengths = [len(name.split("+")) for name in known.names if name[0].isdigit()]
    assert lengths == sorted(lengths, reverse=True)
    for number, mask in enumerate(MASKS):
        assert known.names[known.places[number]] == "+".join(map(str, class_of(mask)))


def test_placements_of_each_length_are_numbered_after_those_of_longer_ones() -> None:
    # Of five cells there are 120, of four 140, of three 160.
    found = numbers_of([5, 4, 3, 3, 2], np.array([[0, 119], [0, 1], [0, 1], [5, 6], [0, 2]]))
    assert found.tolist() == [[0, 119], [120, 121], [260, 261], [265, 266], [420, 422]]


def test_all_scores_above_the_cap_count_the_same() -> None:
    scores = Scores(np.array([1.0, 2, 4], np.float32), np.zeros((3, 3), np.float32))
    kind = HardLayouts(scores, cap=5.0, mean=2.0)
    found = kind.odds(np.array([[0, 1, 2], [1, 1, 2]]))
    assert found == pytest.approx(np.exp([3, 4, 5]) / 2)


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "classic"),
        ({"again": True, "turn_limit": 90, "countdown": 3}, "classic"),
        ({"shots": "afloat", "told": "count"}, "salvo"),
        ({"hits_named": True, "reshoot": True, "layouts": "sequential"}, "classic"),
        ({"sunk_cells": True, "lies": 1}, "classic"),
        ({"shots": 2}, None),
        ({"sinkings": "unnamed"}, None),
        ({"touching": "corners"}, None),
        ({"moves": True, "reshoot": True}, None),
        ({"rows": 11}, None),
        ({"columns": 11}, None),
        ({"fleet": STANDARD_FLEET[:4]}, None),
    ],
)
def test_games_for_which_layouts_were_searched(fields: dict[str, object], name: str | None) -> None:
    usual = {"name": "game", "rows": 10, "columns": 10, "fleet": STANDARD_FLEET[::-1]}
    assert name_for(view(Rules(**usual | fields))) == name  # type: ignore[arg-type]
