"""Kinds of layouts that shooters find late, relative to uniform ones."""

import numpy as np
import pytest

from arena.rules import cells_of
from bots.tactics.placement.hard_layouts import MASKS, Scores, features, hard_layouts
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
