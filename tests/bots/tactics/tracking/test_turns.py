"""Groups take turns."""

from random import Random

import pytest

from bots.tactics.tracking import in_turns


@pytest.mark.parametrize("seed", range(10))
def test_each_group_gives_a_cell_before_one_gives_a_second(seed: int) -> None:
    cells = in_turns([[1, 2, 3, 4], [10, 20], [100]], Random(seed))
    assert {len(str(cell)) for cell in cells[:3]} == {1, 2, 3}
    assert sorted(cells) == [1, 2, 3, 4, 10, 20, 100]


def test_cell_of_two_groups_comes_once() -> None:
    assert sorted(in_turns([[1, 2], [2, 3]], Random(1))) == [1, 2, 3]


@pytest.mark.parametrize("groups", [[], [[]]])
def test_no_cells_from_no_groups(groups: list[list[int]]) -> None:
    assert in_turns(groups, Random(1)) == []
