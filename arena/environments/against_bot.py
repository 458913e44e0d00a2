"""A Gymnasium environment: the whole game against a bot, which sits in the other seat."""

import sys
from collections.abc import Callable
from random import Random
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from arena.bot import Bot
from arena.environments.sight import Cells, Sight, draw_board, rules_to_learn, sight_space
from arena.errors import IllegalActionError
from arena.player import UNHURRIED, Fault, InProcessPlayer, News
from arena.protocol import End, Game, Limits
from arena.records import Termination
from arena.rules import (
    CellsReport,
    Place,
    Report,
    Rules,
    Seat,
    Shoot,
    ShootRequest,
    State,
    apply,
    begin,
    draw,
    name_layout,
    other,
    view,
)

SEEDS = 2**53
SEATS: tuple[Seat, Seat] = ("first", "second")


class AgainstBotEnv(gymnasium.Env[dict[str, Cells], np.int64]):
    """Shoot at the fleet of a bot, which shoots back.

    Actions, observations and ``info`` are those of ``SoloEnv``; the learner's own fleet is drawn by
    the arena. The reward is 1 for a game won, -1 for one lost, and 0 for a draw and until the end.
    A bot that fails or cheats loses, and ``info["fault"]`` says why.

    Args:
        opponent: Makes the bot; called once, and the bot may remember from game to game.
        rules: The rules, or the name of a preset.
        seat: The learner's seat; "drawn" draws it for each game.
        render_mode: "ansi" returns the board as text, "human" writes it to standard output.

    Raises:
        RulesError: If a board cannot show what the rules tell.
        Fault: If the bot does not play these rules.
    """

    # Declared as Gymnasium declares it.
    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        opponent: Callable[[], Bot],
        rules: Rules | str = "salvo",
        seat: Seat | Literal["drawn"] = "drawn",
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        self.rules = rules_to_learn(rules)
        self.seat = seat
        self.render_mode = render_mode
        self.observation_space: spaces.Space[dict[str, Any]] = sight_space(self.rules)
        self.action_space = spaces.Discrete(self.rules.cells)
        self._player = InProcessPlayer(opponent, view(self.rules, places=True))
        self._player.start()
        self._own: Seat = "first"
        self._state: State | None = None
        self._sight = Sight(self.rules)
        self._report: Report | None = None
        self._incoming: list[tuple[int, ...]] = []
        self._fault: Fault | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Cells], dict[str, Any]]:
        """Begin a game.

        Args:
            seed: What this game and the following derive from: seats, layouts, the bot's seeds. The
                bot is made anew then, since it may have learned from earlier games.
            options: None are known.
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
        self._show()
        return self._sight.observation(), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[dict[str, Cells], float, bool, bool, dict[str, Any]]:
        """Choose the next cell of the salvo; after its last one the bot shoots back.

        Raises:
            IllegalActionError: If that cell was chosen before, or there is none.
        """
        state = self._state
        assert state is not None, "reset it first"
        request = state.request
        if self._is_over() or not isinstance(request, ShootRequest):
            raise IllegalActionError("the game is over; reset the environment")
        cells = (*self._sight.chosen, int(action))
        if not self.action_space.contains(action) or not self._sight.mask()[action]:
            raise IllegalActionError(f"cell {action} is no untried cell of the board")
        if len(cells) < request.shots:
            self._sight.choose(int(action))
            return self._sight.observation(), 0.0, False, False, self._info()
        self._state = after = apply(state, Shoot(cells))
        assert after.salvo is not None
        assert isinstance(after.salvo.report, CellsReport)
        self._sight.hear(cells, after.salvo.report)
        self._incoming.append(cells)
        self._let_the_bot_act()
        self._show()
        if self._is_over():
            self._tell_the_end()
        return self._sight.observation(), self._reward(), self._is_over(), False, self._info()

    def render(self) -> str | None:
        """Return what is known of the bot's sea as text, where ``render_mode`` is "ansi"."""
        return draw_board(self._sight.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Let the bot go."""
        self._player.stop()

    def _is_over(self) -> bool:
        assert self._state is not None
        return self._fault is not None or self._state.request is None

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

    def _tell_the_end(self) -> None:
        """Tell the bot how the game ended; one that failed is made anew for the next."""
        assert self._state is not None
        if self._fault is not None:
            self._player.stop()
            self._player.start()
            return
        result = self._state.result
        told: Literal["won", "lost", "drawn"] = "lost" if result == self._own else "won"
        assert self._state.ending is not None
        self._player.end(
            End(
                result="drawn" if result == "draw" else told,
                termination=self._state.ending,
                reason="the game is over",
                report=self._report,
                incoming=tuple(self._incoming),
                opponent_layout=self._told_layout(),
            )
        )

    def _told_layout(self) -> dict[str, tuple[int, ...]] | None:
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

    def _show(self) -> None:
        if self.render_mode == "human":
            sys.stdout.write(f"{draw_board(self._sight.board)}\n")

    def _info(self) -> dict[str, Any]:
        assert self._state is not None
        request = self._state.request
        due = request.shots if isinstance(request, ShootRequest) and not self._is_over() else 0
        info = {
            "action_mask": self._sight.mask(),
            "turns": self._state.turns[SEATS.index(self._own)],
            "shots_left": due - len(self._sight.chosen),
        }
        return info if self._fault is None else info | {"fault": self._fault.reason}
