"""A Gymnasium environment: one shooter alone against layouts of the arena."""

import sys
from random import Random
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.environments.sight import Cells, Sight, draw_board, rules_to_learn, sight_space
from arena.errors import IllegalActionError, UserError
from arena.rules import (
    CellsReport,
    Layout,
    NamedLayout,
    Rules,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin_solo,
    check_layout,
    draw,
)

SEEDS = 2**53


class SoloEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Shoot at a fleet until it is sunk, in as few turns as possible.

    An action is a cell, row by row from 0. Where a turn has several shots they are chosen one
    after another, and what they hit is told after the last. The reward is -1 when a turn ends, so
    that the return of an episode is minus the turns it took. Observations are what was told, see
    ``arena.environments.sight``: ``board``, rows x columns of UNTRIED, CHOSEN, MISS, HIT and SANK,
    and ``sunk`` where sinkings are told. ``info`` has ``action_mask``, 1 for each cell that may be
    shot, ``turns`` begun, and ``shots_left`` of this turn.

    Args:
        rules: The rules, or the name of a preset.
        render_mode: "ansi" returns the board as text, "human" writes it to standard output.

    Raises:
        RulesError: If a board cannot show what the rules tell.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        rules: Rules | str = "classic",
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        self.rules = rules_to_learn(rules)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[dict[str, Any]] = sight_space(self.rules)
        self.action_space = spaces.Discrete(self.rules.cells)
        self._state: State | None = None
        self._sight = Sight(self.rules)

    @property
    def layout(self) -> Layout:
        """Return where the ships lie, one mask a ship: for a critic, not for the policy."""
        assert self._state is not None, "reset it first"
        assert self._state.waters.second is not None
        return self._state.waters.second.ships

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Cells], dict[str, Any]]:
        """Begin a game.

        Args:
            seed: What the layouts of this game and the following derive from.
            options: ``layout``, the cells of each ship by its name, in place of one drawn.

        Raises:
            UserError: If the rules forbid that layout.
        """
        super().reset(seed=seed)
        layout = layout_from(self.rules, options)
        if layout is None:
            layout = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        self._state = begin_solo(self.rules, layout)
        self._sight = Sight(self.rules)
        self._show()
        return self._sight.observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, Cells], float, bool, bool, dict[str, Any]]:
        """Choose the next cell of the salvo.

        Raises:
            IllegalActionError: If that cell was chosen before, or there is none; ``action_mask``
                says which may be.
        """
        state = self._state
        assert state is not None, "reset it first"
        request = state.request
        if not isinstance(request, ShootRequest):
            raise IllegalActionError("the game is over; reset the environment")
        cells = (*self._sight.chosen, int(action))
        if len(cells) < request.shots:
            if not self.action_space.contains(action) or not self._sight.mask()[action]:
                raise IllegalActionError(f"cell {action} is no untried cell of the board")
            self._sight.choose(int(action))
            return self._sight.observation(), 0.0, False, False, self._info()
        self._state = after = apply(state, Shoot(cells))
        assert after.salvo is not None
        assert isinstance(after.salvo.report, CellsReport)
        self._sight.hear(cells, after.salvo.report)
        self._show()
        return self._sight.observation(), -1.0, after.request is None, False, self._info()

    def render(self) -> str | None:
        """Return what is known of the board as text, where ``render_mode`` is "ansi"."""
        return draw_board(self._sight.board) if self.render_mode == "ansi" else None

    def _show(self) -> None:
        if self.render_mode == "human":
            sys.stdout.write(f"{draw_board(self._sight.board)}\n")

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        request = self._state.request
        due = request.shots if isinstance(request, ShootRequest) else 0
        return {
            "action_mask": self._sight.mask(),
            "turns": self._state.turns[0],
            "shots_left": due - len(self._sight.chosen),
        }


def layout_from(rules: Rules, options: dict[str, Any] | None) -> Layout | None:
    """Return the layout that the options of a reset name, or None.

    Raises:
        UserError: If the rules forbid it.
    """
    named: NamedLayout | None = (options or {}).get("layout")
    if named is None:
        return None
    try:
        return check_layout(rules, named)
    except IllegalActionError as error:
        raise UserError(f"options, layout: {error}") from error
