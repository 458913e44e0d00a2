"""Choices are judged beside the best; luck is that of the command, and has a meaning alone only."""

import numpy as np
import pytest
from msgspec.structs import replace

from arena.bot import Bot
from arena.records import Game
from arena.referee import play_bots
from arena.rules import PRESETS, Rules, preset
from bots.hunt_target import HuntTarget
from bots.tactics.value.judge import Judgement
from bots.uniform_random import UniformRandom
from bots.value_search import ValueSearch
from salvo.reports.pages.game_replay import replay_of
from salvo.reports.tables.analysis import (
    Analysis,
    analysis_of,
    cost_in_words,
    last_judgement,
    luck_in_words,
    salvo_lines,
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
    for seed in range(3):
        found = analysed(alone(HuntTarget(), rules, seed), rules)
        assert found.luck is not None
        assert found.start == pytest.approx(44.1, abs=0.2)
        left.append(found.turns - found.luck - found.start)
        costs.append(sum(cost.cost for cost in found.costs if cost is not None))
    errors = np.subtract(left, costs)
    assert abs(errors.mean()) < 0.15 * np.mean(costs)


@pytest.mark.parametrize(
    ("rules", "turns"),
    [(RAMESH, 11.7), (SALVO, 5.1), (preset("salvo"), 10.2)],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_a_strong_player_needs_is_known_of_any_board(rules: Rules, turns: float) -> None:
    found = analysed(alone(HuntTarget(), rules, 0), rules)
    assert found.start == pytest.approx(turns, abs=0.2)


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
    assert np.allclose(*zip(*sizes, strict=True), atol=0.001)


def test_analysis_is_the_same_every_time() -> None:
    game = alone(HuntTarget(), RAMESH, 7)
    assert analysed(game, RAMESH) == analysed(game, RAMESH)


FREE, DEAR = Judgement(0.0049, (0,)), Judgement(1.25, (3, 7))
ALONE = alone(UniformRandom(), SALVO, 1)
SHOTS = replace(SALVO, shots=1)


@pytest.mark.parametrize(
    ("judgement", "solo", "told"),
    [
        (FREE, True, "Cost: nothing; no better choice is known."),
        (FREE, False, "Cost: nothing, if the fleet lay anywhere; no better choice is known."),
        (Judgement(0.005, (0,)), True, "Cost: 0.01 turns more than A1."),
        (DEAR, True, "Cost: 1.25 turns more than A4 B4."),
        (DEAR, False, "Cost: 1.25 turns more than A4 B4, if the fleet lay anywhere."),
    ],
)
def test_cost_is_told_beside_the_best(judgement: Judgement, told: str, *, solo: bool) -> None:
    assert cost_in_words(judgement, SALVO, solo=solo) == told
    assert cost_in_words(judgement, SHOTS, solo=solo) == told.replace("turns", "shots")


def test_luck_of_a_salvo_is_good_or_bad() -> None:
    assert luck_in_words(0.125, SALVO) == "Luck: bad, 0.12 turns."
    assert luck_in_words(-2, SHOTS) == "Luck: good, 2.00 shots."
    assert luck_in_words(0, SHOTS) == "Luck: good, 0.00 shots."


def test_what_is_known_of_a_salvo_is_told() -> None:
    found = Analysis((FREE, None, DEAR), (0.5, -0.5, None))
    told = [salvo_lines(found, number, SALVO, solo=True) for number in range(3)]
    assert told == [
        ["Cost: nothing; no better choice is known.", "Luck: bad, 0.50 turns."],
        ["Luck: good, 0.50 turns."],
        ["Cost: 1.25 turns more than A4 B4."],
    ]
    assert salvo_lines(Analysis((DEAR,), ()), 0, SALVO, solo=False) == [
        "Cost: 1.25 turns more than A4 B4, if the fleet lay anywhere."
    ]


@pytest.mark.parametrize(
    ("start", "lucks", "told"),
    [
        (5, (0.5, 0.75, None), "luck took 1.2, choices cost 0.8"),
        (7, (-0.5, -1.5, None), "luck gave 2.0, choices cost 2.0"),
        (9, (0, 0, None), "luck gave 0.0, choices saved 2.0"),
        (7, (0, 0, None), "luck gave 0.0, choices cost 0.0"),
    ],
)
def test_turns_of_a_game_are_explained(
    start: float, lucks: tuple[float | None, ...], told: str
) -> None:
    best = f"where a strong player needs {start}.0 on average"
    found = Analysis((DEAR, None, FREE), lucks, 7, start)
    assert summary(found, ALONE, SALVO) == [f"first needed 7 turns, {best}: {told}."]


def test_choices_are_summed_up_where_it_is_not_known_what_a_strong_player_needs() -> None:
    found = Analysis((DEAR, None, FREE), (0.5, 0.75, None), 7, None)
    paid = DEAR.cost + FREE.cost
    told = f"luck took 1.2, choices cost {paid:.1f} beside the best that are known."
    assert summary(found, ALONE, SALVO) == [f"first needed 7 turns: {told}"]


def test_game_in_which_the_fleet_was_not_sunk_has_no_explanation() -> None:
    found = Analysis((DEAR,), (0.5,), 7, 5)
    lost = replace(ALONE, result="second")
    assert summary(found, lost, SHOTS) == ["The fleet was not sunk, with 7 shots."]


def test_costs_of_both_sides_are_summed_up_by_bot() -> None:
    game = play_bots([UniformRandom(), UniformRandom()], SALVO, seeds=(1, 2))
    bys = [salvo.by for salvo in salvos_of(game, SALVO)]

    def told(costs: list[Judgement | None]) -> list[str]:
        return summary(Analysis(tuple(costs), ()), game, SALVO)

    ours, theirs = (f"those of {by} {1.25 * bys.count(by):.1f}" for by in game.fixture.seats)
    before = "What choices cost, in turns, if the fleets lay anywhere:"
    after = "What was luck nobody can say where each side hides as it likes."
    assert told([DEAR if by == "first" else None for by in bys]) == [f"{before} {ours}. {after}"]
    assert told([DEAR for _ in bys]) == [f"{before} {ours} and {theirs}. {after}"]
    assert told([None for _ in bys]) == []
