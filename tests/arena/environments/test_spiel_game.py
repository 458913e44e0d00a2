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


@settings(max_examples=60, deadline=None)
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


@pytest.mark.parametrize("rules", ["row-5-3", "ramesh-5", "salvo", "unnamed"])
def test_passes_openspiels_own_test(rules: str) -> None:
    pyspiel.random_sim_test(spiel_game(rules), num_sims=2, serialize=False, verbose=False)


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


def test_whoever_shoots_first_is_ahead_and_cfr_knows() -> None:
    game = spiel_game(TINY)
    solver = cfr.CFRSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    assert exploitability.exploitability(game, policy) < 0.1
    values = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert values[0] > 0.1
