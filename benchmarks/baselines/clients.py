"""Trains agents of Stable-Baselines3 and sb3-contrib."""

import importlib
from bisect import bisect_left
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from salvo.benchmark.agents import Agent, agent_named
from salvo.benchmark.tasks import Task
from salvo.bundled import bot_class

CLIENTS = {"PPO": "stable_baselines3", "DQN": "stable_baselines3", "MaskablePPO": "sb3_contrib"}
"""The package of each algorithm."""

OPPONENT = "hunt_parity"
"""Against whom an agent is trained for the task for two."""

BUDGETS = (100_000, 1_000_000)
"""The most shots of a training with the first settings, and with the second."""

SIDE_BY_SIDE = (16, 128, 512)
"""Games that are played at once, with each of the settings."""

_PPO = (
    {"n_steps": 128, "batch_size": 512, "learning_rate": 1e-3},
    {"n_steps": 128, "batch_size": 2048, "learning_rate": 1e-3},
    {"n_steps": 64, "batch_size": 8192, "learning_rate": 1e-3, "n_epochs": 4},
)
_DQN = {
    "train_freq": 1,
    "gradient_steps": 2,
    "learning_starts": 1_000,
    "learning_rate": 1e-3,
    "buffer_size": 100_000,
    "target_update_interval": 2_000,
    "exploration_fraction": 0.3,
}

SETTINGS: dict[str, Sequence[dict[str, Any]]] = {
    "PPO": _PPO,
    "MaskablePPO": _PPO,
    "DQN": [_DQN | {"batch_size": size} for size in (128, 512, 2048)],
}
"""The settings that differ from Stable-Baselines3's defaults, to suit as many games at once."""


def trained_client(name: str, task: Task, shots: int, seed: int, folder: Path) -> Agent | None:
    """Return an agent that was trained for so many shots; None if its package is missing."""
    if find_spec("sb3_contrib") is None:
        return None
    file = folder / "model.zip"
    if not file.exists():
        model = _learnt(name, task, shots, seed)
        folder.mkdir(parents=True, exist_ok=True)
        fresh = folder / "fresh.zip"
        model.save(fresh)
        fresh.replace(file)
    return agent_named(f"{name}={name}:{file}")


def _learnt(name: str, task: Task, shots: int, seed: int) -> Any:  # noqa: ANN401 - it has no types
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    # Checks of distributions take time, and refuse shares whose sum rounding takes away from 1.
    torch.distributions.Distribution.set_default_validate_args(False)
    scale = bisect_left(BUDGETS, shots)
    games = (_duels if task.opponents else _boards)(name, task, SIDE_BY_SIDE[scale])
    algorithm = getattr(importlib.import_module(CLIENTS[name]), name)
    model = algorithm("MlpPolicy", games, seed=seed, **SETTINGS[name][scale])
    model.learn(shots)
    games.close()
    return model


def _boards(name: str, task: Task, number: int) -> Any:  # noqa: ANN401 - likewise
    """Return games alone; without masks, a cell that was shot before costs a turn."""
    made: dict[str, Any] = {"rules": task.rules, "observations": "flat"}
    if name != "MaskablePPO":
        made |= {"illegal": "cost", "max_episode_steps": 2 * task.rules.cells}
    environments = importlib.import_module("arena.environments")
    adapter = importlib.import_module("benchmarks.baselines.boards_as_vec_env")
    return adapter.BoardsAsVecEnv(environments.BatchedSoloEnv(number, **made))


def _duels(name: str, task: Task, number: int) -> Any:  # noqa: ANN401 - likewise
    """Return games against a bot; without masks, a cell that was shot before loses the game."""
    made = {
        "opponent": bot_class(OPPONENT),
        "rules": task.rules,
        "observations": "flat",
        "illegal": "raise" if name == "MaskablePPO" else "end",
    }
    environments = importlib.import_module("arena.environments")
    make = importlib.import_module("stable_baselines3.common.env_util").make_vec_env
    return make(environments.AgainstBotEnv, n_envs=number, env_kwargs=made)
