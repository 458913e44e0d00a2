"""Offers Gymnasium one shooter alone against layouts of the arena."""

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces

from arena.environments.action_checks import IllegalShot, checked_options
from arena.environments.observation_forms import ObservationForm, Shown
from arena.environments.shooter_env import ShooterEnv, Stepped
from arena.environments.sight import SEEDS, RenderMode, sight_space
from arena.errors import IllegalActionError, UserError
from arena.rules import Layout, NamedLayout, Rules, begin_solo, check_layout, draw


class SoloEnv(ShooterEnv):
    """Shoot at a fleet until it is sunk, in as few turns as possible.

    An action is a cell, row by row from 0. Where a turn has several shots they are chosen one
    after another, and their hits are reported after the last. The reward is -1 when a turn ends, so
    that the return of an episode is minus the turns it took. Observations are what was reported,
    see ``arena.environments.sight``: ``board``, rows x columns of UNTRIED, CHOSEN, MISS, HIT and
    SANK, and ``sunk`` where sinkings are reported; or, by ``observations``, the same as "planes" or
    "flat". ``info`` has ``action_mask``, 1 for each cell that may be shot, ``turns`` begun, and
    ``shots_left`` of this turn.

    A cell that was chosen before is an error, unless ``illegal`` is "cost": then it wastes a turn,
    with its reward of -1, and nothing else changes; or "end": the game is over, with a reward as if
    every cell left had taken a turn, so that no game played on would have been worse.

    Raises:
        RulesError: If a board cannot show what the rules report.
        UserError: If there is no such form of observations, or no such ``illegal``.
    """

    def __init__(
        self,
        rules: Rules | str = "classic",
        render_mode: RenderMode = None,
        observations: ObservationForm = "dict",
        illegal: IllegalShot = "raise",
    ) -> None:
        super().__init__(rules, render_mode, observations, illegal)
        self._wasted: int

    @property
    def layout(self) -> Layout:
        """Return where the ships lie, one mask a ship: for a critic, not for the policy."""
        assert self._state is not None, "reset it first"
        assert self._state.waters.second is not None
        return self._state.waters.second.ships

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Begin a game.

        The layout is that of the option ``layout``, the cells of each ship by its name, or else
        drawn.

        Raises:
            UserError: If the rules forbid that layout, or there is another option.
        """
        super().reset(seed=seed)
        named = checked_options(options, ["layout"]).get("layout")
        if named is None:
            layout = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        else:
            layout = layout_given(self.rules, named)
        self._state = begin_solo(self.rules, layout)
        self._wasted = 0
        self._begin()
        return self._shown(), self._info()

    def step(self, action: np.int64 | int) -> Stepped:
        """Choose the next cell of the salvo.

        Raises:
            IllegalActionError: If there is no such cell, the game is over, or that cell was chosen
                before and that is to be an error; ``action_mask`` says which may be.
        """
        cell = self._choice(action)
        if not self._is_allowed(cell):
            self._wasted += not self._forfeited
            cost = self._sight.mask().sum() if self._forfeited else 1
            return self._shown(), -float(cost), self._forfeited, False, self._info()
        if self._fire(cell) is None:
            return self._showing(self._seen()), 0.0, False, False, self._info()
        return self._shown(), -1.0, self._is_over(), False, self._info()

    def _seen_space(self) -> spaces.Dict:
        return sight_space(self.rules)

    def _info(self) -> dict[str, Any]:
        info = super()._info()
        return info | {"turns": info["turns"] + self._wasted}


def layout_given(rules: Rules, named: NamedLayout) -> Layout:
    """Return the layout of the option ``layout``.

    Raises:
        UserError: If the rules forbid it.
    """
    try:
        return check_layout(rules, named)
    except IllegalActionError as error:
        raise UserError(f"options, layout: {error}") from error
