"""Holds what the Gymnasium environments share: one seat that shoots, and what it sees."""

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.environments.action_checks import checked_action, checked_illegal
from arena.environments.board_pictures import Picture, paint_board
from arena.environments.observation_forms import ObservationForm, Showing, Shown
from arena.environments.sight import SEATS, Cells, RenderMode, Sight, draw_board, rules_to_learn
from arena.environments.solo_boards import Flags
from arena.errors import IllegalActionError
from arena.rules import CellsReport, Rules, Seat, Shoot, ShootRequest, State, apply

Stepped = tuple[Shown, float, bool, bool, dict[str, Any]]
"""An observation, the reward, whether the game is over, whether it was cut off, and ``info``."""


class ShooterEnv(gymnasium.Env[Any, np.int64]):
    """A seat that shoots, cell by cell, at a board of which it sees what was reported.

    Args:
        rules: The rules, or the name of a preset.
        render_mode: "ansi" returns the board as text, "human" writes it to standard output,
            "rgb_array" returns a picture.
        observations: "dict", "planes" or "flat"; see ``arena.environments.observation_forms``.
        illegal: What it does to choose a cell that was chosen before.

    Raises:
        RulesError: If a board cannot show what the rules report.
        UserError: If there is no such form of observations, or no such ``illegal``.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "human", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: Rules | str,
        render_mode: RenderMode,
        observations: ObservationForm,
        illegal: str,
    ) -> None:
        self.rules = rules_to_learn(rules)
        self.render_mode = render_mode
        self._showing = Showing(self._seen_space(), observations)
        self.observation_space = self._showing.space
        self.action_space = spaces.Discrete(self.rules.cells)
        self._illegal = checked_illegal(illegal)
        self._own: Seat = "first"
        self._state: State | None = None
        self._begin()

    def action_masks(self) -> Flags:
        """Return which cells may be shot, as sb3-contrib's ``MaskablePPO`` asks for it.

        When the game is over all may, although none is shot any more.
        """
        return self._mask().astype(np.bool_)

    def render(self) -> Any:  # noqa: ANN401 - as the mode has it
        """Return what is known as text where ``render_mode`` is "ansi", "rgb_array" a picture."""
        if self.render_mode == "ansi":
            return draw_board(self._sight.board)
        return self._picture() if self.render_mode == "rgb_array" else None

    def _seen_space(self) -> spaces.Dict:
        raise NotImplementedError

    def _seen(self) -> dict[str, Cells]:
        return self._sight.observation()

    def _picture(self) -> Picture:
        return paint_board(self._sight.board)

    def _begin(self) -> None:
        """Forget the game before."""
        self._sight = Sight(self.rules)
        self._forfeited = False

    def _choice(self, action: object) -> int:
        """Return the cell that an action chooses."""
        if self._state is None:
            raise IllegalActionError("the game has not begun; reset the environment first")
        if self._is_over():
            raise IllegalActionError("the game is over; reset the environment")
        return checked_action(action, self.rules.cells)

    def _is_allowed(self, cell: int) -> bool:
        """Return whether a cell may be chosen; note what comes of it if it may not.

        Raises:
            IllegalActionError: If it may not, and that is to be an error.
        """
        if self._sight.untried(cell):
            return True
        if self._illegal == "raise":
            raise IllegalActionError(f"cell {cell} is no untried cell of the board")
        self._forfeited = self._illegal == "end"
        return False

    def _fire(self, cell: int) -> tuple[int, ...] | None:
        """Choose the next cell; fire the salvo and return it if it is complete, else None."""
        assert self._state is not None
        request = self._state.request
        assert isinstance(request, ShootRequest)
        cells = (*self._sight.chosen, cell)
        if len(cells) < request.shots:
            self._sight.choose(cell)
            return None
        self._state = after = apply(self._state, Shoot(cells))
        assert after.salvo is not None
        assert isinstance(after.salvo.report, CellsReport)
        self._sight.hear(cells, after.salvo.report)
        return cells

    def _is_over(self) -> bool:
        assert self._state is not None
        return self._forfeited or self._state.request is None

    def _shown(self) -> Shown:
        """Return what is known, written out for a person where ``render_mode`` is "human"."""
        if self.render_mode == "human":
            sys.stdout.write(f"{draw_board(self._sight.board)}\n")
        return self._showing(self._seen())

    def _mask(self) -> Cells:
        mask = self._sight.mask()
        return np.ones_like(mask) if self._state is not None and self._is_over() else mask

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        request = self._state.request
        due = request.shots if isinstance(request, ShootRequest) and not self._is_over() else 0
        return {
            "action_mask": self._mask(),
            "turns": self._state.turns[SEATS.index(self._own)],
            "shots_left": max(due - len(self._sight.chosen), 0),
        }
