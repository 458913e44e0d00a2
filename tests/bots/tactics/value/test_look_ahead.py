"""Which cells are compared, over which layouts, and when the end is solved."""

from random import Random

import numpy as np
import pytest

from arena.rules import Rules, Ship, view
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.chances import Chances
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import (
    can_value,
    drawn_by_weight,
    informed_salvo,
    layout_sets,
    off_class,
    scores_of,
    solved,
    weighed_sets,
    worth_comparing,
)


@pytest.mark.parametrize(
    ("fields", "can"),
    [
        ({}, True),
        ({"rows": 12}, True),
        ({"rows": 13}, False),
        ({"rows": 5, "columns": 29}, False),
        ({"shots": 2}, True),
        ({"shots": 2, "hits_named": True}, False),
        ({"shots": "afloat", "hits_named": True}, False),
        ({"hits_named": True}, True),
        ({"touching": "never", "again": True, "reshoot": True}, True),
        ({"sinkings": "silent"}, False),
        ({"moves": True, "reshoot": True}, False),
        ({"lies": 1}, False),
    ],
)
def test_shots_are_valued_by_rules_under_which_layouts_are_drawn(
    fields: dict[str, object], *, can: bool
) -> None:
    fleet = (Ship("two", 2), Ship("three", 3))
    plain = {"name": "some", "rows": 6, "columns": 12, "fleet": fleet}
    assert can_value(view(Rules(**plain | fields))) == can  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scores", "cells"),
    [
        ([1, 0.5, 0.49, 0.7], [0, 3, 1]),
        ([1, 0, 0, 0], [0]),
        ([0.93, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1], [7, 6, 5, 4, 3, 2]),
    ],
)
def test_the_best_six_cells_at_least_half_as_promising_as_the_first_are_compared(
    scores: list[float], cells: list[int]
) -> None:
    assert worth_comparing(np.array(scores), range(len(scores)), Random(1)) == cells


def test_shot_cells_are_not_compared_and_equal_ones_are_in_any_order() -> None:
    scores = np.array([1.0, 0.0, 0.0, 0.0])
    orders = {tuple(worth_comparing(scores, [1, 2, 3], Random(seed))) for seed in range(40)}
    assert {frozenset(order) for order in orders} == {frozenset({1, 2, 3})}
    assert len(orders) == 6


def test_cells_off_the_class_count_less_and_less_so_while_a_hit_is_open() -> None:
    assert off_class(is_open=False) < off_class(is_open=True) < 1
    chances = np.array([0.2, 0.2, 0.2, 0.3])
    # Of one row each second cell is a class: two cells each, and the second class is likelier.
    assert scores_of(chances, 4, 2, 0.5) == pytest.approx([0.1, 0.2, 0.1, 0.3])
    assert scores_of(chances, 4, 1, 0.5) == pytest.approx(chances)


def test_a_salvo_begins_on_the_class_of_diagonals() -> None:
    chances = Chances(board_of(7, 7, (3, 2)), (3, 2), [np.random.default_rng(1)])
    (layouts,) = layout_sets(chances, Random(1))
    found = informed_salvo(chances, layouts, range(49), 5, 0.5)
    assert len({(cell // 7 + cell % 7) % 2 for cell in found}) == 1


BOARD = board_of(4, 4, (3, 2))


def chances_after(*told: Observation, layouts: int = 2_000, sets: int = 3) -> Chances:
    chances = Chances(BOARD, (3, 2), [np.random.default_rng(seed) for seed in range(sets)], layouts)
    for one in told:
        chances.follow(one)
    return chances


def test_all_layouts_are_one_set() -> None:
    (one,) = layout_sets(chances_after(), Random(1))
    assert one.drawn.whole
    assert len(one.drawn.weights) == int((BOARD.fits[3, 2] > 0).sum())


def test_layouts_that_are_drawn_are_as_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.tactics.value.chances.MOST_LISTED", 0)
    sets = layout_sets(chances_after(layouts=50), Random(1))
    assert [len(one.drawn.weights) for one in sets] == [50, 50, 50]
    assert not any(one.drawn.whole for one in sets)


@pytest.mark.parametrize(("most", "left"), [(9, 9), (100, 100), (1_000, 264)])
def test_of_many_layouts_some_are_taken(
    monkeypatch: pytest.MonkeyPatch, most: int, left: int
) -> None:
    monkeypatch.setattr("bots.tactics.value.look_ahead.LAYOUTS", most)
    chances = chances_after()
    (one,) = layout_sets(chances, Random(1))
    places = set(map(tuple, one.drawn.places.T.tolist()))
    assert len(places) == len(one.drawn.weights) == left
    assert places <= set(map(tuple, chances.sets[0].places.T.tolist()))


def test_no_sets_are_left_where_no_layout_is() -> None:
    chances = chances_after()
    chances.sets = []
    assert layout_sets(chances, Random(1)) == []


def few(number: int, *, whole: bool = True) -> LayoutSet:
    """Return layouts of one ship of two, along the rows of four."""
    board = board_of(4, 4, (2,))
    drawn = Drawn(np.arange(number)[None], np.ones(number), 0.0, whole)
    return LayoutSet(board, (2,), drawn, np.zeros(16, bool), np.ones(16, bool))


def test_few_layouts_are_solved() -> None:
    # The ship lies on 0 and 1, 1 and 2, or 2 and 3.
    assert solved(few(3)) in {1, 2}
    assert solved(few(2)) == 1
    assert solved(few(3, whole=False)) is None


@pytest.mark.parametrize(("most", "is_solved"), [(2, False), (3, True)])
def test_more_than_few_layouts_are_not_solved(
    monkeypatch: pytest.MonkeyPatch, most: int, *, is_solved: bool
) -> None:
    monkeypatch.setattr("bots.tactics.value.look_ahead.FEW", most)
    assert (solved(few(3)) is not None) == is_solved


def test_what_takes_too_much_work_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bots.tactics.value.look_ahead.WORK", 1)
    assert solved(few(12)) is None


def repeated(place: tuple[int, int], chance: float) -> Drawn:
    return Drawn(np.array([place]).T, np.array([chance]), 0.0, whole=False)


def test_layouts_that_are_likely_by_themselves_have_their_share_of_the_weight() -> None:
    chances = chances_after()
    number = len(chances.sets[0].weights)
    chances = Chances(
        BOARD, (3, 2), [np.random.default_rng(1)], repeated=repeated((0, 20), chance=0.25)
    )
    (one,) = weighed_sets(chances, layout_sets(chances, Random(1)), lambda *_: np.full(number, 2.0))
    # The others are twice as likely as uniformly: 2 x 0.75 of 2 x 0.75 + 0.25.
    assert one.drawn.weights[:-1].sum() / one.drawn.weights.sum() == pytest.approx(6 / 7)
    assert one.drawn.places[:, -1].tolist() == [0, 20]
    layouts = drawn_by_weight(chances, 700, Random(1), lambda *_: np.full(number, 2.0))
    assert layouts.number == 700
    both = BOARD.covers[3][0] | BOARD.covers[2][20]
    share = layouts.hits()[both] / 700
    assert (share > 1 / 7).all()
    (plain,) = weighed_sets(chances_after(sets=1), [one], lambda *_: np.ones(number + 1))
    assert plain.drawn.weights == pytest.approx(one.drawn.weights)
