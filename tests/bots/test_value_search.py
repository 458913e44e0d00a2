"""value_search looks ahead while that is worth it, and solves the end."""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from arena.records import ShootStep
from arena.referee import play_bots
from arena.rules import Rules, Ship, mask_of, preset, view
from benchmarks.games.solo_games import every_layout
from bots.tactics.learned.placement_network import symmetries
from bots.tactics.placement.opponent import Opponent
from bots.tactics.placement.weighted_layouts import place
from bots.uniform_random import UniformRandom
from bots.value_search import STEPS, ValueSearch, _repeated

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""

TWO = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("two", 2),))


def test_begins_on_any_of_the_cells_that_are_alike(referee: Play) -> None:
    first = set()
    for seed in range(8):
        (game,) = referee("value_search", preset("classic"), seeds=[seed], solo=True, answers=1)
        first.add(next(step.cells[0] for step in game.steps if isinstance(step, ShootStep)))
    turned = {turn[cell] for turn in symmetries(10, 10) for cell in first}
    assert 1 < len(first) <= len(turned) <= 8


def test_hunts_a_ship_of_two_on_one_colour(play: Play) -> None:
    for game in play("value_search", TWO, seeds=range(4), layout=[mask_of([0, 1])]):
        hunt = game.cells[: next(i for i, cell in enumerate(game.cells) if cell < 2)]
        colours = [sum(divmod(cell, 8)) % 2 for cell in hunt]
        assert colours.count(colours[0]) >= len(colours) - 2


def test_after_a_hit_goes_where_the_ship_goes_on(play: Play) -> None:
    for game in play("value_search", TWO, seeds=range(4), layout=[mask_of([27, 28])]):
        first = next(i for i, cell in enumerate(game.cells) if cell in {27, 28})
        hit = game.cells[first]
        assert all(abs(cell - hit) in {1, 8} for cell in game.cells[first + 1 :])


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 44.0 in a thousand games; the standard error of 20 games is 1.9.
    assert 38 <= mean_turns("value_search", "classic", 20) <= 50


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
def test_salvo_alone_takes_less_than_eleven_turns(mean_turns: Callable[..., float]) -> None:
    assert 9 <= mean_turns("value_search", "salvo", 20) <= 11


@pytest.mark.parametrize("name", ["boxed", "silent"])
def test_plays_games_that_the_network_does_not_value(play: Play, name: str) -> None:
    assert play("value_search", preset(name))


def shots(bot: ValueSearch, name: str, *others: UniformRandom) -> list[tuple[int, ...]]:
    """Return what a bot shot at, alone or as the first of two."""
    game = play_bots([bot, *others], preset(name), seeds=(1, 2))
    return [
        step.cells for step in game.steps if isinstance(step, ShootStep) and step.seat == "first"
    ]


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_what_it_expects_of_opponents_changes_nothing_in_a_solo_game(name: str) -> None:
    assert shots(ValueSearch(STEPS), name) == shots(ValueSearch(STEPS[:-1]), name)


@pytest.mark.parametrize("name", ["classic", "boxed"])
def test_plays_for_two_where_fleets_may_hide(name: str) -> None:
    game = play_bots([ValueSearch(), UniformRandom()], preset(name), seeds=(3, 4))
    assert (game.result, game.forfeit) == ("first", None)


def test_learns_from_the_layouts_that_an_opponent_had() -> None:
    bot = ValueSearch()
    before = shots(bot, "salvo", UniformRandom())
    assert shots(bot, "salvo", UniformRandom()) != before
    assert shots(ValueSearch(), "salvo", UniformRandom()) == before


