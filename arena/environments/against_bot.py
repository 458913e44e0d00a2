"""Offers Gymnasium the whole game against a bot, which sits in the other seat."""

from collections.abc import Callable
from random import Random
from typing import Any, Literal

import numpy as np

from arena.bot import Bot
from arena.environments.shooter_env import ShooterEnv
from arena.environments.sight import SEATS, SEEDS, Cells, RenderMode, Sight, Stepped
from arena.errors import IllegalActionError
from arena.player import UNHURRIED, Fault, InProcessPlayer, News
from arena.protocol import End, Game, Limits
from arena.records import Termination
from arena.rules import (
    Place,
    Report,
    Rules,
    Seat,
    ShootRequest,
    apply,
    begin,
    draw,
    name_layout,
    other,
    view,
)


class AgainstBotEnv(ShooterEnv):
    """Shoot at the fleet of a bot, which shoots back.

    Actions, observations and ``info`` are those of ``SoloEnv``; the learner's own fleet is drawn by
    the arena. The reward is 1 for a game won, -1 for one lost, and 0 for a draw and until the end.
    A bot that fails or cheats loses, and ``info["fault"]`` says why.

    ``opponent`` makes the bot, once, which may remember from game to game. The learner sits in
    ``seat``, drawn for each game if that is "drawn"; other arguments are those of ``SoloEnv``.

    Raises:
        RulesError: If a board cannot show what the rules report.
        Fault: If the bot does not play these rules.
    """

    def __init__(
        self,
        opponent: Callable[[], Bot],
        rules: Rules | str = "salvo",
        seat: Seat | Literal["drawn"] = "drawn",
        render_mode: RenderMode = None,
    ) -> None:
        super().__init__(rules, render_mode)
        self.seat = seat
        self._player = InProcessPlayer(opponent, view(self.rules, places=True))
        self._player.start()
        self._report: Report | None = None
        self._incoming: list[tuple[int, ...]] = []
        self._fault: Fault | None = None

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
            self._player.stop()
            self._player.start()
        drawn = SEATS[int(self.np_random.integers(2))]
        self._own = drawn if self.seat == "drawn" else self.seat
        own = draw(self.rules, Random(int(self.np_random.integers(SEEDS))))
        self._sight = Sight(self.rules)
        self._report, self._incoming, self._fault = None, [], None
        self._state = begin(self.rules)
        theirs = view(self.rules, places=True)
        times = Limits(UNHURRIED.move_s, UNHURRIED.game_s, UNHURRIED.load_s)
        seed_of_bot = int(self.np_random.integers(SEEDS))
        self._player.begin(Game(theirs, other(self._own), seed_of_bot, solo=False, limits=times))
        for seat in SEATS:
            if seat == self._own:
                self._state = apply(self._state, Place(name_layout(self.rules, own)))
            else:
                self._let_the_bot_act()
        self._let_the_bot_act()
        return self._shown(), self._info()

    def step(self, action: np.int64 | int) -> Stepped:
        """Choose the next cell of the salvo; after its last one the bot shoots back.

        Raises:
            IllegalActionError: If that cell was chosen before, or there is none.
        """
        cells = self._fire(action)
        if cells is None:
            return self._sight.observation(), 0.0, False, False, self._info()
        self._incoming.append(cells)
        self._let_the_bot_act()
        if self._is_over():
            self._report_end()
        return self._shown(), self._reward(), self._is_over(), False, self._info()

    def close(self) -> None:
        """Stop the bot."""
        self._player.stop()

    def _is_over(self) -> bool:
        return self._fault is not None or super()._is_over()

    def _let_the_bot_act(self) -> None:
        """Ask the bot for as long as it is its turn; a fault or a cheat ends the game."""
        assert self._state is not None
        while not self._is_over() and (request := self._state.request) is not None:
            if request.seat == self._own:
                return
            news = News()
            if isinstance(request, ShootRequest):
                news = News(self._report, tuple(self._incoming))
                self._report, self._incoming = None, []
            try:
                self._state = apply(self._state, self._player.ask(request, news).action)
            except Fault as fault:
                self._fault = fault
                return
            except IllegalActionError as error:
                self._fault = Fault(Termination.ILLEGAL, str(error))
                return
            if isinstance(request, ShootRequest):
                assert self._state.salvo is not None
                self._report = self._state.salvo.report

    def _report_end(self) -> None:
        """Report the end to the bot; one that failed is made anew for the next game."""
        assert self._state is not None
        if self._fault is not None:
            self._player.stop()
            self._player.start()
            return
        result = self._state.result
        outcome: Literal["won", "lost"] = "lost" if result == self._own else "won"
        assert self._state.ending is not None
        self._player.end(
            End(
                result="drawn" if result == "draw" else outcome,
                termination=self._state.ending,
                reason="the game is over",
                report=self._report,
                incoming=tuple(self._incoming),
                opponent_layout=self._reported_layout(),
            )
        )

    def _reported_layout(self) -> dict[str, tuple[int, ...]] | None:
        """Return where the learner's ships lay, unless the fleet is to stay unknown."""
        assert self._state is not None
        waters = self._state.waters.of(self._own)
        if waters is None or not self.rules.fleet_known:
            return None
        named = name_layout(self.rules, waters.ships)
        return {name: tuple(cells) for name, cells in named.items()}

    def _reward(self) -> float:
        assert self._state is not None
        if self._fault is not None:
            return 1.0
        return {None: 0.0, "draw": 0.0, self._own: 1.0}.get(self._state.result, -1.0)

    def _info(self) -> dict[str, Any]:
        info = super()._info()
        return info if self._fault is None else info | {"fault": self._fault.reason}
