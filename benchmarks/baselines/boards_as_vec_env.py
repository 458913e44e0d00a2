"""Lets Stable-Baselines3 train on ``BatchedSoloEnv``, whose games are numpy arrays.

Its own vector environments step one Gymnasium environment after another, which takes most of the
time of a training.
"""

from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from arena.environments import BatchedSoloEnv


class BoardsAsVecEnv(VecEnv):
    """The games of a ``BatchedSoloEnv``, made with its default ``autoreset_mode``, SAME_STEP.

    Attributes:
        boards: The games.
    """

    def __init__(self, boards: BatchedSoloEnv) -> None:
        self.boards = boards
        super().__init__(
            boards.num_envs, boards.single_observation_space, boards.single_action_space
        )

    def reset(self) -> Any:  # noqa: ANN401 - an array, or a dictionary of them
        """Begin all games; what is drawn derives from the seed of ``seed``, if that was called."""
        seen, _ = self.boards.reset(seed=self._seeds[0])
        self._reset_seeds()
        return seen

    def step_async(self, actions: Any) -> None:  # noqa: ANN401 - as SB3 has it
        """Note the actions that ``step_wait`` takes."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Take a step in each game; those that end begin anew."""
        seen, rewards, terminated, truncated, info = self.boards.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(ended):
            infos[game] = {
                "terminal_observation": info["final_obs"][game],
                "TimeLimit.truncated": bool(truncated[game] and not terminated[game]),
            }
        return seen, rewards, ended, infos

    def close(self) -> None:
        """Do nothing: there is nothing to end."""

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **more: Any) -> Any:  # noqa: ANN401
        """Call a method that returns something of each game, as ``action_masks``."""
        each = getattr(self.boards, method_name)(*args, **more)
        return [each[game] for game in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:  # noqa: ANN401
        """Return an attribute of all games, once for each."""
        return [getattr(self.boards, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:  # noqa: ANN401
        """Set an attribute of all games."""
        del indices
        setattr(self.boards, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ANN401
        """Return that no game is wrapped."""
        del wrapper_class
        return [False for _ in self._get_indices(indices)]