class Stubborn(UniformRandom):
    """Has one layout, which it mirrors in every other game."""

    games = 0

    def place_fleet(self) -> dict[str, list[int]]:
        self.games += 1
        rows = ((0, 5), (20, 4), (51, 3), (72, 3), (88, 2))
        cells = [list(range(start, start + length)) for start, length in rows]
        if self.games % 2 == 0:
            cells = [[90 - cell // 10 * 10 + cell % 10 for cell in ship] for ship in cells]
        return {ship.name: own for ship, own in zip(self.rules.fleet, cells, strict=True)}


@pytest.mark.parametrize(("name", "most"), [("classic", 30), ("salvo", 9)])
def test_finds_a_layout_soon_that_it_met_before(name: str, most: int) -> None:
    bot, other = ValueSearch(), Stubborn()
    turns = [
        play_bots([bot, other], preset(name), seeds=(seed, seed)).tallies[0].turns
        for seed in range(3)
    ]
    assert turns[2] < most


@pytest.mark.parametrize(("name", "turns"), [("square-5-3", 207), ("ramesh-3", 85)])
def test_plays_solved_games_at_the_optimum(play: Play, name: str, turns: int) -> None:
    rules = preset(name)
    games = (play("value_search", rules, layout=layout)[0] for layout in every_layout(rules))
    assert sum(len(game.salvos) for game in games) == turns


def test_each_step_can_be_left_out() -> None:
    assert [ValueSearch(STEPS[:number]).steps for number in range(2)] == [set(), {"classes"}]


FLEET = (Ship("four", 4), Ship("three", 3), Ship("two", 2))
ONE_SHOT = Rules(name="one shot", rows=6, columns=6, fleet=FLEET)
THREE_SHOTS = replace(ONE_SHOT, name="three shots", shots=3)
AHEAD = "21 22 20 27 15 28 26 16 33 10 34 8 13 25 3"


@pytest.mark.parametrize(
    ("rules", "steps", "cells"),
    [
        (ONE_SHOT, "", "15 20 25 10 2 12 7 33 32 17 28 34 27 29 16 22 21 3 4"),
        (ONE_SHOT, "classes", "14 21 15 20 22 23 27 33 16 28 10 34 7 25 3 9 4"),
        (ONE_SHOT, "hunting", "15 22 16 10 28 34 20 8 13 3 4 18 17 25 32 0 27 21 33"),
        (ONE_SHOT, "open", "15 20 25 10 2 12 7 33 32 27 17 28 22 34 16 21 19 5 14 3 4"),
        (ONE_SHOT, "endgame", "15 20 25 10 2 12 7 33 32 17 28 34 27 29 16 22 21 3 4"),
        (ONE_SHOT, "classes,hunting,open", f"{AHEAD} 9 4"),
        (ONE_SHOT, "classes,hunting,open,endgame", f"{AHEAD} 2 4"),
        (ONE_SHOT, ",".join(STEPS), f"{AHEAD} 2 4"),
        (THREE_SHOTS, "", "14 27 21 15 33 9 17 16 4 10 22 28 3 34 5"),
        (THREE_SHOTS, "hunting,open", "14 27 21 15 33 9 17 16 4 10 22 28 3 34 5"),
        (THREE_SHOTS, "salvo", "8 15 22 16 19 28 10 12 26 23 31 34 1 3 24 4 11 33 2 21 27"),
    ],
)
def test_each_step_has_a_say_in_where_it_shoots(rules: Rules, steps: str, cells: str) -> None:
    game = play_bots([ValueSearch(steps.split(","))], rules, seeds=(1, 2))
    shot = [cell for step in game.steps if isinstance(step, ShootStep) for cell in step.cells]
    assert shot == [int(cell) for cell in cells.split()]


@pytest.mark.parametrize("name", ["salvo", "classic"])
@pytest.mark.parametrize("fields", [{"hits_named": True}, {"sinkings": "silent"}])
def test_begins_games_of_two_whose_answers_say_more_or_less(
    referee: Play, name: str, fields: dict[str, Any]
) -> None:
    (game,) = referee(
        "value_search", replace(preset(name), **fields), seeds=[1], solo=False, answers=3
    )
    assert game.reason == "enough was seen"


def test_layouts_that_an_opponent_may_have_again_weigh_their_chance_together() -> None:
    opponent = Opponent.by_rules(view(preset("classic")))
    assert opponent is not None
    assert _repeated(opponent) is None
    starts = zip((0, 20, 41, 62, 88), (5, 4, 3, 3, 2), strict=True)
    opponent.saw([range(start, start + length) for start, length in starts])
    found = _repeated(opponent)
    assert found is not None
    assert found.weights == pytest.approx(np.full(8, 0.2 / 11 / 8))
    assert found.places.tolist() == opponent.repeated().places.tolist()
    assert not found.whole


def test_hides_its_fleet_from_shooters_like_itself() -> None:
    bot = ValueSearch()
    bot.rules, bot.random = view(preset("classic")), Random(5)
    assert bot.place_fleet() == place(bot.rules, Random(5))
