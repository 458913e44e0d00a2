"""The network that advises on shots: it proposes cells in the classic game."""

from random import Random

import numpy as np

from arena.rules import PRESETS, CellsReport, preset, view
from bots.tactics.posterior import Floats
from bots.tactics.value.advice import CANDIDATES, Advice

CLASSIC = view(preset("classic"))


def test_advises_where_one_shot_a_turn_is_fired_at_the_standard_fleet() -> None:
    fitted = {name for name, (rules, _) in PRESETS.items() if Advice.fits(view(rules))}
    assert fitted == {"again", "boxed", "classic", "equal-turns"}


def advised(posterior: Floats, seed: int) -> list[int]:
    """Return the cells that are proposed after a hit on cell 44."""
    advice = Advice(CLASSIC)
    advice.follow([44], CellsReport((44,), ()))
    untried = [cell for cell in range(100) if cell != 44]
    return advice.cells(posterior, untried, Random(seed))


def test_the_cells_of_which_a_ship_is_likeliest_come_first_however_the_board_is_turned() -> None:
    posterior = np.full(100, 0.01)
    posterior[[43, 45]] = 0.5
    for seed in range(16):
        assert set(advised(posterior, seed)[:2]) == {43, 45}


def test_a_cell_that_is_far_worse_than_the_best_is_not_proposed() -> None:
    posterior = np.full(100, 0.01)
    posterior[45] = 1.0
    assert advised(posterior, 1) == [45]


def test_twelve_cells_are_proposed_at_most() -> None:
    assert 1 < len(advised(np.full(100, 0.2), 1)) <= CANDIDATES
