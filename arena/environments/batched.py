"""Offers Gymnasium thousands of solo games in one process, as numpy arrays."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from arena.environments.sight import Cells, rules_to_learn, sight_space
from arena.environments.solo_boards import Flags, Numbers, SoloBoards
from arena.rules import Rules

Rewards = NDArray[np.float64]


class BatchedSoloEnv(gymnasium.vector.VectorEnv[dict[str, Cells], Any, Any]):
    """So many solo games side by side, each step one cell for each; see ``SoloEnv``.

    A game that ends is replaced within the same step: the observation is the new game's first,
    and ``info["final_obs"]`` has the last of the old one, with ``info["final_info"]["turns"]``.
    So no row of an episode is without meaning, as there is with Gymnasium's default.

    ``boards`` has the games themselves, with what a player does not see.

    Raises:
        RulesError: If a board cannot show what the rules report.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(self, num_envs: int = 1, rules: Rules | str = "classic") -> None:
        self.num_envs = num_envs
        self.rules = rules_to_learn(rules)
        self.render_mode = None
        self.single_observation_space = sight_space(self.rules)
        self.single_action_space = spaces.Discrete(self.rules.cells)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.boards = SoloBoards(self.rules, num_envs, self.np_random)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Cells], dict[str, Any]]:
        """Begin all games anew."""
        super().reset(seed=seed, options=options)
        if seed is None:
            self.boards.begin(np.arange(self.num_envs))
        else:
            self.boards = SoloBoards(self.rules, self.num_envs, self.np_random)
        return self._observation(), self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[dict[str, Cells], Rewards, Flags, Flags, dict[str, Any]]:
        """Choose the next cell of the salvo in each game.

        Raises:
            IllegalActionError: If a cell was chosen before, or there is none.
        """
        fired, over = self.boards.choose(np.asarray(actions, dtype=np.int64))
        ended = np.flatnonzero(over)
        last: dict[str, Any] = {}
        if ended.size:
            last = self._last(over, ended)
            self.boards.begin(ended)
        rewards = -fired.astype(np.float64)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        return self._observation(), rewards, over, truncated, self._info() | last

    def _observation(self) -> dict[str, Cells]:
        boards = self.boards
        shape = (self.num_envs, self.rules.rows, self.rules.columns)
        seen = {"board": boards.seen.reshape(shape).copy()}
        return seen | {"sunk": boards.sunk.copy()} if boards.sunk.shape[1] else seen

    def _info(self) -> dict[str, Any]:
        info = {
            "action_mask": self.boards.untried.copy(),
            "turns": self.boards.turns.copy(),
            "shots_left": self.boards.shots_left,
        }
        every = np.ones(self.num_envs, dtype=np.bool_)
        return info | {f"_{name}": every for name in info}

    def _last(self, over: Flags, ended: Numbers) -> dict[str, Any]:
        """Return the last observation and the turns of the games that have ended."""
        observations = np.full(self.num_envs, None, dtype=object)
        shape = (len(ended), self.rules.rows, self.rules.columns)
        boards, sunk = self.boards.seen[ended].reshape(shape), self.boards.sunk[ended]
        for row, game in enumerate(ended):
            seen = {"board": boards[row]}
            observations[game] = seen | {"sunk": sunk[row]} if sunk.shape[1] else seen
        return {
            "final_obs": observations,
            "_final_obs": over,
            "final_info": {"turns": np.where(over, self.boards.turns, 0), "_turns": over},
            "_final_info": over,
        }
