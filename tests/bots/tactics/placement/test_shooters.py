"""Shooters that play many games side by side, and the layouts that they are given."""

from itertools import combinations

import numpy as np
import pytest

from arena.rules import barred, preset, view
from bots.tactics.placement.layouts import COVERS, MASKS, draw_layouts, features, stored_mixture
from bots.tactics.placement.mixture import PAIRS, tilts_for
from bots.tactics.placement.policy import score
from bots.tactics.placement.pool import Pool
from bots.tactics.placement.shooters import PLAIN, SALVO, Shooter, play, shooter_for, worth


def test_ships_that_touch_are_described_as_they_lie() -> None:
    layouts = draw_layouts(200, np.random.default_rng(2))
    for row, described in zip(layouts.tolist(), features().of(layouts), strict=True):
        sides = corners = cells = parallel = 0
        for one, two in combinations([MASKS[number] for number in row], 2):
            beside = barred(10, 10, one, "corners") & two
            cells += beside.bit_count()
            sides += bool(beside)
            corners += bool(barred(10, 10, one, "never") & two) and not beside
            parallel += bool(one & one >> 1) == bool(two & two >> 1)
        assert described[-len(PAIRS) :].tolist() == [cells, sides, corners, parallel]


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_tables_score_layouts_as_the_policy_does(name: str) -> None:
    rules, mixture = view(preset(name)), stored_mixture(name)
    layouts = draw_layouts(50, np.random.default_rng(1))
    scores = features().of(layouts) @ mixture.scores
    for row, found in zip(layouts.tolist(), scores.tolist(), strict=True):
        layout = tuple(MASKS[number] for number in row)
        wanted = [score(rules, tilt, layout) for tilt in tilts_for(rules)]
        assert found == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_odds_are_those_of_a_distribution_with_many_layouts(name: str) -> None:
    layouts = draw_layouts(20_000, np.random.default_rng(3))
    odds = stored_mixture(name).odds(features().of(layouts))
    assert odds.mean() == pytest.approx(1, abs=5 * odds.std() / np.sqrt(len(odds)))
    # As many layouts as a tenth of all 30,093,975,536 that are equally likely.
    assert odds.sum() ** 2 / (odds**2).sum() > 0.1 * len(odds)


def test_layouts_drawn_from_a_mixture_have_the_features_that_its_odds_say() -> None:
    mixture, random = stored_mixture("classic"), np.random.default_rng(4)
    drawn = features().of(mixture.draw(8000, random)).mean(axis=0)
    described = features().of(draw_layouts(40_000, random))
    odds = mixture.odds(described)
    assert drawn == pytest.approx(odds @ described / odds.sum(), abs=0.05)


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


@pytest.mark.parametrize("shots", [1, SALVO])
def test_shooter_whose_pool_is_the_layout_never_misses(shots: int) -> None:
    random = np.random.default_rng(7)
    layout = draw_layouts(1, random)
    pool = Pool(np.repeat(layout, 200, axis=0), np.ones(200))
    sunk_in = play(layout, Shooter(np.ones(len(COVERS), np.float32), pool), shots, random)
    if shots == 1:
        assert sunk_in.max() == 17


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
    # Ships of five that lie along the edge, and no others.
    edge = features().classes[pool[:, 0]] < 3
    layouts = pool[edge][:300]
    knowing = shooter_for(pool, np.where(edge, 1.0, 1e-6), compares=False)
    plain, known = (
        play(layouts, shooter, 1, random).max(axis=1).mean() for shooter in (PLAIN, knowing)
    )
    assert known < plain - 1
