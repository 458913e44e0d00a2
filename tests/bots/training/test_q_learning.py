"""Q-learning: what is remembered, and what features bring."""

import numpy as np
import pytest

from bots.tactics.learned.q_table import QTable
from bots.training.q_learning import Settings, Trainer


def test_a_state_that_was_never_met_is_shot_at_its_last_cell() -> None:
    assert QTable(10).best(QTable.start, [2, 5, 7]) == (0.0, 7)


def test_a_step_moves_a_value_towards_its_target() -> None:
    memory = QTable(10)
    memory.learn(memory.start, 3, 19.0, 0.5)
    memory.learn(memory.start, 3, 19.0, 0.5)
    assert memory.best(memory.start, list(range(10))) == (14.25, 3)


def test_a_state_does_not_depend_on_the_order_of_shots() -> None:
    memory = QTable(10)
    one = memory.after(memory.after(memory.start, 3, hit=True), 5, hit=False)
    two = memory.after(memory.after(memory.start, 5, hit=False), 3, hit=True)
    three = memory.after(memory.after(memory.start, 3, hit=False), 5, hit=True)
    assert one == two != three


def test_a_memory_survives_as_arrays() -> None:
    memory = QTable(10)
    memory.learn(memory.start, 3, 19.0, 1.0)
    again = QTable(10, memory.arrays())
    assert again.best(again.start, list(range(10))) == (19.0, 3)


def test_a_sweep_of_what_was_never_met_takes_about_90_moves() -> None:
    trainer = Trainer(Settings(features="identity", games=200))
    turns = [count for _ in range(20) for count in trainer.learn()]
    half = 1.96 * np.std(turns) / np.sqrt(len(turns))
    # Their Table 1 says 90; shots at random would take 95.39.
    assert np.mean(turns) + half < 95.39
    assert np.mean(turns) == pytest.approx(90, abs=2 * half + 0.5)


def test_features_learn_within_40_games() -> None:
    trainer = Trainer(Settings(games=60))
    turns = [count for _ in range(6) for count in trainer.learn()][20:]
    half = 1.96 * np.std(turns) / np.sqrt(len(turns))
    assert np.mean(turns) + half < 75
