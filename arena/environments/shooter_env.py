"""Holds what the Gymnasium environments share: one seat that shoots, and what it sees."""

import sys
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.environments.sight import (
    SEATS,
    Cells,
    RenderMode,
    Sight,
    draw_board,
    rules_to_learn,
    sight_space,
)
from arena.errors import IllegalActionError
from arena.rules import CellsReport, Rules, Seat, Shoot, ShootRequest, State, apply


class ShooterEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A seat that shoots, cell by cell, at a board of which it sees what was reported.

    Args:
        rules: The rules, or the name of a preset.
        render_mode: "ansi" returns the board as text, "human" writes it to standard output.

    Raises:
        RulesError: If a board cannot show what the rules report.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(self, rules: Rules | str, render_mode: RenderMode) -> None:
        self.rules = rules_to_learn(rules)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[dict[str, Any]] = sight_space(self.rules)
        self.action_space = spaces.Discrete(self.rules.cells)
        self._own: Seat = "first"
        self._state: State | None = None
        self._sight = Sight(self.rules)

    def render(self) -> str | None:
        """Return what is known of the board as text, where ``render_mode`` is "ansi"."""
        return draw_board(self._sight.board) if self.render_mode == "ansi" else None

    def _fire(self, action: np.int64 | int) -> tuple[int, ...] | None:
        """Choose the next cell; fire the salvo and return it if it is complete, else None."""
        state = self._state
        assert state is not None, "reset it first"
        request = state.request
        if self._is_over() or not isinstance(request, ShootRequest):
            raise IllegalActionError("the game is over; reset the environment")
        if not self.action_space.contains(action) or not self._sight.untried(action):
            raise IllegalActionError(f"cell {action} is no untried cell of the board")
        cells = (*self._sight.chosen, int(action))
        if len(cells) < request.shots:
            self._sight.choose(int(action))
            return None
        self._state = after = apply(state, Shoot(cells))
        assert after.salvo is not None
        assert isinstance(after.salvo.report, CellsReport)
        self._sight.hear(cells, after.salvo.report)
        return cells

    def _is_over(self) -> bool:
        assert self._state is not None
        return self._state.request is None

    def _shown(self) -> dict[str, Cells]:
        """Return what is known, written out for a person where ``render_mode`` is "human"."""
        if self.render_mode == "human":
            sys.stdout.write(f"{draw_board(self._sight.board)}\n")
        return self._sight.observation()

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        request = self._state.request
        due = request.shots if isinstance(request, ShootRequest) and not self._is_over() else 0
        return {
            "action_mask": self._sight.mask(),
            "turns": self._state.turns[SEATS.index(self._own)],
            "shots_left": due - len(self._sight.chosen),
        }
