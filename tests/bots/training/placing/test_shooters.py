"""Shooters that play many games side by side, and the layouts that they are given."""

import numpy as np
import pytest

from arena.rules import preset, view
from bots.tactics.placement.weighted_layouts import scores_for
from bots.training.placing.numbered_layouts import MASKS, draw_layouts, features, stored_tilt
from bots.training.placing.pool import Pool
from bots.training.placing.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth


def test_layouts_that_are_drawn_are_legal() -> None:
    for row in draw_layouts(500, np.random.default_rng(2)).tolist():
        assert sum(MASKS[number] for number in row).bit_count() == 17
        assert [MASKS[number].bit_count() for number in row] == [5, 4, 3, 3, 2]


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_tables_score_layouts_as_the_policy_does(name: str) -> None:
    scores, tilt = scores_for(view(preset(name))), stored_tilt(name)
    assert scores is not None
    layouts = draw_layouts(50, np.random.default_rng(1))
    found = features().of(layouts) @ tilt.scores
    wanted = [sum(scores.placements[MASKS[number]] for number in row) for row in layouts.tolist()]
    assert found.tolist() == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_odds_are_those_of_a_distribution_with_many_layouts(name: str) -> None:
    layouts = draw_layouts(20_000, np.random.default_rng(3))
    odds = stored_tilt(name).odds(features().of(layouts))
    assert odds.mean() == pytest.approx(1, abs=0.02)
    # As many layouts as that, equally likely, are as hard to guess: exp of the entropy.
    share = np.exp(-(odds * np.log(odds)).mean())
    assert share * 30_093_975_536 > 1e10


def test_layouts_drawn_from_a_tilt_have_the_features_that_its_odds_say() -> None:
    tilt, random = stored_tilt("classic"), np.random.default_rng(4)
    drawn = features().of(tilt.draw(8000, random)).mean(axis=0)
    described = features().of(draw_layouts(40_000, random))
    odds = tilt.odds(described)
    assert drawn == pytest.approx(odds @ described / odds.sum(), abs=0.03)


def test_shooter_that_counts_takes_as_long_as_the_bots() -> None:
    layouts = draw_layouts(2000, np.random.default_rng(1))
    sunk_in = play(layouts, PLAIN, 1, np.random.default_rng(2))
    assert sunk_in.max(axis=1).min() >= 17
    # probability_density 44.6, posterior_parity 44.15; the standard error here is 0.2.
    assert sunk_in.max(axis=1).mean() == pytest.approx(44.4, abs=1)


def test_salvos_take_as_long_as_those_of_the_bots() -> None:
    layouts = draw_layouts(1000, np.random.default_rng(1))
    sunk_in = play(layouts, PLAIN, SALVO, np.random.default_rng(2))
    # probability_density takes 11.1 turns; the standard error here is 0.05.
    assert sunk_in.max(axis=1).mean() == pytest.approx(11.1, abs=0.4)
    assert sunk_in.min() >= 1


def test_a_salvo_is_worth_a_shot_for_each_ship_afloat() -> None:
    sunk_in = np.array([[3, 4, 9, 2, 7]])
    assert worth(sunk_in, 1).tolist() == [9]
    assert worth(sunk_in, SALVO).tolist() == [25]


@pytest.mark.parametrize(("shots", "turns"), [(1, 17), (SALVO, 4)])
def test_shooter_whose_pool_is_the_layout_never_misses(shots: int, turns: int) -> None:
    random = np.random.default_rng(7)
    layout = draw_layouts(1, random)
    pool = Pool(np.repeat(layout, 200, axis=0), np.ones(200))
    sunk_in = play(layout, Shooter(PLAIN.weights, pool), shots, random)
    assert sunk_in.max() == turns


def test_shooter_with_a_pool_sinks_everything() -> None:
    random = np.random.default_rng(8)
    pool = draw_layouts(20_000, random)
    shooter = shooter_for(pool, np.ones(len(pool)), compares=True)
    shots = play(draw_layouts(300, random), shooter, 1, random).max(axis=1)
    assert 42 <= shots.mean() <= 47
    assert shots.min() >= 17


def test_shooter_that_expects_every_layout_alike_counts_plainly() -> None:
    pool = draw_layouts(2000, np.random.default_rng(9))
    shooter = shooter_for(pool, np.ones(len(pool)), compares=False)
    assert shooter.weights == pytest.approx(PLAIN.weights)


def test_shooter_that_knows_where_layouts_lie_takes_fewer_shots() -> None:
    random = np.random.default_rng(10)
    pool = draw_layouts(40_000, random)
    # Ships of two that lie in a corner, and no others.
    corner = features().classes[pool[:, 4]] == features().names.index("0+1")
    layouts = pool[corner][:300]
    knowing = shooter_for(pool, np.where(corner, 1.0, 1e-6), compares=False)
    plain, known = (
        play(layouts, shooter, 1, random).max(axis=1).mean() for shooter in (PLAIN, knowing)
    )
    assert known < plain - 1
