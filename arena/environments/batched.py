"""Offers Gymnasium thousands of solo games in one process, as numpy arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from arena.environments.action_checks import (
    IllegalShot,
    checked_actions,
    checked_illegal,
    checked_options,
)
from arena.environments.board_pictures import paint_board
from arena.environments.layout_batches import ships_on_cells
from arena.environments.observation_forms import ObservationForm, Showing, Shown
from arena.environments.sight import Cells, RenderMode, draw_board, rules_to_learn, sight_space
from arena.environments.solo_boards import Flags, Numbers, SoloBoards
from arena.environments.solo_env import layout_given
from arena.errors import IllegalActionError, UserError
from arena.rules import Rules

Rewards = NDArray[np.float64]
Info = dict[str, Any]


class BatchedSoloEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """So many solo games side by side, each step one cell for each; see ``SoloEnv``.

    What follows the end of a game is said by ``autoreset_mode``, one of Gymnasium's or its value as
    text. SAME_STEP, the default: the game is replaced within the same step, the observation is the
    new game's first, and ``info["final_obs"]`` and ``info["final_info"]`` have the last of the old
    one; no row of an episode is without meaning. NEXT_STEP: the last observation is returned, and
    the step after it begins a new game, whatever its action, for a reward of 0. DISABLED: ``reset``
    with the option ``reset_mask`` begins new games.

    A game is cut off after ``max_episode_steps`` steps, if that is given. ``boards`` has the games
    themselves, with what a player does not see. Other arguments are those of ``SoloEnv``;
    ``render`` returns a tuple, one text or picture a game.

    Raises:
        RulesError: If a board cannot show what the rules report.
        UserError: If an argument has a value that there is not.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(  # noqa: PLR0913, PLR0917 - ``gymnasium.make_vec`` has one place for them
        self,
        num_envs: int = 1,
        rules: Rules | str = "classic",
        render_mode: RenderMode = None,
        observations: ObservationForm = "dict",
        illegal: IllegalShot = "raise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        max_episode_steps: int | None = None,
    ) -> None:
        if max_episode_steps is not None and max_episode_steps < 1:
            raise UserError(f"max_episode_steps is {max_episode_steps}; give 1 or more, or None")
        self.num_envs = num_envs
        self.rules = rules_to_learn(rules)
        self.render_mode = render_mode
        self._mode = _mode_of(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._illegal = checked_illegal(illegal)
        self._most_steps = max_episode_steps
        self._showing = Showing(sight_space(self.rules), observations)
        self.single_observation_space = self._showing.space
        self.single_action_space = spaces.Discrete(self.rules.cells)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.boards = SoloBoards(self.rules, num_envs, self.np_random)
        self._every = np.arange(num_envs)
        self._steps: Numbers = np.zeros(num_envs, dtype=np.int64)
        self._over: Flags = np.zeros(num_envs, dtype=np.bool_)
        self._cut: Flags = np.zeros(num_envs, dtype=np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, Info]:
        """Begin all games anew, or those of the option ``reset_mask``, one flag a game.

        The option ``layout`` has the cells of each ship by its name, for all games that begin, or a
        list with one such layout a game, or None where it is to be drawn.

        Raises:
            UserError: If an option is not as said, or there is another one.
        """
        given = checked_options(options, ["layout", "reset_mask"])
        begun = self._begun(given.get("reset_mask"))
        layouts = self._layouts(given.get("layout"), begun)
        super().reset(seed=seed)
        if seed is not None:
            self.boards.draw_from(self.np_random)
        drawn = np.setdiff1d(begun, list(layouts))
        self._begin(drawn)
        if layouts:
            self._begin(np.array(list(layouts)), np.stack(list(layouts.values())))
        return self._observation(), self._info()

    def step(self, actions: ArrayLike) -> tuple[Any, Rewards, Flags, Flags, Info]:
        """Choose the next cell of the salvo in each game.

        Raises:
            IllegalActionError: If there is not one such cell for each game, one was chosen before
                and that is to be an error, or a game is over that only ``reset`` begins anew.
        """
        cells = checked_actions(actions, self.num_envs, self.rules.cells)
        begins = self._over | self._cut
        if self._mode is AutoresetMode.DISABLED and begins.any():
            game = int(begins.argmax())
            raise IllegalActionError(
                f'game {game} is over; reset it with options={{"reset_mask": ...}}, or use another '
                "autoreset_mode"
            )
        illegal = np.zeros(self.num_envs, dtype=np.bool_)
        if self._illegal != "raise":
            illegal = (self.boards.untried[self._every, cells] == 0) & ~begins
        idle = begins | illegal
        fired, terminated = self.boards.choose(cells, ~idle if idle.any() else None)
        rewards = -fired.astype(np.float64)
        self._punish(illegal, rewards, terminated)
        self._steps += ~begins
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        if self._most_steps is not None:
            truncated = (self._steps >= self._most_steps) & ~begins
        self._begin(np.flatnonzero(begins))
        self._over, self._cut = terminated.copy(), truncated.copy()
        ended = terminated | truncated
        last: Info = {}
        if self._mode is AutoresetMode.SAME_STEP and ended.any():
            last = self._last(ended)
            self._begin(np.flatnonzero(ended))
        return self._observation(), rewards, terminated, truncated, self._info() | last

    def action_masks(self) -> Flags:
        """Return which cells may be shot, games x cells; all of a game that is over."""
        return self._mask().astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture of each game, as ``render_mode`` has it."""
        draw = {"ansi": draw_board, "rgb_array": paint_board}.get(self.render_mode or "")
        if draw is None:
            return None
        return tuple(draw(board) for board in self._seen()["board"])

    def _begin(self, games: Numbers, ships: Cells | None = None) -> None:
        if games.size:
            self.boards.begin(games, ships)
            self._steps[games] = 0
            self._over[games] = self._cut[games] = False

    def _begun(self, mask: object) -> Numbers:
        if mask is None:
            return self._every
        if (
            not isinstance(mask, np.ndarray)
            or mask.dtype != np.bool_
            or mask.shape != (self.num_envs,)
            or not mask.any()
        ):
            raise UserError(
                "options, reset_mask: give an array of one flag for each of "
                f"{self.num_envs} games, one of them True at least"
            )
        return np.flatnonzero(mask)

    def _layouts(self, given: object, begun: Numbers) -> dict[int, Cells]:
        """Return which ship lies on each cell, by the game, of those whose layouts are given."""
        each = [given] * self.num_envs if given is None or isinstance(given, Mapping) else given
        if not isinstance(each, Sequence) or len(each) != self.num_envs:
            raise UserError(
                f"options, layout: give one, or a list of {self.num_envs}, one for each game"
            )
        return {
            game: ships_on_cells(self.rules, layout_given(self.rules, each[game]))
            for game in begun.tolist()
            if each[game] is not None
        }

    def _punish(self, illegal: Flags, rewards: Rewards, terminated: Flags) -> None:
        if self._illegal == "end":
            rewards[illegal] = -self.boards.untried[illegal].sum(axis=1, dtype=np.float64)
            terminated |= illegal
        else:
            rewards[illegal] = -1.0
            self.boards.turns[illegal] += 1

    def _seen(self, games: Numbers | None = None) -> dict[str, Cells]:
        """Return a copy of what is known in some games, or in all."""
        board, sunk = (
            # Copied whole several times as fast as row by row.
            array.copy() if games is None else array[games]
            for array in (self.boards.seen, self.boards.sunk)
        )
        seen = {"board": board.reshape(len(board), self.rules.rows, self.rules.columns)}
        return seen | {"sunk": sunk} if sunk.shape[1] else seen

    def _observation(self) -> Shown:
        return self._showing(self._seen())

    def _mask(self) -> Cells:
        mask = self.boards.untried.copy()
        mask[self._over] = 1
        return mask

    def _info(self) -> Info:
        info = {
            "action_mask": self._mask(),
            "turns": self.boards.turns.copy(),
            "shots_left": np.where(self._over, 0, self.boards.shots_left),
        }
        every = np.ones(self.num_envs, dtype=np.bool_)
        return info | {f"_{name}": every for name in info}

    def _last(self, ended: Flags) -> Info:
        """Return the last observations and the last ``info`` of the games that have ended."""
        games = np.flatnonzero(ended)
        observations = np.full(self.num_envs, None, dtype=object)
        shown = self._showing(self._seen(games))
        for row, game in enumerate(games):
            observations[game] = (
                shown[row]
                if isinstance(shown, np.ndarray)
                else {name: array[row] for name, array in shown.items()}
            )
        info: Info = {}
        for name, values in self._info().items():
            if not name.startswith("_"):
                info[name] = np.zeros_like(values)
                info[name][games] = values[games]
        return {
            "final_obs": observations,
            "_final_obs": ended,
            "final_info": info | {f"_{name}": ended for name in info},
            "_final_info": ended,
        }


def _mode_of(given: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(given)
    except ValueError:
        modes = ", ".join(mode.value for mode in AutoresetMode)
        raise UserError(f"autoreset_mode is {given!r}; choose one of {modes}") from None
