"""Layouts that are expected of an opponent, before any was seen and after some were."""

from random import Random

import numpy as np
import pytest

from arena.rules import cells_of, check_layout, draw, preset, view
from bots.tactics.placement.opponent import Opponent
from bots.tactics.placement.weighted_layouts import FLEET, place
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.value.chances import Chances
from bots.tactics.value.layout_set import LayoutSet
from bots.training.placing.numbered_layouts import FIRST, draw_layouts, features, stored_tilt

HIDDEN = ("classic", "salvo")

NOISE = 0.015
"""How far chance moves the share of some thousand layouts that cover a cell, at most."""


def opponent_in(name: str) -> Opponent:
    opponent = Opponent.by_rules(view(preset(name)))
    assert opponent is not None
    return opponent


@pytest.mark.parametrize("name", HIDDEN)
def test_at_first_half_of_the_belief_is_that_it_hides(name: str) -> None:
    layouts = draw_layouts(2_000, np.random.default_rng(1))
    places = layouts.T - np.array([FIRST[length] for length in FLEET])[:, None]
    odds = stored_tilt(name).odds(features().of(layouts))
    chances = opponent_in(name).chances_of(FLEET, places)
    assert chances == pytest.approx((1 + odds) / 2, rel=1e-3)


def test_all_layouts_together_are_as_likely_as_without_the_belief() -> None:
    layouts = draw_layouts(20_000, np.random.default_rng(2))
    places = layouts.T - np.array([FIRST[length] for length in FLEET])[:, None]
    assert opponent_in("salvo").chances_of(FLEET, places).mean() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("name", HIDDEN)
def test_weighed_layouts_cover_what_those_of_both_kinds_do(name: str) -> None:
    board = board_of(10, 10, FLEET)
    chances = Chances(board, FLEET, [np.random.default_rng(5)], 20_000)
    layout_set = LayoutSet(board, FLEET, chances.sets[0], chances.hit, chances.untried)
    rules, random = preset(name), Random(6)
    hidden = np.zeros(rules.cells)
    for _ in range(8_000):
        hidden[cells_of(sum(check_layout(rules, place(view(rules), random))))] += 1 / 8_000
    found = layout_set.weighed(opponent_in(name).chances_of).cells
    assert found == pytest.approx((layout_set.cells + hidden) / 2, abs=NOISE)
    # Half of this is what the weights change: more than chance does.
    assert np.abs(hidden - layout_set.cells).max() > 2 * NOISE


@pytest.mark.parametrize("name", HIDDEN)
def test_learns_whether_it_hides_from_its_layouts(name: str) -> None:
    rules = preset(name)
    hiding, anywhere = opponent_in(name), opponent_in(name)
    random = Random(3)
    for _ in range(120):
        hiding.saw(place(view(rules), random).values())
        anywhere.saw(map(cells_of, draw(rules, random)))
    assert hiding.hides > 0.8
    assert anywhere.hides < 0.2


def test_is_never_quite_sure() -> None:
    rules, opponent, random = preset("salvo"), opponent_in("salvo"), Random(4)
    for _ in range(300):
        opponent.saw(place(view(rules), random).values())
    assert 0.9 < opponent.hides < 0.99


@pytest.mark.parametrize("name", ["paper", "afp", "square-5-3"])
def test_nothing_is_expected_where_no_layouts_are_known_to_be_found_late(name: str) -> None:
    assert Opponent.by_rules(view(preset(name))) is None
