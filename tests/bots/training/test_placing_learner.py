"""A policy for hiding learns from games that went well or badly."""

import numpy as np
import pytest

from arena.rules import Ship
from bots.tactics.learned.placing_policy import PlacingPolicy, placements_of
from bots.tactics.placement.hard_layouts import MASKS, Indices
from bots.tactics.placement.weighted_layouts import FLEET
from bots.training.placing_learner import PlacingLearner

CORNERS = sum(1 << cell for cell in (0, 9, 90, 99))


def masks_of(ships: Indices) -> list[list[int]]:
    return [[MASKS[number] for number in layout] for layout in ships]


def in_corners(ships: Indices) -> np.ndarray:
    return np.array([float(any(m & CORNERS for m in masks)) for masks in masks_of(ships)])


def test_untrained_it_draws_legal_layouts_of_every_kind() -> None:
    drawn = PlacingPolicy.untrained().draw(500, np.random.default_rng(1))
    for masks in masks_of(drawn.ships):
        assert [mask.bit_count() for mask in masks] == list(FLEET)
        assert sum(masks).bit_count() == sum(FLEET)
        together = 0
        for mask in masks:
            assert not together & mask
            together |= mask
    assert len({tuple(layout) for layout in drawn.ships.tolist()}) == 500
    assert [odds.shape for odds in drawn.chances] == [
        (500, len(placements_of(ship))) for ship in range(len(FLEET))
    ]


def test_layouts_that_merit_more_become_likelier() -> None:
    random = np.random.default_rng(1)
    learner = PlacingLearner(entropy=0.0)
    before = in_corners(learner.policy.draw(500, random).ships).mean()
    for _ in range(40):
        drawn = learner.policy.draw(100, random)
        merits = in_corners(drawn.ships)
        learner.step(drawn, merits - merits.mean(), 0.1)
    after = in_corners(learner.policy.draw(500, random).ships).mean()
    assert before < 0.4
    assert after > 0.9


@pytest.mark.parametrize("ship", range(len(FLEET)))
def test_the_gradient_is_that_of_the_logarithm_of_the_chance(ship: int) -> None:
    random = np.random.default_rng(ship)
    learner = PlacingLearner(entropy=0.0)
    policy = learner.policy
    policy.places[:] = random.normal(size=policy.places.shape)
    policy.pairs[:] = random.normal(size=policy.pairs.shape)
    drawn = policy.draw(3, random)
    merits = random.normal(size=3)

    def objective() -> float:
        total = 0.0
        for each in range(len(FLEET)):
            scores = policy.scores(each, drawn.ships[:, :each])
            most = scores.max(axis=1, keepdims=True)
            logarithms = scores - most - np.log(np.exp(scores - most).sum(axis=1, keepdims=True))
            placed = placements_of(each) == drawn.ships[:, each, None]
            total += float((logarithms[placed] * merits).mean())
        return total

    slopes = learner._gradient(drawn, merits)
    for weights, slope in (
        (policy.places[ship], slopes["places"][ship]),
        (policy.pairs[ship, 0], slopes["pairs"][ship, 0]),
    ):
        for feature in np.flatnonzero(slope)[:5]:
            weights[feature] += 1e-6
            above = objective()
            weights[feature] -= 2e-6
            below = objective()
            weights[feature] += 1e-6
            assert slope[feature] == pytest.approx((above - below) / 2e-6, abs=1e-6)


def test_the_bonus_for_entropy_keeps_it_hiding_in_many_ways() -> None:
    random = np.random.default_rng(1)
    left = []
    for entropy in (0.0, 0.5):
        learner = PlacingLearner(entropy)
        for _ in range(40):
            drawn = learner.policy.draw(50, random)
            merits = in_corners(drawn.ships)
            learner.step(drawn, merits - merits.mean(), 0.1)
        chances = learner.policy.draw(50, random).chances[0]
        left.append(float(-(chances * np.log(chances + 1e-12)).sum(axis=1).mean()))
    assert left[1] > left[0] + 0.3


def test_it_goes_on_as_if_there_had_been_no_break() -> None:
    one, two = PlacingLearner(0.02), PlacingLearner(0.02)
    for _ in range(3):
        drawn = one.policy.draw(20, np.random.default_rng(1))
        one.step(drawn, np.linspace(-1, 1, 20), 0.05)
    two.restore({name: np.array(part) for name, part in one.state().items()})
    for learner in (one, two):
        learner.step(drawn, np.linspace(1, -1, 20), 0.05)
    assert (one.policy.places == two.policy.places).all()
    assert (one.policy.pairs == two.policy.pairs).all()


def test_a_layout_is_given_in_the_order_of_the_fleet() -> None:
    fleet = [Ship(str(length), length) for length in (2, 3, 5, 4, 3)]
    drawn = PlacingPolicy.untrained().draw(1, np.random.default_rng(1))
    masks = drawn.masks(0, fleet)
    assert [mask.bit_count() for mask in masks] == [2, 3, 5, 4, 3]
    assert sorted(masks) == sorted(MASKS[number] for number in drawn.ships[0])
