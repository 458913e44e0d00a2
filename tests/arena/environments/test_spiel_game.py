"""OpenSpiel plays our rules: the same games, its own test of games, and CFR finds the value."""

import runpy
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.environments import DuelEnv
from arena.rules import Layout, Rules, Ship
from arena.rules.ruleset import SinkingsRule

# Its wheels come later than those of a new Python.
pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, expected_game_score, exploitability  # noqa: E402

from arena.environments.open_spiel import spiel_game  # noqa: E402

games = runpy.run_path(str(Path(__file__).with_name("rule_sets.py")))["games"]
TINY = Rules(name="tiny", rows=1, columns=3, fleet=(Ship("two", 2),), sinkings="silent")


@settings(max_examples=40, deadline=None)
@given(game=games(), seed=st.integers(0, 2**32))
def test_plays_as_pettingzoo_plays(game: tuple[Rules, Layout, Layout], seed: int) -> None:
    rules, *_ = game
    random = Random(seed)
    played = spiel_game(rules)
    state = played.new_initial_state()
    duel = DuelEnv(rules, "actions")
    duel.reset()
    assert played.num_distinct_actions() == duel.action_space("first").n
    while not state.is_terminal():
        seat = ("first", "second")[state.current_player()]
        assert seat == duel.agent_selection
        legal = state.legal_actions()
        assert legal == np.flatnonzero(duel.action_masks()).tolist()
        action = random.choice(legal)
        state.apply_action(action)
        duel.step(action)
    assert all(duel.terminations.values())
    assert len(state.history()) <= played.max_game_length()
    assert state.returns() == [duel.rewards[seat] for seat in ("first", "second")]


@pytest.mark.parametrize("rules", ["row-5-3", "salvo", "unnamed"])
def test_passes_openspiels_own_test(rules: str) -> None:
    pyspiel.random_sim_test(spiel_game(rules), num_sims=1, serialize=False, verbose=False)


def test_a_clone_goes_its_own_way() -> None:
    state = spiel_game(TINY).new_initial_state()
    state.apply_action(0)
    clone = state.clone()
    clone.apply_action(1)
    clone.apply_action(2)
    assert str(state) != str(clone)
    assert state.legal_actions() == [0, 1]


def test_tensors_show_both_boards() -> None:
    state = spiel_game(TINY).new_initial_state()
    for action in (0, 1, 0, 2):  # both place, then one shot each
        state.apply_action(action)
    tensor = np.array(state.observation_tensor(0))
    assert tensor.shape == tuple(spiel_game(TINY).observation_tensor_shape())
    board, own, incoming = tensor[:15].reshape(5, 3), tensor[15:18], tensor[18:21]
    assert board.argmax(axis=0).tolist() == [2, 0, 0]  # the other lies on the cells 1 and 2
    assert (own.tolist(), incoming.tolist()) == ([1, 1, 0], [0, 0, 1])


@pytest.mark.parametrize(("sinkings", "told"), [("named", [1, 0, 0]), ("unnamed", [0.25, 0])])
def test_tensors_show_what_is_sunk_from_0_to_1(sinkings: SinkingsRule, told: list[float]) -> None:
    fleet = (Ship("one", 1), Ship("other", 1))
    rules = Rules(name="row", rows=1, columns=4, fleet=fleet, sinkings=sinkings)
    state = spiel_game(rules).new_initial_state()
    for action in (0, 1, 0, 1, 0):  # both place two ships, then one is sunk
        state.apply_action(action)
    boards = (5 + 1 + 1) * rules.cells
    assert list(state.observation_tensor(0)[boards:]) == told  # and that nothing is placed now


def test_game_says_what_it_is() -> None:
    game = spiel_game(TINY)
    kind = game.get_type()
    assert (kind.short_name, kind.long_name) == ("python_salvo", "Salvo by the rules tiny")
    assert (kind.min_num_players, kind.max_num_players, game.num_players()) == (2, 2, 2)
    assert kind.provides_information_state_string
    assert not kind.provides_information_state_tensor
    assert kind.provides_observation_string
    assert kind.provides_observation_tensor
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (6, 0)
    assert game.max_game_length() == 8


def test_each_player_reads_what_it_did_and_was_told() -> None:
    fleet = (Ship("two", 2), Ship("one", 1))
    rules = Rules(name="row", rows=1, columns=4, fleet=fleet, shots=2)
    state = spiel_game(rules).new_initial_state()
    told = []
    for action in (0, 3, 1, 3, 0, 1, 0, 3):
        player = state.current_player()
        told.append(f"{player} {state.action_to_string(player, action)}")
        state.apply_action(action)
        assert state.returns() == [0.0, 0.0]
    assert told == [
        "0 lay along from 0",
        "0 lay along from 3",
        "1 lay along from 1",
        "1 lay along from 3",
        "0 shoot 0",
        "0 shoot 1",
        "1 shoot 0",
        "1 shoot 3",
    ]
    known = [
        "0: lay 0; lay 3; shoot 0; shoot 1; hits 1 sunk none; incoming 0,3",
        "1: lay 1; lay 3; incoming 0,1; shoot 0; shoot 3; hits 0,3 sunk one",
    ]
    assert [state.information_state_string(player) for player in (0, 1)] == known
    assert (state.information_state_string(), str(state)) == (known[0], "\n".join(known))
    assert [state.observation_string(player) for player in (0, 1)] == [
        "0: o#.. SS.S x..x 0,0",
        "1: @..@ .SSS xx.. 0,1",
    ]


def test_ships_are_laid_down_columns_by_the_second_half_of_the_actions() -> None:
    rules = Rules(name="two rows", rows=2, columns=3, fleet=(Ship("two", 2),))
    state = spiel_game(rules).new_initial_state()
    assert [state.action_to_string(0, action) for action in state.legal_actions()] == [
        *(f"lay along from {cell}" for cell in (0, 1, 3, 4)),
        *(f"lay down from {cell}" for cell in (0, 1, 2)),
    ]


def test_whoever_shoots_first_is_ahead_and_cfr_knows() -> None:
    game = spiel_game(Rules(name="guess", rows=1, columns=2, fleet=(Ship("one", 1),)))
    solver = cfr.CFRSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.1
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert values[0] > 0.1
