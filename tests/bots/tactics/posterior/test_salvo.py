"""Sets of cells for one salvo."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bots.tactics.posterior.board_placements import Floats
from bots.tactics.posterior.explanations import ImpossibleEvidenceError
from bots.tactics.posterior.posterior import Posterior
from bots.tactics.posterior.salvo import best_salvo, best_set, likely_salvo, likely_set
from bots.tactics.posterior.ship_layouts import ShipLayouts

CELLS = range(6)


def layouts(*rows: str) -> ShipLayouts:
    return ShipLayouts.of_cells(np.array([[mark == "x" for mark in row] for row in rows]))


def test_likely_set_spreads() -> None:
    # Cells 0 and 1 are always hit together: after one of them missed, so would the other.
    drawn = layouts("xx....", "xx....", "...x..", "....x.")
    assert likely_set(drawn, CELLS, 2) == [0, 3]
    # Once every layout was hit, the likeliest are left, and of those the first.
    assert likely_set(drawn, CELLS, 6) == [0, 3, 4, 1, 2, 5]
    assert likely_set(drawn, [5, 4, 1], 3) == [1, 4, 5]


def test_best_set_does_not_ask_twice() -> None:
    found = best_set(layouts("xx....", "xx....", "..x...", "...x.."), CELLS, 2, 0.5)
    assert set(found) & {0, 1}
    assert not {0, 1} <= set(found)


def test_best_set_is_no_worse_than_any_other() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        drawn = random.random((64, 6)) < 0.4
        first, second = best_set(ShipLayouts.of_cells(drawn), CELLS, 2, 0.5)
        others = [(one, second) for one in CELLS if one != second]
        others += [(first, one) for one in CELLS if one != first]
        best = max(worth(drawn, list(pair)) for pair in others)
        assert worth(drawn, [first, second]) >= best - 1e-6


def worth(drawn: np.typing.NDArray[np.bool_], cells: list[int]) -> float:
    _, counts = np.unique(drawn[:, cells], axis=0, return_counts=True)
    shares = counts / len(drawn)
    return float(-(shares * np.log2(shares)).sum() + 0.5 * drawn[:, cells].mean(axis=0).sum())


def test_takes_all_cells_if_asked() -> None:
    drawn = layouts("xx....", "..xx..")
    assert sorted(best_set(drawn, CELLS, 6, 0.5)) == list(CELLS)


def test_hits_count_for_more_the_more_bits_they_are_worth() -> None:
    # Cell 0 is always hit, which says nothing; cell 1 is hit in half of the layouts, at random.
    drawn = layouts("xx..", "xx..", "x...", "x...")
    assert best_set(drawn, range(4), 1, 0.5) == [1]
    assert best_set(drawn, range(4), 1, 6.0) == [0]


def test_a_handicap_is_taken_from_what_a_cell_is_worth() -> None:
    # Cell 1, hit in half of the layouts, is worth 1.25 bits; cell 2, hit in a quarter, 0.94.
    drawn = layouts("xx..", "xxx.", "x...", "x...")
    for bits, best in ((0.3, 1), (0.33, 2)):
        handicaps = np.array([0, bits, 0, 0], np.float32)
        assert best_set(drawn, range(4), 1, 0.5, handicaps) == [best]


class Unknown:
    """Stands in for a belief that has lost all layouts."""

    random = np.random.default_rng(1)

    def posterior(self) -> Posterior:
        raise ImpossibleEvidenceError

    def density(self) -> Floats:
        return np.array([0.0, 3.0, 1.0, 2.0])


@pytest.mark.parametrize("choose", [best_salvo, likely_salvo])
def test_without_layouts_cells_are_chosen_by_density(
    choose: Callable[[Any, Any, int], list[int]],
) -> None:
    bot = SimpleNamespace(solo=True, untried=[0, 2, 3], random=Random(1))
    assert choose(bot, Unknown(), 2) == [3, 2]


def test_chooses_among_untried_cells_alone() -> None:
    drawn = layouts("xx....", "x.x...")
    assert set(best_set(drawn, [2, 4, 5], 2, 0.5)) <= {2, 4, 5}
