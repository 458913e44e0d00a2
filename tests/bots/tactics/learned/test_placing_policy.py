"""A fleet is placed ship by ship, by learned numbers."""

import numpy as np
import pytest

from arena.rules import Ship, cells_of, preset
from bots.tactics.learned.placing_policy import NEVER, PlacingPolicy, placements_of
from bots.tactics.placement.hard_layouts import MASKS, features
from bots.tactics.placement.weighted_layouts import FLEET


def random_policy() -> PlacingPolicy:
    random = np.random.default_rng(5)
    number = len(features().names)
    return PlacingPolicy(random.normal(size=(5, number)), random.normal(size=(5, 5, number)))


def test_a_placement_scores_where_it_lies_and_how_to_each_ship_before() -> None:
    policy = random_policy()
    earlier = [MASKS.index(0b11111), MASKS.index(0b1111 << 20)]
    scores = policy.scores(2, np.array([earlier]))[0]
    for number, score in zip(placements_of(2).tolist(), scores, strict=True):
        expected = policy.places[2, features().places[number]] + sum(
            policy.pairs[2, ship, features().pairs[one, number]] for ship, one in enumerate(earlier)
        )
        overlaps = MASKS[number] & (0b11111 | 0b1111 << 20)
        assert score < NEVER / 2 if overlaps else score == pytest.approx(expected)


def test_placements_of_a_ship_are_all_of_its_length() -> None:
    for ship, length in enumerate(FLEET):
        assert len(placements_of(ship)) == 2 * 10 * (11 - length)
        assert {MASKS[number].bit_count() for number in placements_of(ship)} == {length}


def test_layouts_are_drawn_by_their_chances() -> None:
    drawn = random_policy().draw(3, np.random.default_rng(1))
    first = [[cells_of(MASKS[number])[0] for number in row] for row in drawn.ships.tolist()]
    assert first == [[2, 65, 62, 13, 18], [52, 83, 63, 41, 57], [25, 63, 47, 11, 91]]
    for chances in drawn.chances:
        assert chances.sum(axis=1) == pytest.approx([1, 1, 1])


def test_masks_stand_in_the_order_of_a_fleet() -> None:
    fleet = (Ship("two", 2), *preset("classic").fleet[:4])
    drawn = PlacingPolicy.untrained().draw(1, np.random.default_rng(1))
    masks = drawn.masks(0, fleet)
    assert [mask.bit_count() for mask in masks] == [ship.length for ship in fleet]
    assert sum(mask.bit_count() for mask in masks) == sum(masks).bit_count() == 17
    assert [MASKS.index(mask) for mask in masks[1:]] == drawn.ships[0, :4].tolist()


def test_weights_are_what_they_were_made_of() -> None:
    policy = random_policy()
    again = PlacingPolicy.of(policy.arrays())
    assert again.places == pytest.approx(policy.places, rel=1e-6)
    assert again.pairs == pytest.approx(policy.pairs, rel=1e-6)
    assert not PlacingPolicy.untrained().pairs.any()
