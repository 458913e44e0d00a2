"""The network that advises on shots: it proposes cells in the classic game."""

from random import Random

import numpy as np
import pytest

from arena.rules import PRESETS, CellsReport, preset, view
from bots.tactics.posterior.board_placements import Floats
from bots.tactics.value.advice import CANDIDATES, Advice

CLASSIC = view(preset("classic"))


def test_advises_where_one_shot_a_turn_is_fired_at_the_standard_fleet() -> None:
    fitted = {name for name, (rules, _) in PRESETS.items() if Advice.fits(view(rules))}
    assert fitted == {"again", "boxed", "classic", "equal-turns"}


def proposed(posterior: Floats, seed: int = 1, most: int = CANDIDATES) -> tuple[list[int], Floats]:
    """Return the cells that are proposed after a hit on cell 44, and their costs."""
    advice = Advice(CLASSIC)
    advice.follow([44], CellsReport((44,), ()))
    untried = [cell for cell in range(100) if cell != 44]
    return advice.propose(posterior, untried, Random(seed), most)


def test_the_cells_on_which_a_ship_is_likeliest_come_first_however_the_board_is_turned() -> None:
    posterior = np.full(100, 0.01)
    posterior[[43, 45]] = 0.5
    for seed in range(16):
        assert set(proposed(posterior, seed)[0][:2]) == {43, 45}


def test_a_cell_that_is_far_worse_than_the_best_is_not_proposed() -> None:
    posterior = np.full(100, 0.01)
    posterior[45] = 1.0
    assert proposed(posterior)[0] == [45]


@pytest.mark.parametrize("most", [1, 3, 8, 20])
def test_so_many_cells_are_proposed_at_most(most: int) -> None:
    usual, _ = proposed(np.full(100, 0.2))
    cells, costs = proposed(np.full(100, 0.2), most=most)
    assert len(usual) == CANDIDATES
    assert cells[:8] == usual[:most]
    assert len(cells) == most or max(costs) > 0.05


def test_what_is_told_of_shots_is_known() -> None:
    advice = Advice(CLASSIC)
    advice.follow([44], CellsReport((44,), ()))
    advice.follow([45], CellsReport((), ()))
    untried = [cell for cell in range(100) if cell not in {44, 45}]
    cells, costs = advice.propose(np.full(100, 0.2), untried, Random(3))
    assert cells == [56, 65, 67, 47, 36, 23, 55, 53]
    assert costs == pytest.approx(
        [0, 0.0262, 0.0309, 0.0472, 0.0475, 0.0489, 0.0496, 0.0547], abs=1e-3
    )
    sunk = Advice(CLASSIC)
    sunk.follow([44], CellsReport((44,), ()))
    sunk.follow([45], CellsReport((45,), ("Patrol boat",)))
    assert sunk.propose(np.full(100, 0.2), untried, Random(3), 2)[0] == [42, 75]


def test_all_untried_cells_are_proposed_where_they_are_fewer() -> None:
    cells, _ = Advice(CLASSIC).propose(np.full(100, 0.2), [3, 99], Random(1))
    assert sorted(cells) == [3, 99]


def test_the_first_cell_costs_nothing_and_each_next_one_no_less() -> None:
    cells, costs = proposed(np.full(100, 0.2))
    assert costs[0] == 0
    assert (np.diff(costs) >= 0).all()
    assert len(cells) == len(costs)
