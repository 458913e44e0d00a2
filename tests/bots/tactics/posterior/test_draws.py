"""Layouts drawn independently: what their weights say, held to exact counts."""

from typing import Literal

import numpy as np
import pytest

from bots.tactics.posterior import (
    Effort,
    Explanations,
    Observation,
    board_of,
    draw_independently,
    estimate,
)

FLEET = (3, 3, 2, 2)
EXACT = Effort(limit=10**9)
HIT = Observation((14,), (14,), ())
MISSES = Observation((20, 27), (), ())
SUNK = Observation((15,), (15,), (2,))


def explained(
    *observations: Observation, touching: Literal["allowed", "corners", "never"] = "allowed"
) -> Explanations:
    known = Explanations(board_of(6, 6, FLEET, touching), FLEET, np.random.default_rng(0))
    for observation in observations:
        known.observe(observation)
    return known


@pytest.mark.parametrize("touching", ["allowed", "corners", "never"])
@pytest.mark.parametrize(
    "observations", [(), (MISSES,), (MISSES, HIT), (HIT, SUNK)], ids=["none", "miss", "hit", "sunk"]
)
def test_weights_count_layouts_without_bias(
    observations: tuple[Observation, ...], touching: Literal["allowed", "corners", "never"]
) -> None:
    known = explained(*observations, touching=touching)
    exact = estimate(known, np.random.default_rng(0), EXACT)
    number = 20_000
    drawn = draw_independently(known, number, np.random.default_rng(1))
    error = drawn.weights.std() / number**0.5
    assert abs(drawn.weights.mean() - exact.layouts) <= 4 * error + 1e-9
    assert drawn.cells == pytest.approx(exact.cells, abs=4.5 * 0.5 / drawn.effective**0.5)


@pytest.mark.parametrize("touching", ["allowed", "never"])
def test_every_layout_that_counts_agrees_with_the_observations(
    touching: Literal["allowed", "never"],
) -> None:
    known = explained(MISSES, HIT, touching=touching)
    drawn = draw_independently(known, 2_000, np.random.default_rng(1))
    layouts = drawn.layouts[drawn.weights > 0]
    assert len(layouts) > 1_000
    assert layouts[:, 14].all()
    assert not layouts[:, [20, 27]].any()
    assert (layouts.sum(axis=1) == sum(FLEET)).all()


def test_dead_end_weighs_nothing() -> None:
    # Once the ship of three lies across the middle, the other one has no room.
    fleet = (3, 2)
    known = Explanations(board_of(1, 5, fleet), fleet, np.random.default_rng(0))
    drawn = draw_independently(known, 3_000, np.random.default_rng(1))
    whole = drawn.layouts.sum(axis=1) == 5
    assert 0 < (~whole).sum() < len(whole)
    assert ((drawn.weights > 0) == whole).all()
    assert drawn.weights.mean() == pytest.approx(2, abs=0.1)


def test_draws_do_not_depend_on_each_other() -> None:
    # Systematic draws would scatter less than independent ones.
    known = explained(HIT)
    shares = [
        draw_independently(known, 50, np.random.default_rng(seed)).layouts[:, 15].mean()
        for seed in range(400)
    ]
    share = float(np.mean(shares))
    assert np.var(shares) == pytest.approx(share * (1 - share) / 50, rel=0.25)
