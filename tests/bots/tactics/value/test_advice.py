"""The network that advises on shots: for the classic game, and about as the likeliest cells are."""

from random import Random

import numpy as np

from arena.rules import PRESETS, CellsReport, preset, view
from bots.tactics.value.advice import Advice

CLASSIC = view(preset("classic"))


def test_advises_where_one_shot_a_turn_is_fired_at_the_standard_fleet() -> None:
    fitted = {name for name, (rules, _) in PRESETS.items() if Advice.fits(view(rules))}
    assert fitted == {"again", "boxed", "classic", "equal-turns"}


def test_a_cell_that_is_certain_to_hit_costs_less_than_one_that_is_certain_to_miss() -> None:
    advice = Advice(CLASSIC)
    advice.follow([44], CellsReport((44,), ()))
    posterior = np.full(100, 0.2)
    posterior[[45, 99]] = 1.0, 0.0
    for seed in range(8):
        cost = advice.cost(posterior, Random(seed))
        assert cost[45] < cost[99]


def test_costs_are_those_of_the_cells_however_the_board_is_turned() -> None:
    advice = Advice(CLASSIC)
    advice.follow([12], CellsReport((12,), ()))
    posterior = np.full(100, 0.01)
    posterior[[11, 13]] = 0.5
    for seed in range(16):
        cost = advice.cost(posterior, Random(seed))
        assert set(np.argsort(cost)[:2].tolist()) == {11, 13}
