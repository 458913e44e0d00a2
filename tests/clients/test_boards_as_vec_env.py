"""The batched boards as Stable-Baselines3 steps them, on which the baselines are trained."""

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import DQN

from arena.environments import BatchedSoloEnv
from benchmarks.baselines.boards_as_vec_env import BoardsAsVecEnv


def test_masks_are_those_of_the_boards() -> None:
    games = BoardsAsVecEnv(BatchedSoloEnv(3, "row-10-3", observations="flat"))
    games.seed(1)
    games.reset()
    games.step(np.array([0, 4, 9]))
    assert is_masking_supported(games)
    masks = get_action_masks(games)
    assert masks.shape == (3, 10)
    assert [int(row.argmin()) for row in masks] == [0, 4, 9]


def test_the_same_seed_draws_the_same_games() -> None:
    games = [BoardsAsVecEnv(BatchedSoloEnv(50, "classic", observations="flat")) for _ in range(2)]
    shots = np.arange(50)
    seen = []
    for each in games:
        each.seed(7)
        each.reset()
        seen.append(each.step(shots)[0])
    assert (seen[0] == seen[1]).all()


def test_a_game_that_ends_has_its_last_observation_and_says_whether_it_was_cut_off() -> None:
    boards = BatchedSoloEnv(1, "row-10-3", illegal="cost", max_episode_steps=4)
    games = BoardsAsVecEnv(boards)
    (ship,) = boards.rules.fleet
    boards.reset(options={"layout": {ship.name: [0, 1, 2]}})
    for cell in (0, 1):
        assert not games.step(np.array([cell]))[2].any()
    _, _, ended, (info,) = games.step(np.array([2]))
    assert ended.all()
    assert not info["TimeLimit.truncated"]
    assert (info["terminal_observation"]["board"][0, :3] >= 3).all()
    boards.reset(options={"layout": {ship.name: [7, 8, 9]}})
    for cell in (0, 1, 2):
        games.step(np.array([cell]))
    _, _, ended, (info,) = games.step(np.array([2]))
    assert ended.all()
    assert info["TimeLimit.truncated"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_agent_without_masks_trains_on_them() -> None:
    boards = BatchedSoloEnv(
        4, "row-10-3", observations="flat", illegal="cost", max_episode_steps=20
    )
    model = DQN("MlpPolicy", BoardsAsVecEnv(boards), seed=1, learning_starts=40)
    assert model.learn(200).num_timesteps >= 200
