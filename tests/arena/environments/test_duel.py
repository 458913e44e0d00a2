"""The PettingZoo environment: its interface, and the rules move for move."""

import runpy
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from arena import Bot
from arena.environments import UNTRIED, DuelEnv
from arena.errors import IllegalActionError, RulesError
from arena.rules import (
    Layout,
    Place,
    Rules,
    Ship,
    Shoot,
    ShootRequest,
    apply,
    begin,
    cells_of,
    name_layout,
    other,
    preset,
)
from tests.arena.environments.small_bots import LONE, Cut, Sure

games = runpy.run_path(str(Path(__file__).with_name("rule_sets.py")))["games"]
PLACEMENTS = ["drawn", "actions"]

# Of observations that are dictionaries, and of agents that are called first and second.
advice = pytest.mark.filterwarnings("ignore::UserWarning")


@advice
@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("rules", ["salvo", "classic", "again", "equal-turns", "unknown"])
def test_passes_the_test_of_the_interface(rules: str, placement: str) -> None:
    api_test(DuelEnv(rules, placement), num_cycles=200)  # type: ignore[arg-type]


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_passes_the_test_of_seeds(placement: str) -> None:
    seed_test(lambda: DuelEnv("salvo", placement), num_cycles=200)  # type: ignore[arg-type]


def test_passes_the_test_of_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode: DuelEnv("salvo", render_mode=render_mode))
    assert "first:\n" in capsys.readouterr().out


def actions_of(rules: Rules, layout: Layout) -> list[int]:
    """Return the actions that lay a layout, ship by ship."""
    actions = []
    for ship, mask in zip(rules.fleet, layout, strict=True):
        first, *rest = cells_of(mask)
        upright = ship.length > 1 and rest[0] != first + 1
        # In one column every run of two cells or more is upright.
        upright = upright or (ship.length > 1 and rules.columns == 1)
        actions.append(first + rules.cells * upright)
    return actions


