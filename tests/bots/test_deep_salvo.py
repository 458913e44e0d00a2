"""deep_salvo shoots by a network that knows the rules of ships, and learned the rest."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from arena import Bot
from arena.records import ShootStep
from arena.rules import PRESETS, draw, preset, view
from benchmarks.games.solo_games import turns_at
from bots.deep_salvo.bot import DeepSalvo
from bots.tactics.learned.placement_network import (
    Evidence,
    Flags,
    FleetPlacements,
    _count_up_to,
    symmetries,
)

LAYING = 0
UPRIGHT = 9


def evidence(board: str, *, sank: str = "", afloat: tuple[bool, ...] = (True, True)) -> Evidence:
    """Return what is known of a 3x3 board: . untried, o miss, # hit; where a salvo sank ship 1."""
    cells = np.array([list(board)])
    last = np.array([list(sank or "." * 9)]) == "1"
    return Evidence(cells == "o", cells == "#", last.astype(np.int64) * 2, np.array([afloat]))


def places_of(ship: int, known: Evidence, *, named: bool = True) -> list[int]:
    places = FleetPlacements(3, 3, (3, 2), named=named)
    return [int(place) for place in np.flatnonzero(places.possible(known)[0, ship])]


def test_a_ship_lies_along_rows_and_columns_of_an_empty_board() -> None:
    assert places_of(0, evidence(".........")) == [0, 3, 6, 9, 10, 11]


def test_no_ship_lies_on_a_miss() -> None:
    assert places_of(0, evidence("....o....")) == [0, 6, UPRIGHT, UPRIGHT + 2]


def test_a_ship_afloat_does_not_lie_on_hits_alone() -> None:
    assert LAYING not in places_of(1, evidence("##......."))
    assert LAYING in places_of(1, evidence("##......."), named=False)


def test_a_ship_that_sank_lies_on_the_hit_that_sank_it() -> None:
    known = evidence("###......", sank="..1......", afloat=(True, False))
    assert places_of(1, known) == [1]


def drawn(known: Evidence, odds: list[dict[int, float]], *, named: bool = True) -> Flags:
    """Return layouts of ships of 3 and 2 on 3x3, given the odds of places for each."""
    places = FleetPlacements(3, 3, (3, 2), named=named)
    chances = np.zeros((2, 18), dtype=np.float32)
    for ship, of_ship in enumerate(odds):
        chances[ship, list(of_ship)] = list(of_ship.values())
    return places.draw(chances, known, 2000, np.random.default_rng(1)).cells()


def test_layouts_are_drawn_by_the_odds_of_each_ship() -> None:
    layouts = drawn(evidence("........."), [{0: 0.75, 3: 0.25}, {6: 0.5, 7: 0.5}])
    assert layouts.mean(axis=0) == pytest.approx(
        [0.75, 0.75, 0.75, 0.25, 0.25, 0.25, 0.5, 1, 0.5], abs=0.05
    )


def test_ships_of_a_drawn_layout_do_not_overlap() -> None:
    layouts = drawn(evidence("........."), [{0: 0.5, 6: 0.5}, {0: 0.5, 6: 0.5}])
    assert (layouts.sum(axis=1) == 5).all()


def test_drawn_layouts_explain_every_hit() -> None:
    layouts = drawn(evidence("#........"), [{0: 0.5, 6: 0.5}, {0: 0.5, 4: 0.5}])
    assert layouts[:, 0].all()
    # One of the two was hit, never both: of the four ways to lie that leaves two.
    assert set(layouts.sum(axis=1)) == {5}
    assert layouts[:, 4].mean() == pytest.approx(0.5, abs=0.05)


def test_layouts_are_drawn_though_none_agrees_with_the_hits() -> None:
    layouts = drawn(evidence("........#"), [{0: 1}, {3: 1}])
    assert layouts.any(axis=0).tolist() == [True] * 5 + [False] * 4


