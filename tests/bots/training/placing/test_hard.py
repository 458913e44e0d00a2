"""What layouts have in common is described by a distribution, from which others are drawn."""

import numpy as np
import pytest

from bots.tactics.placement.hard_layouts import Scores, features
from bots.training.placing.hard import Args, fitted, kind_of, moved, search
from bots.training.placing.numbered_layouts import COVERS, draw_layouts


def test_moved_layouts_follow_their_scores() -> None:
    random = np.random.default_rng(1)
    scores = np.random.default_rng(2).normal(size=len(features().names)) / 2
    uniform = draw_layouts(20_000, random)
    kind = kind_of(scores, uniform)
    wanted = kind.odds(uniform.T) @ features().of(uniform.T) / len(uniform)
    chains = uniform[:4000]
    for _ in range(15):
        chains = moved(chains, Scores.of(scores), random)
    assert (COVERS[chains].sum(axis=1) <= 1).all()
    found = features().of(chains.T).mean(axis=0)
    assert np.abs(found - wanted).max() < 0.08
    # Chance moves these by much less than the scores do.
    assert np.abs(features().of(uniform.T).mean(axis=0) - wanted).max() > 0.3


def test_a_fitted_distribution_has_the_features_of_what_it_is_fitted_to() -> None:
    random = np.random.default_rng(3)
    drawn = draw_layouts(20_000, random)
    edge = np.array([min(divmod(cell, 10)) == 0 for cell in range(100)])
    most = np.argsort(-COVERS[drawn].sum(axis=1) @ edge)[:200]
    layouts = drawn[most]
    kind = kind_of(fitted(layouts, 120, random), drawn)
    assert np.log(kind.odds(layouts.T)).mean() > 1
    assert np.log(kind.odds(drawn.T)).mean() < -0.5


@pytest.mark.parametrize("rules", ["classic", "salvo"])
def test_each_kind_is_found_against_a_shooter_that_expects_those_before(rules: str) -> None:
    args = Args(rules, kinds=2, layouts=20, rounds=3, games=1, fits=5, sample=500)
    (first, _), (second, _) = search(args)
    assert len(first) == len(second) == len(features().names)
    assert np.abs(first - second).max() > 0
