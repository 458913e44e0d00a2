"""posterior_parity hunts on one class of diagonals, and follows hits like the posterior."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.rules import Rules, Ship, draw, mask_of, name_layout, preset, view
from bots.posterior_parity import PosteriorParity
from bots.tactics.placement.weighted_layouts import place

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_hunts_a_ship_of_two_on_one_colour(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("two", 2),))
    for game in play("posterior_parity", rules, seeds=range(10), layout=[mask_of([0, 1])]):
        hunt = game.cells[: next(i for i, cell in enumerate(game.cells) if cell < 2)]
        colours = [sum(divmod(cell, 8)) % 2 for cell in hunt]
        assert colours.count(colours[0]) >= len(colours) - 2


def test_after_a_hit_goes_where_the_ship_goes_on(play: Play) -> None:
    rules = Rules(name="one ship", rows=8, columns=8, fleet=(Ship("two", 2),))
    for game in play("posterior_parity", rules, seeds=range(20), layout=[mask_of([27, 28])]):
        first = next(i for i, cell in enumerate(game.cells) if cell in {27, 28})
        hit = game.cells[first]
        assert all(abs(cell - hit) in {1, 8} for cell in game.cells[first + 1 :])


def test_mean_in_the_classic_game(mean_turns: Callable[..., float]) -> None:
    # 44.1 in 12,000 games; the standard error of 20 games is 1.9.
    assert 39 <= mean_turns("posterior_parity", "classic", 20) <= 49.2


def test_salvo_takes_about_ten_turns_and_a_half(mean_turns: Callable[..., float]) -> None:
    assert 9.4 <= mean_turns("posterior_parity", "salvo", 20) <= 11.6


def test_plays_the_first_shot_like_the_posterior(
    first_salvo: Callable[..., tuple[int, ...]],
) -> None:
    rules = preset("classic")
    begun = {first_salvo("posterior_parity", rules, seed=seed) for seed in range(20)}
    assert begun == {(44,), (45,), (54,), (55,)}


@pytest.mark.parametrize("name", ["classic", "salvo"])
def test_hides_its_fleet_from_shooters_like_itself(name: str) -> None:
    bot = PosteriorParity()
    bot.rules, bot.random = view(preset(name)), Random(6)
    assert (
        bot.place_fleet()
        == place(bot.rules, Random(6))
        != name_layout(bot.rules, draw(bot.rules, Random(6)))
    )