@pytest.mark.parametrize(("rows", "columns", "ways"), [(3, 3, 8), (2, 3, 4)])
def test_a_board_is_turned_and_mirrored_in_every_way(rows: int, columns: int, ways: int) -> None:
    turned = {tuple(cells.tolist()) for cells in symmetries(rows, columns)}
    assert len(turned) == ways
    assert {tuple(sorted(cells)) for cells in turned} == {tuple(range(rows * columns))}


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
def test_shoots_on_average_no_worse_than_counting_placements(
    mean_turns: Callable[..., float],
) -> None:
    # Hunting and targeting with parity takes 52; 80 games have a standard error of 1.
    assert mean_turns("deep_salvo", "classic", 80) < 49


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
def test_fires_salvos_on_average_no_worse_than_counting_placements(
    mean_turns: Callable[..., float],
) -> None:
    # Counting placements takes 11.0, and this 10.5; 80 games have a standard error of 0.2.
    assert mean_turns("deep_salvo", "salvo", 80) < 11.4


def test_a_salvo_of_all_cells_is_fired_though_no_ship_is_left_for_the_last(
    play: Callable[..., list[Any]],
) -> None:
    many = preset("classic").__class__(
        name="hundred shots", rows=10, columns=10, fleet=preset("classic").fleet, shots=100
    )
    (game,) = play("deep_salvo", many)
    assert sorted(game.cells) == list(range(100))


def test_plays_the_standard_fleet_where_ships_that_sink_are_named(
    load_bot: Callable[[str], type[Bot]],
) -> None:
    bot = load_bot("deep_salvo")()
    played = {name for name, (rules, _) in PRESETS.items() if bot.plays(view(rules))}
    assert played == {"again", "boxed", "classic", "equal-turns", "salvo"}


def test_the_weights_say_how_they_were_trained_and_are_small() -> None:
    assert DeepSalvo().origin.command.startswith("salvo train deep_adjusted")
    assert DeepSalvo(posterior=True).origin.command.startswith("salvo train deep_trials")
    for path in (Path(str(resources.files("bots"))) / "deep_salvo").glob("*.npz"):
        assert path.stat().st_size < 4_000_000


def test_shown_the_posterior_it_plays_one_shot_a_turn() -> None:
    bot = DeepSalvo(posterior=True)
    played = {name for name, (rules, _) in PRESETS.items() if bot.plays(view(rules))}
    assert played == {"again", "boxed", "classic", "equal-turns"}


@pytest.mark.long("a mean of many games")
def test_shown_the_posterior_it_shoots_no_worse() -> None:
    rules = preset("classic")
    layouts = [draw(rules, Random(seed)) for seed in range(80)]
    # Not shown it takes 44.9; 80 games have a standard error of 0.9.
    assert fmean(turns_at(DeepSalvo(posterior=True), rules, layouts)) < 48


def test_weights_that_are_shown_the_posterior_need_not_be_asked_for_where_there_are_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not DeepSalvo().is_shown
    monkeypatch.setattr("bots.deep_salvo.bot.FOLDER", tmp_path)
    assert DeepSalvo().is_shown


@pytest.mark.parametrize("possible", [0, 1, 3, 60, 200])
def test_places_are_looked_up_as_a_search_finds_them(possible: int) -> None:
    random = np.random.default_rng(possible)
    chances = random.random(200, dtype=np.float32) ** 4
    chances[random.permutation(200)[possible:]] = 0
    bounds = chances.cumsum(dtype=np.float32)
    points = random.random(2_000, dtype=np.float32) * bounds[-1]
    points[:200] = np.where(bounds < bounds[-1], bounds, 0)
    found = _count_up_to(bounds[:-1], points, bounds[-1])
    assert (found == np.searchsorted(bounds[:-1], points, side="right")).all()


@pytest.mark.parametrize(
    ("posterior", "cells"), [(False, [25, 75, 64, 63, 54, 74]), (True, [53, 44, 62, 35, 42, 26])]
)
def test_first_shots_are_those_of_the_network(
    referee: Callable[..., list[Any]], *, posterior: bool, cells: list[int]
) -> None:
    (game,) = referee(
        lambda: DeepSalvo(posterior=posterior),
        preset("classic"),
        seeds=[1],
        solo=True,
        answers=6,
    )
    assert [step.cells[0] for step in game.steps if isinstance(step, ShootStep)] == cells
