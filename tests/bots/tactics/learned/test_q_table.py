"""Values that were learned by heart."""

import numpy as np
import pytest

from bots.tactics.learned.q_table import QTable


def learned(*steps: tuple[int, float]) -> QTable:
    memory = QTable(4)
    for cell, target in steps:
        memory.learn(memory.start, cell, target, 0.25)
    return memory


def test_the_greatest_value_is_best_and_the_last_of_equal_ones() -> None:
    memory = learned((1, 8.0), (2, 4.0), (2, 4.0))
    assert memory.best(memory.start, [0, 1, 2, 3]) == (2.0, 1)
    assert memory.best(memory.start, [0, 2, 3]) == (0.75 * 1.0 + 0.25 * 4.0, 2)
    assert memory.best(memory.start, [0, 3]) == (0.0, 3)
    assert learned((1, -8.0)).best(0, [0, 1]) == (0.0, 0)
    assert learned((1, -8.0), (0, -4.0)).best(0, [0, 1]) == (-1.0, 0)


@pytest.mark.parametrize("hit", [True, False])
def test_states_are_told_apart_by_every_shot(*, hit: bool) -> None:
    memory = QTable(4)
    states = {
        memory.after(memory.start, cell, hit=one) for cell in range(4) for one in (hit, not hit)
    }
    assert len(states) == 8
    assert memory.start not in states
    assert memory.after(memory.after(0, 1, hit=hit), 1, hit=hit) == 0


def test_the_hash_is_the_same_wherever_it_is_computed() -> None:
    memory = learned((0, 1.0), (3, 2.0))
    arrays = memory.arrays()
    assert arrays["states"].tolist() == [0]
    assert arrays["values"].tolist() == [0.25, 0.5]
    codes = np.random.default_rng(2016).integers(2**64, size=(4, 3), dtype=np.uint64)
    assert arrays["keys"].tolist() == codes[[0, 3], 2].tolist()
    assert memory.after(0, 2, hit=True) == codes[2, 1]
    assert memory.after(0, 2, hit=False) == codes[2, 0]
