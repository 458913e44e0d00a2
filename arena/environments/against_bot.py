"""Offers Gymnasium the whole game against a bot, which sits in the other seat."""

from random import Random
from typing import Any, Literal

import numpy as np
from gymnasium import spaces

from arena.environments.action_checks import checked_illegal, checked_options
from arena.environments.board_pictures import Picture, paint_own, side_by_side
from arena.environments.bot_seat import BotPool, BotSeat, Opponents
from arena.environments.observation_forms import ObservationForm, Shown
from arena.environments.shooter_env import ShooterEnv, Stepped
from arena.environments.sight import SEATS, SEEDS, Cells, RenderMode, duel_space, own_sea
from arena.isolation import AUTO
from arena.rules import Place, Rules, Seat, apply, begin, draw, name_layout, other


class AgainstBotEnv(ShooterEnv):
    """Shoot at the fleet of a bot, which shoots back.

    Actions are those of ``SoloEnv``. Observations have its own board too, as those of ``DuelEnv``:
    ``own``, 1 where its ships lie, and ``incoming``, 1 for each cell shot at it. The learner's
    fleet is drawn by the arena. The reward is 1 for a game won, -1 for one lost, and 0 for a draw
    and until the end. With ``illegal`` "end", to choose a cell that was chosen before loses the
    game; it cannot cost a turn, since the rules know no turn without shots.

    ``info`` is that of ``SoloEnv``, and ``opponent`` has the name of the bot. A bot that fails or
    cheats loses: that is warned of in one line, and ``info["fault"]`` says why. If the machine may
    be to blame, the game is truncated, with no reward.

    ``opponent`` makes the bot, once, which may remember from game to game. It is the name of a
    bundled bot, as ``"hunt_target"``, or a class, and plays in this process; or a file, folder or
    command, as ``"node bot.js"``, which plays in a process of its own at the level ``isolation``,
    the strongest that holds here if "auto", from a copy of its files. Of a list of them one is
    drawn for each game. ``close`` ends them. The learner sits in ``seat``, drawn for each game if
    that is "drawn"; other arguments are those of ``SoloEnv``.

    Raises:
        RulesError: If a board cannot show what the rules report.
        BotError: If a program does not start, or does not play these rules.
        Fault: The same of a class.
        UserError: If the level of isolation is none, or does not hold here.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - ``gymnasium.make`` has one place for them
        self,
        opponent: Opponents,
        rules: Rules | str = "salvo",
        seat: Seat | Literal["drawn"] = "drawn",
        render_mode: RenderMode = None,
        isolation: str = AUTO,
        observations: ObservationForm = "dict",
        illegal: Literal["raise", "end"] = "raise",
    ) -> None:
        checked_illegal(illegal, ["raise", "end"])
        super().__init__(rules, render_mode, observations, illegal)
        self.seat = seat
        self._pool = BotPool(opponent, self.rules, isolation)
        self._bot: BotSeat
        self._ended: bool

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Shown, dict[str, Any]]:
        """Begin a game.

        Opponents, seats, layouts and the bot's seeds derive from ``seed``, in this game and the
        following. The bots are made anew then, since they may have learned from earlier games.

        Raises:
            UserError: If there are options: it has none.
        """
        super().reset(seed=seed)
        checked_options(options, [])
        if seed is not None:
            self._pool.renew()
        self._bot = self._pool.drawn(self.np_random)
        drawn = SEATS[int(self.np_random.integers(2))]
        self._own = drawn if self.seat == "drawn" else self.seat
        own = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        self._begin()
        self._ended = False
        self._state = begin(self.rules)
        self._bot.begin(other(self._own), int(self.np_random.integers(SEEDS)))
        for seat in SEATS:
            if seat == self._own:
                self._state = apply(self._state, Place(name_layout(self.rules, own)))
            else:
                self._state = self._bot.act(self._state)
        self._state = self._bot.act(self._state)
        return self._shown(), self._info()

    def step(self, action: np.int64 | int) -> Stepped:
        """Choose the next cell of the salvo; after its last one the bot shoots back.

        Raises:
            IllegalActionError: If there is no such cell, the game is over, or that cell was chosen
                before and that is to be an error.
        """
        if self._state is not None and self._bot.fault is not None and not self._ended:
            return self._outcome()  # it failed before the first salvo
        cell = self._choice(action)
        if not self._is_allowed(cell):
            self._ended = True
            return self._shown(), -1.0, True, False, self._info()
        cells = self._fire(cell)
        if cells is None:
            return self._showing(self._seen()), 0.0, False, False, self._info()
        assert self._state is not None
        self._bot.hear(cells)
        self._state = self._bot.act(self._state)
        return self._outcome()

    def close(self) -> None:
        """End the bots."""
        self._pool.close()

    def _seen_space(self) -> spaces.Dict:
        return duel_space(self.rules)

    def _seen(self) -> dict[str, Cells]:
        assert self._state is not None
        return super()._seen() | own_sea(self._state, self._own)

    def _picture(self) -> Picture:
        assert self._state is not None
        own = paint_own(**own_sea(self._state, self._own))
        return side_by_side(own, super()._picture())

    def _outcome(self) -> Stepped:
        assert self._state is not None
        self._ended = self._is_over()
        if self._ended:
            self._bot.end(self._state)
        void = self._bot.is_void
        return self._shown(), self._reward(), self._ended and not void, void, self._info()

    def _is_over(self) -> bool:
        return self._bot.fault is not None or super()._is_over()

    def _reward(self) -> float:
        assert self._state is not None
        if self._bot.fault is not None:
            return 0.0 if self._bot.is_void else 1.0
        return {None: 0.0, "draw": 0.0, self._own: 1.0}.get(self._state.result, -1.0)

    def _info(self) -> dict[str, Any]:
        info = super()._info() | {"opponent": self._bot.name}
        return info if self._bot.fault is None else info | {"fault": self._bot.fault.reason}
