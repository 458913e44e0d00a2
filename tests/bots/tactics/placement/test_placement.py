"""Layouts that strong shooters find late: legal, repeatable, distributed as the scores say."""

from collections import Counter
from itertools import combinations
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from msgspec.structs import replace

from arena.rules import (
    PRESETS,
    Layout,
    barred,
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
from bots.tactics.placement.policy import score
from bots.tactics.placement.pooled import Pooled
from bots.tactics.placement.scores import class_of, scores_for
from bots.tactics.placement.search import Features, search, stored_distribution
from bots.tactics.placement.shooters import COVERS, FIRST, draw_layouts, play

CLASSIC = preset("classic")


def placed(seed: int, number: int) -> list[Layout]:
    random = Random(seed)
    return [check_layout(CLASSIC, place(view(CLASSIC), random)) for _ in range(number)]


def scored(layout: Layout) -> float:
    scores = scores_for(view(CLASSIC))
    assert scores is not None
    return min(score(view(CLASSIC), scores, layout), scores.cap)


@pytest.mark.parametrize("name", PRESETS)
def test_layouts_are_legal_in_every_game(name: str) -> None:
    rules = preset(name)
    random = Random(5)
    for _ in range(20):
        check_layout(rules, place(view(rules, places=True), random))


def test_same_seed_same_layout() -> None:
    assert placed(3, 5) == placed(3, 5)
    assert placed(3, 5) != placed(4, 5)


@pytest.mark.parametrize(
    "name", ["salvo", "apart", "unnamed", "silent", "ramesh-5", "afp", "afp-immovable"]
)
def test_games_without_scores_are_placed_as_their_rules_say(name: str) -> None:
    rules = preset(name)
    drawn = name_layout(rules, draw(rules, Random(8)))
    assert place(view(rules), Random(8)) == drawn


def test_where_ships_move_nothing_is_hidden() -> None:
    rules = replace(CLASSIC, moves=True, reshoot=True)
    assert scores_for(view(rules)) is None


def test_turned_and_mirrored_placements_score_alike() -> None:
    scores = scores_for(view(CLASSIC))
    assert scores is not None
    upright, last_row = mask_of([9, 19, 29]), mask_of([97, 98, 99])
    assert class_of(upright) == class_of(last_row) == (0, 1, 2)
    assert scores.placements[upright] == scores.placements[last_row]
    assert len(scores.placements) == sum(len(placements(10, 10, length)) for length in (5, 4, 3, 2))


def test_score_adds_ships_and_touches() -> None:
    scores = scores_for(view(CLASSIC))
    assert scores is not None
    apart = [mask_of(range(5)), mask_of(range(20, 24)), mask_of(range(40, 43))]
    beside, corner = mask_of(range(50, 53)), mask_of([33, 34])
    alone = sum(scores.placements[mask] for mask in [*apart, beside, corner])
    # The 3-ships share three sides; the 2-ship a side with the 4-ship, and a corner below it.
    touches = 4 * scores.touching_cells + 2 * scores.touching_sides + scores.touching_corners
    layout = (*apart, beside, corner)
    assert score(view(CLASSIC), scores, layout) == pytest.approx(alone + touches)


def test_layouts_follow_the_scores() -> None:
    random = Random(1)
    uniform = [scored(draw(CLASSIC, random)) for _ in range(4000)]
    odds = [exp(value) for value in uniform]
    expected = sum(map(float.__mul__, odds, uniform)) / sum(odds)
    spread = sqrt(sum((o * (u - expected)) ** 2 for o, u in zip(odds, uniform, strict=True)))
    drawn = [scored(layout) for layout in placed(2, 1500)]
    error = sqrt((spread / sum(odds)) ** 2 + stdev(drawn) ** 2 / len(drawn))
    assert fmean(drawn) == pytest.approx(expected, abs=4 * error)


def test_few_draws_are_needed() -> None:
    random = Random(6)
    scores = scores_for(view(CLASSIC))
    assert scores is not None
    kept = fmean(exp(scored(draw(CLASSIC, random)) - scores.cap) for _ in range(2000))
    assert kept > 0.02


def test_every_cell_is_used() -> None:
    used = Counter(cell for layout in placed(7, 600) for cell in cells_of(sum(layout)))
    assert len(used) == 100
    assert max(used.values()) < 600 / 2


def test_ships_that_touch_are_seen_alike_by_search_and_policy() -> None:
    features = Features()
    layouts = draw_layouts(200, np.random.default_rng(2))
    masks = [mask for length in FIRST for mask in placements(10, 10, length)]
    for row, features_of_row in zip(layouts, features.of(layouts), strict=True):
        layout = [masks[number] for number in row]
        sides = corners = cells = 0
        for one, two in combinations(layout, 2):
            beside = barred(10, 10, one, "corners") & two
            cells += beside.bit_count()
            sides += bool(beside)
            corners += bool(barred(10, 10, one, "never") & two) and not beside
        assert features_of_row[-3:].tolist() == [cells, sides, corners]


def test_shooter_that_counts_takes_as_long_as_the_bot() -> None:
    shots = play(draw_layouts(1500, np.random.default_rng(1)), None, np.random.default_rng(2))
    assert shots.min() >= 17
    assert shots.max() <= 100
    # probability_density: 44.58 +- 0.18; the standard error here is 0.24.
    assert shots.mean() == pytest.approx(44.6, abs=1)


def test_hidden_layouts_take_longer() -> None:
    random = np.random.default_rng(4)
    numbers = {
        mask: first + number
        for length, first in FIRST.items()
        for number, mask in enumerate(placements(10, 10, length))
    }
    hidden = np.array([sorted(numbers[mask] for mask in layout) for layout in placed(11, 2000)])
    uniform = play(draw_layouts(2000, random), None, random)
    # About 1.5 shots; the standard error is 0.3.
    assert play(hidden, None, random).mean() > uniform.mean() + 0.4


def test_search_raises_what_takes_long() -> None:
    distribution, uniform = search(rounds=2, games=300, pool=1500, random=np.random.default_rng(3))
    assert len(uniform) == 1500
    assert distribution.scores.any()
    assert distribution.weights(0.0).tolist() == [1.0] * len(distribution.features.classes)


def test_stored_distribution_is_what_the_policy_reads() -> None:
    scores = scores_for(view(CLASSIC))
    assert scores is not None
    distribution = stored_distribution(Features())
    masks = [mask for length in FIRST for mask in placements(10, 10, length)]
    stored = distribution.scores[distribution.features.classes]
    assert stored.tolist() == pytest.approx([scores.placements[mask] for mask in masks], abs=1e-5)


@pytest.mark.parametrize("hide", [True, False])
def test_probability_density_hides_on_demand(*, hide: bool) -> None:
    bot = ProbabilityDensity(hide=hide)
    bot.rules, bot.random = view(CLASSIC), Random(12)
    uniform = name_layout(CLASSIC, draw(CLASSIC, Random(12)))
    assert bot.place_fleet() == (place(view(CLASSIC), Random(12)) if hide else uniform)


def test_shooter_whose_pool_is_the_layout_never_misses() -> None:
    random = np.random.default_rng(7)
    (layout,) = draw_layouts(1, random)
    ones = np.ones(len(COVERS), np.float32)
    games = Pooled(np.stack([layout]), ones, np.stack([layout] * 40), random)
    assert games.shots().tolist() == [17]


def test_shooter_with_a_pool_sinks_everything() -> None:
    random = np.random.default_rng(8)
    ones = np.ones(len(COVERS), np.float32)
    shots = Pooled(draw_layouts(60, random), ones, draw_layouts(3000, random), random).shots()
    assert 38 <= shots.mean() <= 52
    assert shots.min() >= 17
