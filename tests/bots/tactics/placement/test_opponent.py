"""Layouts that are expected of an opponent, before any was seen and after some were."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from arena.rules import cells_of, check_layout, draw, mask_of, preset, view
from bots.tactics.placement.hard_layouts import MASKS, hard_layouts
from bots.tactics.placement.opponent import HARD, HIDES, UNIFORM, Opponent
from bots.tactics.placement.weighted_layouts import FLEET, place
from bots.tactics.posterior.board_placements import board_of
from bots.tactics.value.chances import Chances
from bots.tactics.value.layout_set import LayoutSet
from bots.training.placing.numbered_layouts import (
    FIRST,
    Indices,
    draw_layouts,
    features,
    stored_tilt,
)

HIDDEN = ("classic", "salvo")

NOISE = 0.015
"""How far chance moves the share of some thousand layouts that cover a cell, at most."""


def places_of(layouts: Indices) -> Indices:
    """Return layouts as their places in slots, each numbered among those of its length."""
    return np.asarray(layouts.T - np.array([FIRST[length] for length in FLEET])[:, None])


def opponent_in(name: str) -> Opponent:
    opponent = Opponent.by_rules(view(preset(name)))
    assert opponent is not None
    return opponent


@pytest.mark.parametrize("name", HIDDEN)
def test_at_first_it_may_place_its_fleet_in_any_way(name: str) -> None:
    layouts = draw_layouts(2_000, np.random.default_rng(1))
    odds = stored_tilt(name).odds(features().of(layouts))
    opponent = opponent_in(name)
    # Which of the hard kinds is expected is drawn for each game.
    expected = set()
    for seed in range(20):
        opponent.game_begins(Random(seed))
        chances = opponent.chances_of(FLEET, places_of(layouts))
        close = [
            number
            for number, kind in enumerate(hard_layouts(name))
            if chances
            == pytest.approx(UNIFORM + HIDES * odds + HARD * kind.odds(layouts.T), rel=1e-3)
        ]
        assert len(close) == 1
        expected.update(close)
    assert expected == set(range(len(hard_layouts(name))))


def test_all_layouts_together_are_as_likely_as_without_the_belief() -> None:
    layouts = draw_layouts(20_000, np.random.default_rng(2))
    chances = opponent_in("salvo").chances_of(FLEET, places_of(layouts))
    assert chances.mean() == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("name", HIDDEN)
def test_weighed_layouts_cover_what_those_of_both_kinds_do(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for way, chance in (("UNIFORM", 0.5), ("HIDES", 0.5), ("HARD", 1e-9)):
        monkeypatch.setattr(f"bots.tactics.placement.opponent.{way}", chance)
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
    assert anywhere.ways[0] > 0.8


@pytest.mark.parametrize("name", HIDDEN)
def test_learns_that_its_layouts_are_hard_to_find(name: str) -> None:
    random = np.random.default_rng(7)
    drawn = draw_layouts(20_000, random)
    for number, kind in enumerate(hard_layouts(name)):
        odds = kind.odds(drawn.T)
        opponent, ways = opponent_in(name), []
        for row in drawn[random.choice(len(drawn), 60, p=odds / odds.sum())].tolist():
            opponent.saw(cells_of(MASKS[place]) for place in row)
            ways.append(opponent.ways)
        # Layouts that are unlike the others cast doubt now and then.
        _, _, *hard = np.mean(ways[10:], axis=0)
        assert sum(hard) > 0.7
        assert np.argmax(hard) == number


def test_a_layout_that_came_again_is_expected_in_every_turning() -> None:
    rules, random, opponent = preset("classic"), Random(9), opponent_in("classic")
    first, second = (list(map(cells_of, draw(rules, random))) for _ in range(2))
    assert opponent.repeated().chance == 0
    opponent.saw(first)
    assert opponent.repeated().chance < 0.05
    opponent.saw(second)
    before = opponent.repeated()
    turn = [9 - cell % 10 + cell // 10 * 10 for cell in range(100)]  # left and right
    opponent.saw([[turn[cell] for cell in ship] for ship in first])
    after = opponent.repeated()
    assert before.chance < 0.05
    assert after.chance > 0.15
    cells = {
        frozenset(
            cell
            for length, number in zip(FLEET, places, strict=True)
            for cell in cells_of(MASKS[FIRST[length] + number])
        )
        for places in after.places.T.tolist()
    }
    assert len(cells) == 16
    for layout in (first, second):
        assert frozenset(turn[cell] for ship in layout for cell in ship) in cells


def test_who_never_has_a_layout_again_is_hardly_expected_to() -> None:
    rules, random, opponent = preset("classic"), Random(10), opponent_in("classic")
    for _ in range(20):
        opponent.saw(map(cells_of, draw(rules, random)))
    assert opponent.repeated().chance < 0.02


def test_is_never_quite_sure() -> None:
    rules, opponent, random = preset("salvo"), opponent_in("salvo"), Random(4)
    for _ in range(300):
        opponent.saw(place(view(rules), random).values())
    assert 0.9 < opponent.hides < 0.99


@pytest.mark.parametrize("name", ["paper", "afp", "square-5-3"])
def test_nothing_is_expected_where_no_layouts_are_known_to_be_found_late(name: str) -> None:
    assert Opponent.by_rules(view(preset(name))) is None


def lies(*starts: int) -> list[range]:
    """Return the standard fleet along rows, from some cells."""
    return [range(start, start + length) for start, length in zip(starts, FLEET, strict=True)]


ONE, OTHER, THIRD = lies(0, 20, 41, 62, 88), lies(5, 23, 40, 66, 90), lies(15, 33, 50, 76, 91)
MIRRORED = [[9 - cell % 10 + cell // 10 * 10 for cell in ship] for ship in ONE]


@pytest.mark.parametrize(
    ("seen", "chance"),
    [
        ([ONE], 0.2 / 11),
        # Whoever has ten layouts has the first again once in eleven times.
        ([ONE, OTHER], 2 / 12 / (1 + 4 * 11 / 10)),
        ([ONE, OTHER, THIRD], 3 / 13 / (1 + 4 * 11 / 10 * 12 / 10)),
        # Odds are exp(4) at most, and exp(-4) at least.
        ([ONE, MIRRORED], 2 / 12 / (1 + np.exp(-4))),
        ([ONE, OTHER, MIRRORED], 3 / 13 / (1 + np.exp(-4))),
        ([ONE, MIRRORED, OTHER], 3 / 13 / (1 + np.exp(-4) * 12 / 10)),
        ([ONE, OTHER, THIRD, lies(1, 20, 41, 62, 88)], 4 / 14 / (1 + 4 * 1.1 * 1.2 * 1.3)),
    ],
)  # fmt: skip
def test_layouts_are_expected_again_as_bayes_says(
    seen: list[list[Sequence[int]]], chance: float
) -> None:
    opponent = opponent_in("classic")
    for layout in seen:
        opponent.saw(layout)
    found = opponent.repeated()
    assert found.chance == pytest.approx(chance)
    assert found.places.shape == (5, 8 * len(seen))


def test_of_nobody_layouts_are_known_before_one_was_seen() -> None:
    found = opponent_in("classic").repeated()
    assert found.chance == 0
    assert found.places.shape == (5, 0)


@pytest.mark.parametrize("name", HIDDEN)
def test_a_layout_makes_ways_likelier_by_which_it_is_likely(name: str) -> None:
    opponent = opponent_in(name)
    hard = hard_layouts(name)
    assert opponent.ways == pytest.approx([0.4, 0.3, *[0.3 / len(hard)] * len(hard)])
    assert opponent.hides == pytest.approx(0.3)
    layout = [[MASKS.index(mask_of(ship))] for ship in ONE]
    odds = [
        1.0,
        *stored_tilt(name).odds(features().of(np.array(layout).T)),
        *(kind.odds(np.array(layout))[0] for kind in hard),
    ]
    opponent.saw(reversed(ONE))  # in any order
    expected = odds * np.array([0.4, 0.3, *[0.3 / len(hard)] * len(hard)])
    expected = np.maximum(expected, expected.max() * np.exp(-4))
    assert opponent.ways == pytest.approx(expected / expected.sum(), rel=1e-3)
