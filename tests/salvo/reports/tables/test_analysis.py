"""Choices are judged beside the best; luck is that of the command, and has a meaning alone only."""

import re

import numpy as np
import pytest
from msgspec.structs import replace

from arena.bot import Bot
from arena.records import Game
from arena.referee import play_bots
from arena.rules import PRESETS, Rules, preset
from bots.hunt_target import HuntTarget
from bots.uniform_random import UniformRandom
from bots.value_search import ValueSearch
from salvo.reports.pages.game_replay import replay_of
from salvo.reports.tables.analysis import (
    Analysis,
    analysis_of,
    last_judgement,
    salvos_of,
    summary,
    why_not_analysed,
)
from salvo.reports.tables.luck_adjustment import luck_of_game

RAMESH = replace(preset("ramesh-2"), sinkings="named")
SALVO = replace(preset("ramesh-5"), sinkings="named")


def analysed(game: Game, rules: Rules) -> Analysis:
    found = analysis_of(game, rules)
    assert found is not None
    return found


def alone(bot: Bot, rules: Rules, seed: int) -> Game:
    return play_bots([bot], rules, seeds=(seed, seed))


@pytest.mark.parametrize("rules", [RAMESH, SALVO], ids=["one shot", "two shots"])
def test_turns_are_what_the_best_expects_and_luck_and_choices(rules: Rules) -> None:
    for seed in range(5):
        game = alone(HuntTarget(), rules, seed)
        found = analysed(game, rules)
        assert found.luck == pytest.approx(luck_of_game(rules, game).turns, abs=1e-9)
        assert all(cost is not None and cost.cost >= 0 for cost in found.costs)
        [told] = summary(found, game, rules)
        assert f"first needed {game.tallies[0].turns} " in told


def test_costs_of_choices_sum_up_to_what_luck_leaves_of_the_turns() -> None:
    left, costs = [], []
    rules = preset("classic")
    for seed in range(6):
        found = analysed(alone(HuntTarget(), rules, seed), rules)
        assert found.luck is not None
        assert found.start == pytest.approx(43.87, abs=0.2)
        left.append(found.turns - found.luck - found.start)
        costs.append(sum(cost.cost for cost in found.costs if cost is not None))
    errors = np.subtract(left, costs)
    assert abs(errors.mean()) < 0.15 * np.mean(costs)


def test_what_the_best_needs_is_not_said_of_boards_that_nobody_learned_from() -> None:
    game = alone(HuntTarget(), RAMESH, 0)
    found = analysed(game, RAMESH)
    assert found.start is None
    [told] = summary(found, game, RAMESH)
    assert re.fullmatch(
        r"first needed 15 shots: luck took \d\.\d, choices cost \d\.\d beside the best that are "
        r"known\.",
        told,
    )


def test_who_plays_well_pays_less() -> None:
    def paid(bot: type[Bot]) -> float:
        games = [analysed(alone(bot(), RAMESH, seed), RAMESH) for seed in range(4)]
        return sum(cost.cost for game in games for cost in game.costs if cost is not None)

    assert paid(ValueSearch) < 0.5 * paid(HuntTarget) < 0.5 * paid(UniformRandom)


def test_games_of_two_have_costs_if_the_fleet_lay_anywhere_and_no_luck() -> None:
    game = play_bots([HuntTarget(), UniformRandom()], RAMESH)
    found = analysed(game, RAMESH)
    assert found.lucks == ()
    [told] = summary(found, game, RAMESH)
    assert "if the fleets lay anywhere" in told
    frame = replay_of(game, RAMESH, None, analysis=found).frames[2]
    assert frame.cost is not None
    assert "if the fleet lay anywhere" in frame.lines[-1]


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_set_is_analysed_or_it_is_said_why_not(name: str) -> None:
    rules = preset(name)
    game = play_bots([UniformRandom(), UniformRandom()], rules) if rules.cells < 30 else None
    if why_not_analysed(rules) is not None:
        assert name in str(why_not_analysed(rules))
        assert game is None or analysis_of(game, rules) is None
    elif game is not None:
        assert len(analysed(game, rules).costs) == len(salvos_of(game, rules))


def test_shot_that_is_judged_while_the_game_goes_on_costs_what_it_costs_afterwards() -> None:
    game = alone(HuntTarget(), RAMESH, 3)
    salvos = salvos_of(game, RAMESH)
    found = analysed(game, RAMESH)
    sizes = [
        (now.cost, then.cost)
        for number in range(1, 6)
        if (now := last_judgement(RAMESH, salvos[:number], solo=True)) is not None
        and (then := found.costs[number - 1]) is not None
    ]
    assert len(sizes) == 5
    assert np.allclose(*zip(*sizes, strict=True), atol=0.3)


def test_analysis_is_the_same_every_time() -> None:
    game = alone(HuntTarget(), RAMESH, 7)
    assert analysed(game, RAMESH) == analysed(game, RAMESH)
