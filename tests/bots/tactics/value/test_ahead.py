"""The look ahead values what may be left along a path, over all layouts that agree."""

from random import Random

import numpy as np
import pytest

from bots.tactics.posterior.board_placements import board_of
from bots.tactics.posterior.evidence import Observation
from bots.tactics.solver.endgame import best_cell
from bots.tactics.value.ahead import (
    improved_salvo,
    paths_of_misses,
    worth_of_paths,
    worth_of_salvos,
)
from bots.tactics.value.chances import Chances
from bots.tactics.value.diagonal_classes import prospects
from bots.tactics.value.features import FEATURES, KINDS, Rows, describe_rows
from bots.tactics.value.layout_set import LayoutSet
from bots.tactics.value.look_ahead import drawn_by_weight, shifted
from bots.tactics.value.network import Network

LENGTHS = (3, 2)
BOARD = board_of(4, 4, LENGTHS)
BLIND = Network(
    np.zeros(FEATURES), np.ones(FEATURES), [np.zeros((1, FEATURES, 1))], [np.full((1, 1), 2.0)]
)
"""Tells that two shots miss, whatever is left."""


def layouts_after(*told: Observation) -> LayoutSet:
    chances = Chances(BOARD, LENGTHS, [np.random.default_rng(1)])
    for one in told:
        chances.follow(one)
    return LayoutSet(BOARD, LENGTHS, chances.sets[0], chances.hit, chances.untried)


def test_follows_answers_as_observing_them_does() -> None:
    observing, following = (
        Chances(BOARD, LENGTHS, [np.random.default_rng(seed) for seed in (1, 2)]) for _ in range(2)
    )
    for told in (Observation((5,), (5,), ()), Observation((6,), (6,), (2,))):
        observing.observe(told)
        following.follow(told)
    assert (observing.sets[0].places == following.sets[0].places).all()
    assert (observing.untried == following.untried).all()


def test_cells_are_the_shares_of_the_layouts() -> None:
    left = layouts_after(Observation((5,), (), ()))
    fits = BOARD.fits[3, 2] * ~BOARD.covers[3][:, 5][:, None] * ~BOARD.covers[2][:, 5]
    covered = (fits.sum(axis=1) @ BOARD.covers[3] + fits.sum(axis=0) @ BOARD.covers[2]) / fits.sum()
    assert left.cells == pytest.approx(covered, abs=1e-6)


def test_layouts_are_drawn_as_often_as_their_weights_say() -> None:
    told = Observation((5,), (5,), ())
    chances = Chances(BOARD, LENGTHS, [np.random.default_rng(1)])
    chances.follow(told)
    weights = 1.0 + np.arange(len(chances.sets[0].weights)) % 3
    layouts = drawn_by_weight(chances, 2 * int(weights.sum()), Random(1), lambda *_: weights)
    weighted = layouts_after(told).weighed(lambda *_: weights)
    share = np.where(weighted.untried, layouts.hits() / layouts.number, 0)
    assert share == pytest.approx(weighted.cells, abs=1e-5)


def test_weighted_layouts_are_valued_as_so_many_of_each() -> None:
    left = layouts_after(Observation((5,), (5,), ()))
    number = left.drawn.places.shape[1]
    times = 1 + np.arange(number) % 2
    drawn = left.drawn._replace(weights=times.astype(float))
    copies = left.drawn._replace(
        places=left.drawn.places.repeat(times, axis=1), weights=np.ones(times.sum())
    )
    network = Network(
        np.zeros(FEATURES), np.ones(FEATURES), [np.ones((1, FEATURES, 1))], [np.zeros((1, 1))]
    )
    one, other = (
        LayoutSet(BOARD, LENGTHS, some, left.hit, left.untried) for some in (drawn, copies)
    )
    paths = paths_of_misses(one, [1, 6], 2, off_class=1.0)
    assert worth_of_paths([one], network, paths) == pytest.approx(
        worth_of_paths([other], network, paths)
    )


def test_a_path_goes_on_with_the_likeliest_cell_if_all_before_missed() -> None:
    left = layouts_after()
    (path,) = paths_of_misses(left, [5], 3, off_class=1.0)
    for place in (1, 2):
        missed = left.occupied[:, path[:place]].max(axis=1) == 0
        chances = left.occupied[missed].sum(axis=0)
        chances[path[:place]] = 0
        assert chances[path[place]] == chances.max()


