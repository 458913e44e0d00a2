"""Offers Gymnasium the whole game against a bot, which sits in the other seat."""

from random import Random
from typing import Any, Literal

import numpy as np

from arena.environments.bot_seat import BotSeat, Opponent
from arena.environments.shooter_env import ShooterEnv
from arena.environments.sight import SEATS, SEEDS, Cells, RenderMode, Sight, Stepped
from arena.isolation import AUTO
from arena.rules import Place, Rules, Seat, apply, begin, draw, name_layout, other


class AgainstBotEnv(ShooterEnv):
    """Shoot at the fleet of a bot, which shoots back.

    Actions, observations and ``info`` are those of ``SoloEnv``; the learner's own fleet is drawn by
    the arena. The reward is 1 for a game won, -1 for one lost, and 0 for a draw and until the end.
    A bot that fails or cheats loses: that is warned of in one line, and ``info["fault"]`` says why.
    If the machine may be to blame, the game is truncated, with no reward.

    ``opponent`` makes the bot, once, which may remember from game to game. It is a class of this
    process; or a file, folder or command, as ``"node bot.js"``, which plays in a process of its own
    at the level ``isolation``, the strongest that holds here if "auto", from a copy of its files.
    ``close`` ends it. The learner sits in ``seat``, drawn for each game if that is "drawn"; other
    arguments are those of ``SoloEnv``.

    Raises:
        RulesError: If a board cannot show what the rules report.
        BotError: If a program does not start, or does not play these rules.
        Fault: The same of a class.
        UserError: If the level of isolation is none, or does not hold here.
    """

    def __init__(
        self,
        opponent: Opponent,
        rules: Rules | str = "salvo",
        seat: Seat | Literal["drawn"] = "drawn",
        render_mode: RenderMode = None,
        isolation: str = AUTO,
    ) -> None:
        super().__init__(rules, render_mode)
        self.seat = seat
        self._bot = BotSeat(opponent, self.rules, isolation)
        self._ended = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Cells], dict[str, Any]]:
        """Begin a game.

        Seats, layouts and the bot's seeds derive from ``seed``, in this game and the following. The
        bot is made anew then, since it may have learned from earlier games.
        """
        super().reset(seed=seed)
        del options
        if seed is not None:
            self._bot.renew()
        drawn = SEATS[int(self.np_random.integers(2))]
        self._own = drawn if self.seat == "drawn" else self.seat
        own = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        self._sight = Sight(self.rules)
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
            IllegalActionError: If that cell was chosen before, or there is none.
        """
        if self._bot.fault is not None and not self._ended:
            return self._outcome()  # it failed before the first salvo
        cells = self._fire(action)
        if cells is None:
            return self._sight.observation(), 0.0, False, False, self._info()
        assert self._state is not None
        self._bot.hear(cells)
        self._state = self._bot.act(self._state)
        return self._outcome()

    def close(self) -> None:
        """End the bot."""
        self._bot.close()

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
        info = super()._info()
        return info if self._bot.fault is None else info | {"fault": self._bot.fault.reason}
