"""Which cells are compared by a look ahead."""

from random import Random

import numpy as np

from bots.tactics.posterior import Floats
from bots.tactics.value.look_ahead import BEHIND, to_compare

UNTRIED = list(range(1, 10))


def scores(*best: int) -> Floats:
    """Return scores that fall a little from each cell to the next; others have next to none."""
    found = np.full(10, 0.01)
    found[list(best)] = 1 - 0.01 * np.arange(len(best))
    return found


def cost(*best: int) -> Floats:
    """Return costs that rise a little from each cell to the next; others cost too much."""
    found = np.full(10, 2 * BEHIND)
    found[list(best)] = BEHIND / 100 * np.arange(len(best))
    return found


def test_the_most_promising_cells_are_compared_the_best_first() -> None:
    assert to_compare(scores(3, 9, 1), UNTRIED, Random(1)) == [3, 9, 1]


def test_no_more_than_six_are() -> None:
    found = to_compare(scores(9, 8, 7, 6, 5, 4, 3, 2), UNTRIED, Random(1))
    assert found == [9, 8, 7, 6, 5, 4]


def test_cells_that_a_network_likes_come_first() -> None:
    assert to_compare(scores(3, 9), UNTRIED, Random(1), cost(5, 9)) == [5, 9, 3]


def test_a_cell_that_was_shot_is_never_compared() -> None:
    assert 0 not in to_compare(scores(0, 1), UNTRIED, Random(1), cost(0, 2))
