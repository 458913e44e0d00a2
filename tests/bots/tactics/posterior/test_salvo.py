"""Sets of cells for one salvo."""

import numpy as np

from bots.tactics.posterior.salvo import best_set, likely_set
from bots.tactics.posterior.ship_layouts import ShipLayouts

CELLS = range(6)


def layouts(*rows: str) -> ShipLayouts:
    return ShipLayouts.of_cells(np.array([[mark == "x" for mark in row] for row in rows]))


def test_likely_set_spreads() -> None:
    # Cells 0 and 1 are always hit together: after one of them missed, so would the other.
    found = likely_set(layouts("xx....", "xx....", "...x..", "....x."), CELLS, 2)
    assert found[0] in {0, 1}
    assert found[1] in {3, 4}


def test_best_set_does_not_ask_twice() -> None:
    found = best_set(layouts("xx....", "xx....", "..x...", "...x.."), CELLS, 2, 0.5)
    assert set(found) & {0, 1}
    assert not {0, 1} <= set(found)


def test_best_set_is_no_worse_than_any_other() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        drawn = random.random((64, 6)) < 0.4
        pair = best_set(ShipLayouts.of_cells(drawn), CELLS, 2, 0.5)
        assert (
            worth(drawn, pair)
            >= max(worth(drawn, [one, pair[1]]) for one in CELLS if one != pair[1]) - 1e-6
        )


def worth(drawn: np.typing.NDArray[np.bool_], cells: list[int]) -> float:
    _, counts = np.unique(drawn[:, cells], axis=0, return_counts=True)
    shares = counts / len(drawn)
    return float(-(shares * np.log2(shares)).sum() + 0.5 * drawn[:, cells].mean(axis=0).sum())


def test_takes_all_cells_if_asked() -> None:
    drawn = layouts("xx....", "..xx..")
    assert sorted(best_set(drawn, CELLS, 6, 0.5)) == list(CELLS)
    assert sorted(likely_set(drawn, CELLS, 6)) == list(CELLS)


def test_chooses_among_untried_cells_alone() -> None:
    drawn = layouts("xx....", "x.x...")
    assert set(best_set(drawn, [2, 4, 5], 2, 0.5)) <= {2, 4, 5}