def test_a_path_counts_its_shots_until_the_first_hit_and_what_is_left_then() -> None:
    left = layouts_after()
    path = np.array([[5, 10, 0]])
    turns = []
    for cells in left.occupied:
        shots = next((n + 1 for n, cell in enumerate(path[0]) if cells[cell]), None)
        turns.append(shots + 4 + 2 if shots else 3 + 5 + 2)
    assert worth_of_paths([left], BLIND, path) == pytest.approx([np.mean(turns)])


def test_nothing_is_left_once_every_ship_has_sunk() -> None:
    left = layouts_after(
        Observation((0, 1, 2), (0, 1, 2), (3,)), Observation((9, 8, 5, 13), (9,), ())
    )
    assert worth_of_paths([left], BLIND, np.array([[10]])) == pytest.approx([1.0])


def test_a_salvo_is_worth_itself_and_what_is_left_after_each_answer() -> None:
    left = layouts_after()
    hits = left.occupied[:, [5, 10]].sum(axis=1)
    found = worth_of_salvos(left, BLIND, np.array([[5, 10]]))
    assert found == pytest.approx([1 + (5 - hits.mean() + 2) / 2])


def test_every_hit_of_a_salvo_of_many_shots_counts() -> None:
    board, lengths = board_of(6, 24, (6,)), (6,)
    chances = Chances(board, lengths, [np.random.default_rng(1)])
    left = LayoutSet(board, lengths, chances.sets[0], chances.hit, chances.untried)
    salvo = [24 * row + column for row in range(6) for column in range(7)]
    hits = left.occupied[:, salvo].sum(axis=1)
    found = worth_of_salvos(left, BLIND, np.array([salvo]))
    misses = 2 * (hits < 6).mean()  # none once the ship has sunk
    assert found == pytest.approx([1 + (6 - hits.mean() + misses) / len(salvo)])


def test_a_salvo_with_too_many_answers_stays_as_it_is() -> None:
    board, lengths = board_of(12, 12, (6, 5)), (6, 5)
    chances = Chances(board, lengths, [np.random.default_rng(1)])
    left = LayoutSet(board, lengths, chances.sets[0], chances.hit, chances.untried)
    salvo = list(range(70))
    assert improved_salvo(left, BLIND, salvo[::-1]) == salvo


def test_exchanging_cells_improves_a_salvo() -> None:
    left = layouts_after(Observation((5,), (5,), ()))
    best = improved_salvo(left, BLIND, [15, 12])
    before, after = worth_of_salvos(left, BLIND, np.array([[12, 15], best]))
    assert after < before
    assert len(set(best)) == 2


def test_prospects_lie_on_the_class_with_the_fewest_useful_cells() -> None:
    useful = np.zeros((1, 16))
    useful[0, [0, 5, 10, 6]] = (0.2, 0.2, 0.2, 0.3)
    weights = prospects(useful, columns=4, modulus=2, off_class=0.5)
    assert weights[0, [0, 5, 10, 6]].tolist() == [0.5, 0.5, 0.5, 1.0]


def test_ships_afloat_are_those_with_cells_that_were_not_hit() -> None:
    left = layouts_after(Observation((0, 1, 2), (0, 1, 2), (3,)))
    assert {len(ships) for ships in left.afloat()} == {1}
    assert best_cell(left.afloat(), left.drawn.weights.tolist(), 10_000) is not None


def test_posterior_of_weighed_layouts_keeps_what_is_exact_of_those_alike() -> None:
    left = layouts_after()
    weighed = left.weighed(lambda _lengths, places: 1.0 + (places[0] < 4))
    assert shifted(left.cells, [left], [weighed]) == pytest.approx(weighed.cells)
    assert shifted(np.full(16, 0.5), [left], [left]) == pytest.approx(0.5)


def test_nobody_waits_for_a_hit_longer_than_there_are_cells() -> None:
    cells = np.arange(3, 12)
    none = np.zeros(1)
    ships = np.zeros((len(KINDS) + 1, 1, len(cells)))
    kinds = np.zeros((len(KINDS), 1))
    rows = Rows(ships, kinds, kinds, none, none + len(cells), none, none)
    wait = describe_rows(BOARD, rows, cells, 1)[0, FEATURES - 8]
    assert wait == BOARD.cells
