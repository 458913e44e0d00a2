"""Stable-Baselines3 and sb3-contrib train on the environments as they are, with no adapter."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy as evaluate_masked
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

import arena.environments  # noqa: F401 - it registers them

OPTIMUM = 4.5
"""The least mean turns on a row of 10 with one ship of 3; random shots take 8.25."""

# The checker advises small networks to flatten what is no picture, and DQN warms up in silence.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def policy_for(form: str) -> str:
    return "MultiInputPolicy" if form == "dict" else "MlpPolicy"


@pytest.mark.parametrize("form", ["dict", "planes", "flat"])
def test_the_checker_finds_nothing(form: str) -> None:
    solo = {"rules": "salvo", "illegal": "cost", "max_episode_steps": 300}
    check_env(gymnasium.make("salvo/Solo-v0", observations=form, **solo))
    duel = {"opponent": "hunt_target", "illegal": "end"}
    check_env(gymnasium.make("salvo/Duel-v0", observations=form, **duel))


@pytest.mark.parametrize("form", ["dict", "planes", "flat"])
def test_maskable_ppo_learns_the_optimum_of_a_row(form: str) -> None:
    made = {"rules": "row-10-3", "observations": form}
    environment = make_vec_env("salvo/Solo-v0", n_envs=4, seed=1, env_kwargs=made)
    model = MaskablePPO(policy_for(form), environment, seed=1, n_steps=256)
    model.learn(20_000)
    reward, _ = evaluate_masked(model, environment, n_eval_episodes=200, warn=False)
    assert OPTIMUM - 0.5 < -float(np.mean(reward)) < 5.5


# By its defaults, for games of millions of steps, DQN learns this or not by chance of the seed.
QUICK = {
    "learning_rate": 1e-3,
    "exploration_fraction": 0.5,
    "target_update_interval": 500,
    "batch_size": 128,
}


@pytest.mark.parametrize(("algorithm", "settings"), [(PPO, {}), (DQN, QUICK)])
def test_agents_without_masks_learn_what_an_illegal_shot_costs(
    algorithm: type[PPO | DQN], settings: dict[str, Any]
) -> None:
    environment = gymnasium.make(
        "salvo/Solo-v0",
        rules="row-10-3",
        observations="flat",
        illegal="cost",
        max_episode_steps=40,
    )
    model = algorithm("MlpPolicy", environment, seed=1, **settings)
    before, _ = evaluate_policy(model, environment, n_eval_episodes=100, warn=False)
    model.learn(20_000)
    after, _ = evaluate_policy(model, environment, n_eval_episodes=100, warn=False)
    assert float(np.mean(after)) > float(np.mean(before)) / 2


def test_maskable_ppo_learns_against_a_pool_of_named_bots() -> None:
    environment = gymnasium.make(
        "salvo/Duel-v0",
        opponent=["uniform_random", "hunt_target"],
        rules="row-10-3",
        observations="flat",
    )
    model = MaskablePPO("MlpPolicy", environment, seed=1, n_steps=512)
    before, _ = evaluate_masked(model, environment, n_eval_episodes=100, warn=False)
    model.learn(15_000)
    after, _ = evaluate_masked(model, environment, n_eval_episodes=100, warn=False)
    assert after > before
