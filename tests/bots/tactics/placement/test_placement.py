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
from bots.tactics.placement.weighted_layouts import Scores, class_of, place, scores_for

CLASSIC = preset("classic")
HIDDEN = ("classic", "salvo")


def placed(name: str, seed: int, number: int) -> list[Layout]:
    rules, random = preset(name), Random(seed)
    return [check_layout(rules, place(view(rules), random)) for _ in range(number)]


def scores_of(name: str) -> Scores:
    scores = scores_for(view(preset(name)))
    assert scores is not None
    return scores


def capped(scores: Scores, layout: Layout) -> float:
    return min(sum(scores.placements[mask] for mask in layout), scores.cap)


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
    assert scores_for(view(rules)) is None


def test_classic_and_salvo_have_scores_of_their_own() -> None:
    assert scores_of("classic") != scores_of("salvo")


def test_turned_and_mirrored_placements_score_alike() -> None:
    scores = scores_of("classic")
    upright, last_row = mask_of([9, 19, 29]), mask_of([97, 98, 99])
    assert class_of(upright) == class_of(last_row) == (0, 1, 2)
    assert scores.placements[upright] == scores.placements[last_row]
    assert len(scores.placements) == sum(len(placements(10, 10, length)) for length in (5, 4, 3, 2))


@pytest.mark.parametrize("name", HIDDEN)
def test_layouts_follow_the_scores(name: str) -> None:
    scores, random = scores_of(name), Random(1)
    uniform = [capped(scores, draw(CLASSIC, random)) for _ in range(4000)]
    odds = [exp(value) for value in uniform]
    expected = sum(map(float.__mul__, odds, uniform)) / sum(odds)
    spread = sqrt(sum((o * (u - expected)) ** 2 for o, u in zip(odds, uniform, strict=True)))
    drawn = [capped(scores, layout) for layout in placed(name, 2, 1000)]
    error = sqrt((spread / sum(odds)) ** 2 + stdev(drawn) ** 2 / len(drawn))
    assert fmean(drawn) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("name", HIDDEN)
def test_few_draws_are_needed(name: str) -> None:
    scores, random = scores_of(name), Random(6)
    drawn = [capped(scores, draw(CLASSIC, random)) for _ in range(1000)]
    assert fmean(exp(value - scores.cap) for value in drawn) > 0.02


@pytest.mark.parametrize("name", HIDDEN)
def test_every_cell_is_used_and_no_layout_twice(name: str) -> None:
    layouts = placed(name, 7, 400)
    used = Counter(cell for layout in layouts for cell in cells_of(sum(layout)))
    assert len(used) == 100
    assert max(used.values()) < 400 / 2
    assert len(set(layouts)) == len(layouts)


@pytest.mark.parametrize("hide", [True, False])
def test_probability_density_hides_on_demand(*, hide: bool) -> None:
    bot = ProbabilityDensity(hide=hide)
    bot.rules, bot.random = view(CLASSIC), Random(12)
    uniform = name_layout(CLASSIC, draw(CLASSIC, Random(12)))
    assert bot.place_fleet() == (place(view(CLASSIC), Random(12)) if hide else uniform)
