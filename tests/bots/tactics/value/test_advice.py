"""The network that advises on shots says what each cell is worth in the classic game."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.rules import PRESETS, CellsReport, preset, view
from bots.tactics.learned.placement_network import symmetries
from bots.tactics.value.advice import Advice

CLASSIC = view(preset("classic"))


def test_advises_where_one_shot_a_turn_is_fired_at_the_standard_fleet() -> None:
    fitted = {name for name, (rules, _) in PRESETS.items() if Advice.fits(view(rules))}
    assert fitted == {"again", "boxed", "classic", "equal-turns"}


def told(*reports: tuple[int, CellsReport]) -> Advice:
    """Return the advice after the answers to some shots."""
    advice = Advice(CLASSIC)
    for cell, report in reports:
        advice.follow([cell], report)
    return advice


HIT = (44, CellsReport((44,), ()))
OTHERS = [cell for cell in range(100) if cell != 44]


def test_the_best_cell_is_one_on_which_a_ship_is_likeliest() -> None:
    posterior = np.full(100, 0.01)
    posterior[[43, 45]] = 0.5
    for seed in range(16):
        assert told(HIT).best(posterior, OTHERS, Random(seed)) in {43, 45}


def test_a_board_that_is_turned_is_seen_as_the_same_board() -> None:
    posterior = np.random.default_rng(1).random(100) / 5
    worth = told(HIT).worth(posterior)
    for turned in symmetries(10, 10):
        place = int(np.flatnonzero(turned == 44)[0])
        again = told((place, CellsReport((place,), ()))).worth(posterior[turned])
        assert again == pytest.approx(worth[turned], abs=1e-4)


def test_of_cells_that_are_equally_good_any_is_shot() -> None:
    cells = {told().best(np.full(100, 0.17), range(100), Random(seed)) for seed in range(16)}
    assert len(cells) > 1
    same = {frozenset(turned[cell] for turned in symmetries(10, 10)) for cell in cells}
    assert len(same) == 1  # they become each other where the board is turned


def test_each_answer_changes_what_cells_are_worth() -> None:
    flat = np.full(100, 0.2)
    answers = [CellsReport((), ()), CellsReport((45,), ()), CellsReport((45,), ("Patrol boat",))]
    worths = [told(HIT, (45, answer)).worth(flat) for answer in answers]
    for one, other in combinations(worths, 2):
        assert (one - other).std() > 0.1


def test_only_untried_cells_are_shot() -> None:
    assert told().best(np.full(100, 0.2), [3], Random(1)) == 3
