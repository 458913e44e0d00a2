"""posterior_greedy takes the cell that a ship most likely lies on."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.rules import Rules, Ship, draw, mask_of, name_layout, preset, view
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.placement import place

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_first_shot_is_at_the_centre(play: Play) -> None:
    games = play("posterior_greedy", preset("classic"), seeds=range(30))
    assert {game.cells[0] for game in games} == {44, 45, 54, 55}


def test_sinks_a_ship_that_can_only_lie_in_one_place_without_a_miss(play: Play) -> None:
    rules = Rules(name="row", rows=1, columns=5, fleet=(Ship("three", 3),))
    for game in play("posterior_greedy", rules, seeds=range(20), layout=[mask_of([1, 2, 3])]):
        assert game.cells[0] == 2
        assert len(game.cells) <= 4


def test_knows_that_a_ship_not_reported_sunk_goes_on(play: Play) -> None:
    # After two hits in line of a ship of three, the third is at one of the ends.
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("three", 3),))
    layout = [mask_of([26, 27, 28])]
    for game in play("posterior_greedy", rules, seeds=range(20), layout=layout):
        second = [i for i, cell in enumerate(game.cells) if cell in {26, 27, 28}][1]
        assert all(cell // 8 == 3 for cell in game.cells[second:])


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 44.5 in 12,000 games; the standard error of 60 games is 1.2.
    assert 41.2 <= mean_turns("posterior_greedy", "classic", 60) <= 47.8


def test_salvo_takes_less_than_eleven_turns(mean_turns: Callable[..., float]) -> None:
    # 10.5 in 600 games; the standard error of 40 games is 0.28.
    assert 9.8 <= mean_turns("posterior_greedy", "salvo", 40) <= 11.2


@pytest.mark.parametrize("rules_name", ["unnamed", "silent", "apart"])
def test_plays_where_less_is_reported_or_ships_lie_apart(play: Play, rules_name: str) -> None:
    rules = preset(rules_name)
    for game in play("posterior_greedy", rules, seeds=range(3)):
        assert sum(len(salvo.report.hits) for salvo in game.salvos) == 17


def test_hides_its_fleet_from_shooters_like_itself() -> None:
    bot = PosteriorGreedy()
    bot.rules, bot.random = view(preset("classic")), Random(5)
    assert (
        bot.place_fleet()
        == place(bot.rules, Random(5))
        != name_layout(bot.rules, draw(bot.rules, Random(5)))
    )
