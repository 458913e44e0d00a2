"""Layouts are improved step by step, and keep their ships apart."""

import numpy as np
import pytest

from bots.training.placing.annealing import Annealing, anneal, changed, cost_of, turned, turnings
from bots.training.placing.numbered_layouts import (
    COVERS,
    Doubles,
    Indices,
    draw_layouts,
    features,
)

EDGE = np.array([cell // 10 in {0, 9} or cell % 10 in {0, 9} for cell in range(100)], np.float32)


def on_the_edge(layouts: Indices) -> Doubles:
    """Return how many cells of layouts lie on the edge, as if that were what a game costs."""
    return np.asarray((COVERS @ EDGE)[layouts].sum(axis=1), float)


def cells(layouts: Indices) -> Indices:
    return np.asarray(COVERS[layouts].sum(axis=1).max(axis=1), int)


def test_one_ship_is_moved_at_a_time_and_none_overlaps() -> None:
    random = np.random.default_rng(1)
    layouts = draw_layouts(500, random)
    others = changed(layouts, random)
    assert ((layouts != others).sum(axis=1) <= 1).all()
    assert (layouts != others).sum() > 400
    assert (cells(others) == 1).all()


def test_turning_keeps_the_class_of_each_placement() -> None:
    layouts = draw_layouts(200, np.random.default_rng(2))
    random = np.random.default_rng(3)
    classes = features().classes
    assert (classes[turned(layouts, random)] == classes[layouts]).all()
    assert len({tuple(row) for row in turnings().tolist()}) == 8


def test_the_costliest_layouts_are_found() -> None:
    random = np.random.default_rng(4)
    *_, (layouts, costs) = anneal(on_the_edge, Annealing(20, 120, 1), random)
    assert on_the_edge(draw_layouts(1000, random)).mean() < 6
    assert costs.mean() > 13  # of 17 cells
    assert costs == pytest.approx(on_the_edge(layouts))


def test_as_many_games_are_played_as_was_said() -> None:
    played = []

    def cost(layouts: Indices) -> Doubles:
        played.append(len(layouts))
        return on_the_edge(layouts)

    settings = Annealing(7, 11, 3)
    list(anneal(cost, settings, np.random.default_rng(5)))
    assert sum(played) == settings.evaluations


def test_a_cost_is_the_mean_over_games() -> None:
    layouts = draw_layouts(30, np.random.default_rng(6))
    found = cost_of(layouts, 5, on_the_edge, np.random.default_rng(7))
    assert found == pytest.approx(on_the_edge(layouts))
