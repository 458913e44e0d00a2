"""Layouts that strong shooters find late: legal, repeatable, distributed as the scores say."""

from collections import Counter
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from msgspec.structs import replace

from arena.rules import (
    PRESETS,
    Layout,
    cells_of,
    check_layout,
    draw,
    mask_of,
    name_layout,
    placements,
    preset,
    view,
)
from bots.probability_density import ProbabilityDensity
from bots.tactics.placement import place
from bots.tactics.placement.mixture import PAIRS, Tilt, class_of, tilts_for
from bots.tactics.placement.policy import score

CLASSIC = preset("classic")
HIDDEN = ("classic", "salvo")


def placed(name: str, seed: int, number: int) -> list[Layout]:
    rules, random = preset(name), Random(seed)
    return [check_layout(rules, place(view(rules), random)) for _ in range(number)]


def capped(tilt: Tilt, layout: Layout) -> float:
    return min(score(view(CLASSIC), tilt, layout), tilt.cap)


@pytest.mark.parametrize("name", PRESETS)
def test_layouts_are_legal_in_every_game(name: str) -> None:
    rules = preset(name)
    random = Random(5)
    for _ in range(20):
        check_layout(rules, place(view(rules, places=True), random))


@pytest.mark.parametrize("name", HIDDEN)
def test_same_seed_same_layout(name: str) -> None:
    assert placed(name, 3, 5) == placed(name, 3, 5)
    assert placed(name, 3, 5) != placed(name, 4, 5)


@pytest.mark.parametrize(
    "name", ["paper", "apart", "unnamed", "silent", "ramesh-5", "afp", "afp-immovable"]
)
def test_games_that_were_not_searched_are_placed_as_their_rules_say(name: str) -> None:
    rules = preset(name)
    drawn = name_layout(rules, draw(rules, Random(8)))
    assert place(view(rules), Random(8)) == drawn


def test_where_ships_move_nothing_is_hidden() -> None:
    rules = replace(CLASSIC, moves=True, reshoot=True)
    assert not tilts_for(view(rules))


def test_classic_and_salvo_have_mixtures_of_their_own() -> None:
    assert tilts_for(view(preset("classic"))) != tilts_for(view(preset("salvo")))


def test_turned_and_mirrored_placements_score_alike() -> None:
    tilt = tilts_for(view(CLASSIC))[-1]
    upright, last_row = mask_of([9, 19, 29]), mask_of([97, 98, 99])
    assert class_of(upright) == class_of(last_row) == (0, 1, 2)
    assert tilt.placements[upright] == tilt.placements[last_row]
    assert len(tilt.placements) == sum(len(placements(10, 10, length)) for length in (5, 4, 3, 2))


def test_score_adds_ships_and_pairs() -> None:
    tilt = tilts_for(view(CLASSIC))[-1]
    apart = [mask_of(range(5)), mask_of(range(20, 24)), mask_of(range(40, 43))]
    beside, corner = mask_of(range(50, 53)), mask_of([33, 34])
    alone = sum(tilt.placements[mask] for mask in [*apart, beside, corner])
    # The 3-ships share three sides; the 2-ship a side with the 4-ship, and a corner below it.
    touches = 4 * tilt.pairs["cells"] + 2 * tilt.pairs["sides"] + tilt.pairs["corners"]
    layout = (*apart, beside, corner)
    expected = alone + touches + 10 * tilt.pairs["parallel"]
    assert score(view(CLASSIC), tilt, layout) == pytest.approx(expected)
    upright = (*apart, beside, mask_of([9, 19]))
    alone += tilt.placements[upright[-1]] - tilt.placements[corner]
    pair = 3 * tilt.pairs["cells"] + tilt.pairs["sides"] + 6 * tilt.pairs["parallel"]
    assert score(view(CLASSIC), tilt, upright) == pytest.approx(alone + pair)


@pytest.mark.parametrize("name", HIDDEN)
def test_layouts_follow_the_scores(name: str) -> None:
    tilts = tilts_for(view(preset(name)))
    random = Random(1)
    uniform = [draw(CLASSIC, random) for _ in range(2000)]
    last = [capped(tilts[-1], layout) for layout in uniform]
    odds = [0.0] * len(uniform)
    for tilt in tilts:
        own = [exp(capped(tilt, layout)) for layout in uniform]
        odds = [o + tilt.share * w / fmean(own) for o, w in zip(odds, own, strict=True)]
    expected = sum(map(float.__mul__, odds, last)) / sum(odds)
    spread = sqrt(sum((o * (u - expected)) ** 2 for o, u in zip(odds, last, strict=True)))
    drawn = [capped(tilts[-1], layout) for layout in placed(name, 2, 400)]
    error = sqrt((spread / sum(odds)) ** 2 + stdev(drawn) ** 2 / len(drawn))
    assert fmean(drawn) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("name", HIDDEN)
def test_few_draws_are_needed(name: str) -> None:
    random = Random(6)
    drawn = [draw(CLASSIC, random) for _ in range(500)]
    for tilt in tilts_for(view(preset(name))):
        assert fmean(exp(capped(tilt, layout) - tilt.cap) for layout in drawn) > 0.02


@pytest.mark.parametrize("name", HIDDEN)
def test_every_cell_is_used_and_no_layout_twice(name: str) -> None:
    layouts = placed(name, 7, 400)
    used = Counter(cell for layout in layouts for cell in cells_of(sum(layout)))
    assert len(used) == 100
    assert max(used.values()) < 400 / 2
    assert len(set(layouts)) == len(layouts)


def test_pairs_of_ships_are_scored_in_every_tilt() -> None:
    for name in HIDDEN:
        for tilt in tilts_for(view(preset(name))):
            assert set(tilt.pairs) == set(PAIRS)


@pytest.mark.parametrize("hide", [True, False])
def test_probability_density_hides_on_demand(*, hide: bool) -> None:
    bot = ProbabilityDensity(hide=hide)
    bot.rules, bot.random = view(CLASSIC), Random(12)
    uniform = name_layout(CLASSIC, draw(CLASSIC, Random(12)))
    assert bot.place_fleet() == (place(view(CLASSIC), Random(12)) if hide else uniform)
