"""posterior_greedy takes the cell that a ship most likely lies on."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from arena.rules import Rules, Ship, draw, mask_of, name_layout, preset, view
from bots.posterior_greedy import PosteriorGreedy
from bots.tactics.placement.weighted_layouts import place

Play = Callable[..., list[Any]]
"""Plays a block and returns its games."""


def test_first_shot_is_at_the_centre(first_salvo: Callable[..., tuple[int, ...]]) -> None:
    rules = preset("classic")
    begun = {first_salvo("posterior_greedy", rules, seed=seed) for seed in range(30)}
    assert begun == {(44,), (45,), (54,), (55,)}


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
    # 44.5 in 12,000 games; the standard error of 20 games is 2.1.
    assert 39 <= mean_turns("posterior_greedy", "classic", 20) <= 50


def test_salvo_takes_about_ten_turns_and_a_half(mean_turns: Callable[..., float]) -> None:
    # 10.5 in 600 games; the standard error of 20 games is 0.4.
    assert 9.5 <= mean_turns("posterior_greedy", "salvo", 20) <= 11.5


@pytest.mark.parametrize("rules_name", ["unnamed", "silent", "apart"])
def test_plays_where_less_is_reported_or_ships_lie_apart(play: Play, rules_name: str) -> None:
    rules = preset(rules_name)
    for game in play("posterior_greedy", rules, seeds=range(3)):
        assert sum(len(salvo.report.hits) for salvo in game.salvos) == 17


@pytest.mark.long("a mean of many games; recorded shots are held to as well")
@pytest.mark.parametrize(
    ("rules_name", "games", "below"),
    # Means of 15, 51, 54 and 57; the standard errors of so many games are 0.6, 3.5, 3.5 and 2.5.
    [("paper", 8, 16.8), ("unknown", 10, 61.5), ("lies", 10, 64.5), ("afp", 8, 64.5)],
)
def test_turns_where_layouts_are_sampled(
    mean_turns: Callable[..., float], rules_name: str, games: int, below: float
) -> None:
    assert mean_turns("posterior_greedy", rules_name, games) <= below


def mixed(**fields: object) -> Rules:
    fleet = (Ship("four", 4), Ship("three", 3), Ship("two", 2))
    return Rules(name="mixed", rows=6, columns=6, fleet=fleet, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    [
        mixed(told="count-by-ship", shots=3, sinkings="unnamed", touching="never"),
        mixed(told="count", shots="afloat", sunk_cells=True),
        mixed(lies=3, shots=4, sinkings="named", sunk_cells=True),
        mixed(lies=2, shots=2, sinkings="unnamed", fleet_known=False, touching="corners"),
        mixed(fleet_known=False, shots=3, sinkings="unnamed"),
        mixed(moves=True, reshoot=True, shots=2, sinkings="silent"),
        mixed(moves=True, reshoot=True, again=True, sunk_cells=True, touching="corners"),
    ],
    ids=lambda rules: f"{rules.told}-{rules.lies}-{rules.sinkings}-{rules.moves}",
)
@pytest.mark.parametrize("solo", [True, False], ids=["solo", "duel"])
def test_plays_rules_in_which_several_things_are_uncertain(
    referee: Play, rules: Rules, *, solo: bool
) -> None:
    for game in referee("posterior_greedy", rules, seeds=[1, 2], solo=solo):
        assert game.forfeit is None, game.reason
        assert game.termination == "sunk"


def test_refuses_rules_in_which_ships_move_and_reports_lie() -> None:
    rules = mixed(moves=True, reshoot=True, lies=1)
    assert not PosteriorGreedy().plays(view(rules))


def test_hides_its_fleet_from_shooters_like_itself() -> None:
    bot = PosteriorGreedy()
    bot.rules, bot.random = view(preset("classic")), Random(5)
    assert (
        bot.place_fleet()
        == place(bot.rules, Random(5))
        != name_layout(bot.rules, draw(bot.rules, Random(5)))
    )
