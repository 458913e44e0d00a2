"""Offers Gymnasium one shooter alone against layouts of the arena."""

from random import Random
from typing import Any

import numpy as np

from arena.environments.shooter_env import ShooterEnv
from arena.environments.sight import SEEDS, Cells, RenderMode, Sight, Stepped
from arena.errors import IllegalActionError, UserError
from arena.rules import Layout, NamedLayout, Rules, begin_solo, check_layout, draw


class SoloEnv(ShooterEnv):
    """Shoot at a fleet until it is sunk, in as few turns as possible.

    An action is a cell, row by row from 0. Where a turn has several shots they are chosen one
    after another, and their hits are reported after the last. The reward is -1 when a turn ends, so
    that the return of an episode is minus the turns it took. Observations are what was reported,
    see ``arena.environments.sight``: ``board``, rows x columns of UNTRIED, CHOSEN, MISS, HIT and
    SANK, and ``sunk`` where sinkings are reported. ``info`` has ``action_mask``, 1 for each cell
    that may be shot, ``turns`` begun, and ``shots_left`` of this turn.

    Raises:
        RulesError: If a board cannot show what the rules report.
    """

    def __init__(self, rules: Rules | str = "classic", render_mode: RenderMode = None) -> None:
        super().__init__(rules, render_mode)

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

        The layout is that of the option ``layout``, the cells of each ship by its name, or else
        drawn.

        Raises:
            UserError: If the rules forbid that layout.
        """
        super().reset(seed=seed)
        named: NamedLayout | None = (options or {}).get("layout")
        if named is None:
            layout = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        else:
            try:
                layout = check_layout(self.rules, named)
            except IllegalActionError as error:
                raise UserError(f"options, layout: {error}") from error
        self._state = begin_solo(self.rules, layout)
        self._sight = Sight(self.rules)
        return self._shown(), self._info()

    def step(self, action: np.int64 | int) -> Stepped:
        """Choose the next cell of the salvo.

        Raises:
            IllegalActionError: If that cell was chosen before, or there is none; ``action_mask``
                says which may be.
        """
        if self._fire(action) is None:
            return self._sight.observation(), 0.0, False, False, self._info()
        return self._shown(), -1.0, self._is_over(), False, self._info()
