"""self_play hides as it learned, and shoots by a network."""

from collections.abc import Callable
from random import Random

import numpy as np

from arena import Bot
from arena.rules import PRESETS, cells_of, preset, view
from bots.self_play.bot import SelfPlay
from bots.tactics.learned.placing_policy import PlacingPolicy
from bots.training.placing.shooters import PLAIN, play


def test_it_plays_the_standard_board_and_fleet(load_bot: Callable[[str], type[Bot]]) -> None:
    bot = load_bot("self_play")()
    played = {name for name, (rules, _) in PRESETS.items() if bot.plays(view(rules))}
    assert played == {"again", "boxed", "classic", "equal-turns", "salvo"}


def test_it_hides_by_its_policy_and_never_twice_alike() -> None:
    bot = SelfPlay()
    bot.rules = view(preset("salvo"))
    layouts = set()
    for seed in range(40):
        bot.random = Random(seed)
        placed = bot.place_fleet()
        assert {name: len(cells) for name, cells in placed.items()} == {
            ship.name: ship.length for ship in bot.rules.fleet
        }
        assert len({cell for cells in placed.values() for cell in cells}) == 17
        layouts.add(str(placed))
    assert len(layouts) >= 35


def test_it_hides_where_the_first_layout_drawn_by_its_seed_lies() -> None:
    bot = SelfPlay()
    bot.rules, bot.random = view(preset("salvo")), Random(3)
    drawn = bot.policy.draw(1, np.random.default_rng(Random(3).getrandbits(64)))
    cells = [frozenset(cells_of(mask)) for mask in drawn.masks(0, bot.rules.fleet)]
    assert [frozenset(placed) for placed in bot.place_fleet().values()] == cells


def test_a_shooter_that_counts_placements_finds_its_fleet_late() -> None:
    random = np.random.default_rng(1)
    turns = [
        float(play(policy.draw(300, random).ships, PLAIN, 5, random).max(axis=1).mean())
        for policy in (SelfPlay().policy, PlacingPolicy.untrained())
    ]
    assert turns[0] > turns[1] + 0.5


def test_alone_it_shoots_well(mean_turns: Callable[..., float]) -> None:
    assert mean_turns("self_play", "salvo", 25) < 11.8


def test_the_weights_say_how_they_were_trained_and_are_small() -> None:
    assert SelfPlay().origin.command.startswith("salvo train self_play")
