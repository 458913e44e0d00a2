"""What a few layouts say of each cell and ship."""

import numpy as np
import pytest

from bots.tactics.posterior.board_placements import board_of
from bots.tactics.value.agreeing_layouts import Drawn
from bots.tactics.value.layout_set import NOWHERE, LayoutSet, joined

BOARD = board_of(2, 3, (2, 1))
# Of two cells: 01, 12, 34, 45, 03, 14, 25; of one: each cell.
PLACES = np.array([[0, 4, 6], [5, 2, 0]])


def layouts(*hits: int, misses: tuple[int, ...] = ()) -> LayoutSet:
    hit, untried = np.zeros(6, bool), np.ones(6, bool)
    hit[list(hits)] = True
    untried[[*hits, *misses]] = False
    drawn = Drawn(PLACES, np.array([1.0, 2.0, 1.0]), 0.0, whole=True)
    return LayoutSet(BOARD, (2, 1), drawn, hit, untried)


def test_owners_are_those_of_untried_cells() -> None:
    found = layouts(0, misses=(4,))
    assert found.owner.T.tolist() == [
        [NOWHERE, 0, NOWHERE, NOWHERE, NOWHERE, 1],
        [NOWHERE, NOWHERE, 1, 0, NOWHERE, NOWHERE],
        [NOWHERE, NOWHERE, 0, NOWHERE, NOWHERE, 0],
    ]
    assert found.occupied.tolist() == (found.owner.T >= 0).astype(float).tolist()
    assert found.cells == pytest.approx([0, 0.25, 0.75, 0.5, 0, 0.5])


def test_cells_left_of_each_ship_are_those_that_were_not_hit() -> None:
    found = layouts(0)
    assert found.left.tolist() == [[1, 1, 2], [1, 1, 0]]
    assert found.smallest == 1
    assert [[(one.cells, one.length) for one in ships] for ships in found.afloat()] == [
        [(0b10, 2), (0b100000, 1)],
        [(0b1000, 2), (0b100, 1)],
        [(0b100100, 2)],
    ]


def test_the_smallest_ship_is_one_that_is_afloat_somewhere() -> None:
    assert layouts(0, 2, 5).smallest == 2
    assert layouts(0, 1, 2, 3, 5).smallest == 1  # none is


def test_weighed_layouts_lie_where_they_lay() -> None:
    found = layouts(0).weighed(lambda lengths, places: places[0] + float(sum(lengths)))
    assert found.drawn.weights.tolist() == [3, 14, 9]
    assert found.owner.tolist() == layouts(0).owner.tolist()
    assert not found.alike
    assert layouts(0).weighed(lambda *_: np.array([1, 0.5, 1])).alike


def test_joined_layouts_share_the_weight() -> None:
    found = layouts(0)
    others = Drawn(np.array([[1], [4]]), np.array([0.1]), 0.0, whole=False)
    both = joined(found.drawn, others, 0.25)
    assert both.weights == pytest.approx([0.75, 1.5, 0.75, 1.0])
    assert both.places.tolist() == [[0, 4, 6, 1], [5, 2, 0, 4]]
    none = Drawn(np.zeros((2, 0), np.intp), np.zeros(0), 0.0, whole=False)
    assert found.joined(none, 0.25) is found
    assert found.joined(others, 0.25).drawn.weights == pytest.approx(both.weights)