@settings(max_examples=80, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_agrees_with_the_rules_move_for_move(game: tuple[Rules, Layout, Layout], seed: int) -> None:
    rules, *layouts = game
    random = Random(seed)
    environment = DuelEnv(rules, "actions")
    environment.reset()
    state = begin(rules)
    for layout in layouts:
        for action in actions_of(rules, layout):
            environment.step(action)
        state = apply(state, Place(name_layout(rules, layout)))
    while isinstance(request := state.request, ShootRequest):
        cells: list[int] = []
        for _ in range(request.shots):
            assert environment.agent_selection == request.seat
            assert not any(environment.terminations.values())
            seen = environment.observe(request.seat)
            assert environment.observation_space(request.seat).contains(seen)
            waters = state.waters.of(other(request.seat))
            assert waters is not None
            untried = np.flatnonzero(seen["observation"]["board"] == UNTRIED)
            assert np.flatnonzero(seen["action_mask"]).tolist() == untried.tolist()
            shot = {*cells_of(waters.shot), *cells}
            assert untried.tolist() == [cell for cell in range(rules.cells) if cell not in shot]
            cells.append(random.choice(untried.tolist()))
            environment.step(cells[-1])
        state = apply(state, Shoot(cells))
        assert environment.state_of_game == state
    assert all(environment.terminations.values())
    wins = {seat: {"draw": 0, seat: 1}.get(str(state.result), -1) for seat in ("first", "second")}
    assert environment.rewards == wins


def test_shows_a_seat_its_own_sea() -> None:
    environment = DuelEnv("row-5-3", "actions")
    environment.reset()
    environment.step(1)
    assert environment.observe("first")["observation"]["own"].tolist() == [[0, 1, 1, 1, 0]]
    environment.step(0)
    environment.step(4)
    assert environment.observe("second")["observation"]["incoming"].tolist() == [[0, 0, 0, 0, 1]]


def test_leaves_room_for_the_ships_to_come() -> None:
    rules = Rules(name="tight", rows=1, columns=7, fleet=(Ship("two", 2), Ship("four", 4)))
    environment = DuelEnv(rules, "actions")
    environment.reset()
    mask = environment.observe("first")["action_mask"]
    assert np.flatnonzero(mask).tolist() == [0, 1, 4, 5]


def test_refuses_an_action_that_the_mask_forbids() -> None:
    environment = DuelEnv("classic")
    environment.reset(seed=1)
    environment.step(3)
    environment.step(3)
    with pytest.raises(IllegalActionError, match="seat first: action 3"):
        environment.step(3)


def test_refuses_rules_that_a_board_cannot_show() -> None:
    with pytest.raises(RulesError, match="told"):
        DuelEnv(preset("paper"))


def test_draws_what_both_seats_see() -> None:
    environment = DuelEnv("row-5-3", render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render() == "first:\n.....\n\nsecond:\n.....\n\n"


def test_writes_what_both_seats_see_for_a_person_after_each_step(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for mode in (None, "ansi", "human"):
        environment = DuelEnv("row-5-3", render_mode=mode)  # type: ignore[arg-type]
        environment.reset(seed=1)
        environment.step(4)
        told = environment.observe("first")["observation"]["board"].tolist()[0]
        sign = {2: "o", 3: "#"}[told[4]]
        text = f"first:\n....{sign}\n\nsecond:\n.....\n\n"
        assert environment.render() == (text if mode == "ansi" else None)
        assert capsys.readouterr().out == (text if mode == "human" else "")


def test_pettingzoos_wrapper_lets_nobody_act_at_once() -> None:
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(DuelEnv("row-5-3"))


def test_pettingzoos_wrapper_ends_the_game_of_an_illegal_action() -> None:
    environment = TerminateIllegalWrapper(DuelEnv("row-5-3"), illegal_reward=-1)
    environment.reset(seed=1)
    environment.step(0)
    environment.step(0)
    environment.step(0)
    assert all(environment.terminations.values())
    assert environment.rewards["first"] == -1


def test_rewards_come_with_the_end_alone() -> None:
    environment = DuelEnv(LONE)
    environment.reset(seed=1)
    for turn, cell in enumerate([3, 0, 0, 1, 1, 2, 2, 4, 4, 5, 5]):
        assert environment.agent_selection == ("first" if turn % 4 < 2 else "second")
        assert environment.last()[1:4] == (0.0, False, False)
        assert environment.rewards == {"first": 0.0, "second": 0.0}
        environment.step(cell)
    environment.step(6)
    assert environment.agent_selection == "first"
    assert environment.last()[1:4] == (-1.0, True, False)
    assert environment.rewards == {"first": -1.0, "second": 1.0}
    environment.step(None)
    assert environment.last()[1:4] == (1.0, True, False)


class Cheat(Sure):
    def choose_shots(self, count: int) -> list[int]:
        return super().choose_shots(count) if not self.shot else self.shot


@pytest.mark.filterwarnings("ignore:opponent")
@pytest.mark.parametrize("bot_seat", ["first", "second"])
@pytest.mark.parametrize(
    ("bot", "reward", "void", "fault"),
    [
        (Sure, -1.0, False, None),
        (Cut, 0.0, True, "says that it cannot go on: no model"),
        (Cheat, 1.0, False, "exited with code 1: ValueError: choose_shots (test_duel.py, line "),
    ],
)
def test_game_against_a_bot_ends_as_it_did(
    bot: type[Bot],
    reward: float,
    fault: str | None,
    bot_seat: Any,  # noqa: ANN401 - a Literal
    *,
    void: bool,
) -> None:
    seat = other(bot_seat)
    environment = DuelEnv(LONE, opponent=bot, bot_seat=bot_seat)
    for seed in (1, 2):  # what comes after a fault is another game
        environment.reset(seed=seed)
        assert environment.agents == [seat]
        assert environment.rewards == {seat: 0.0}
        for cell in (3, 0, 1, 2, 4, 5):
            assert environment.last()[1:4] == (0.0, False, False)
            assert environment.infos[seat]["opponent"] == bot.__name__
            assert "fault" not in environment.infos[seat]
            environment.step(cell)
            if environment.terminations[seat] or environment.truncations[seat]:
                break
        assert environment.last()[1:4] == (reward, not void, void)
        assert environment.infos[seat]["action_mask"].all()
        told = environment.infos[seat].get("fault")
        assert told is None if fault is None else told.startswith(fault)
