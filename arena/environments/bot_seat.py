"""Seats bots in an environment: classes of this process, or programs in their own."""

import contextlib
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Literal

import numpy as np

from arena.bot import Bot
from arena.entrants import Copies, parse_entrant
from arena.errors import BotError, IllegalActionError, UserError
from arena.isolation import AUTO, Level, Program, choose
from arena.player import (
    UNHURRIED,
    Fault,
    InProcessPlayer,
    News,
    Player,
    RemotePlayer,
    Unsure,
    program_player,
)
from arena.protocol import End, Game, Limits
from arena.records import Settings, Termination
from arena.rules import Report, Rules, Seat, ShootRequest, State, apply, name_layout, other, view

Opponent = Callable[[], Bot] | str
"""A class or what makes a bot, or the name of a bundled one, which are trusted; or a file, folder
or command, as `salvo check` takes it."""

Opponents = Opponent | Sequence[Opponent]
"""One opponent, or a pool of which one is drawn for each game."""

NAMED_BOTS = "salvo.bots"
"""The entry points of packages that bring bots: each is called with a name, and returns the class
of that bot or raises ``KeyError``."""


class BotSeat:
    """A bot in one seat, game after game.

    A program plays from a copy of its files, at a level of isolation, and has the usual times for
    its answers. A fault ends the game, and is warned of in one line.

    Attributes:
        name: What the bot is called.
        fault: What the bot did wrong in this game, if anything.

    Raises:
        BotError: If a program names no bot, or does not start.
        Fault: If a class cannot be made.
        UserError: If the level of isolation is none, or does not hold here.
    """

    def __init__(self, opponent: Opponent, rules: Rules, isolation: str = AUTO) -> None:
        self._rules = rules
        self._ending = contextlib.ExitStack()
        self._settings = UNHURRIED
        self._report: Report | None = None
        self._incoming: list[tuple[int, ...]] = []
        self._seat: Seat = "second"
        self._program = ""
        self.fault: Fault | None = None
        make = bot_named(opponent) if isinstance(opponent, str) else opponent
        if make is None:
            assert isinstance(opponent, str)
            self._settings = Settings()
            self._player: Player = self._player_of(opponent, isolation)
            self.name = self._program
        else:
            self._player = InProcessPlayer(make, view(rules))
            self.name = opponent if isinstance(opponent, str) else _name_of(make)
        self._start()

    def _player_of(self, text: str, isolation: str) -> RemotePlayer:
        levels = [AUTO, *(level.value for level in Level)]
        if isolation not in levels:
            raise UserError(f"isolation is {isolation!r}; choose one of {', '.join(levels)}")
        entrant = parse_entrant(text, {})
        self._program = entrant.name
        level = choose(isolation).level
        program = self._ending.enter_context(Copies([entrant])).bots[entrant.name]
        assert isinstance(program, Program)
        return program_player(program, view(self._rules), self._settings, level)

    def _start(self) -> None:
        try:
            self._player.start()
        except Fault as fault:
            raise self._refused(fault) from fault

    def _refused(self, fault: Fault) -> Exception:
        """Return the error that the bot plays no game at all."""
        if not self._program:
            return fault
        self.close()
        return BotError(f"opponent {self._program}: {fault.reason}")

    def renew(self) -> None:
        """Make the bot anew: it forgets earlier games."""
        self._player.stop()
        self._start()

    def begin(self, seat: Seat, seed: int) -> None:
        """Begin a game with the bot in ``seat``.

        Raises:
            BotError: If a program does not start, or does not play these rules.
            Fault: The same of a class.
        """
        if self.fault is not None:
            self.renew()
        self._seat, self._report, self._incoming, self.fault = seat, None, [], None
        settings = self._settings
        times = Limits(settings.move_s, settings.game_s, settings.load_s)
        game = Game(view(self._rules, places=True), seat, seed, solo=False, limits=times)
        try:
            self._player.begin(game)
        except Fault as fault:
            if fault.termination is Termination.UNSTARTED:
                raise self._refused(fault) from fault
            self._blame(fault)  # it failed when the last game ended

    def hear(self, cells: tuple[int, ...]) -> None:
        """Take note of a salvo of the other seat."""
        self._incoming.append(cells)

    def act(self, state: State) -> State:
        """Return the state once it is no longer the bot's turn, or it has failed."""
        while self.fault is None and (request := state.request) is not None:
            if request.seat != self._seat:
                return state
            news = News()
            if isinstance(request, ShootRequest):
                news = News(self._report, tuple(self._incoming))
                self._report, self._incoming = None, []
            try:
                state = apply(state, self._player.ask(request, news).action)
            except Fault as fault:
                self._blame(fault)
                return state
            except IllegalActionError as error:
                self._blame(Fault(Termination.ILLEGAL, str(error)))
                return state
            if isinstance(request, ShootRequest):
                assert state.salvo is not None
                self._report = state.salvo.report
        return state

    def _blame(self, fault: Fault) -> None:
        self.fault = fault
        name = f"opponent {self._program}" if self._program else "opponent"
        ends = "the game is void" if self.is_void else "it forfeits the game"
        warnings.warn(f"{name}: {ends}: {fault.reason}", stacklevel=2)

    @property
    def is_void(self) -> bool:
        """Whether the machine may be to blame for the fault, so that nobody has won."""
        return isinstance(self.fault, Unsure)

    def end(self, state: State) -> None:
        """Report the end of a game to the bot."""
        if self.fault is not None:
            return
        outcome: Literal["won", "lost"] = "won" if state.result == self._seat else "lost"
        assert state.ending is not None
        self._player.end(
            End(
                result="drawn" if state.result == "draw" else outcome,
                termination=state.ending,
                reason="the game is over",
                report=self._report,
                incoming=tuple(self._incoming),
                opponent_layout=self._reported_layout(state),
            )
        )

    def _reported_layout(self, state: State) -> dict[str, tuple[int, ...]] | None:
        """Return where the other seat's ships lay, unless the fleet is to stay unknown."""
        if not self._rules.fleet_known:
            return None
        waters = state.waters.of(other(self._seat))
        assert waters is not None
        named = name_layout(self._rules, waters.ships)
        return {name: tuple(cells) for name, cells in named.items()}

    def close(self) -> None:
        """Stop the bot, and remove its copy."""
        self._player.stop()
        self._ending.close()


class BotPool:
    """Bots of which one plays each game: the same one always, or drawn for each game.

    Raises:
        UserError: If there are none; and as ``BotSeat``.
    """

    def __init__(self, opponents: Opponents, rules: Rules, isolation: str) -> None:
        each = [opponents] if isinstance(opponents, str) or callable(opponents) else opponents
        if not each:
            raise UserError("opponent is an empty list; name at least one")
        self._seats: list[BotSeat] = []
        try:
            for opponent in each:
                self._seats.append(BotSeat(opponent, rules, isolation))
        except Exception:
            self.close()
            raise

    def drawn(self, random: np.random.Generator) -> BotSeat:
        """Return the bot for the next game; of one alone nothing is drawn."""
        return self._seats[int(random.integers(len(self._seats)))]

    def renew(self) -> None:
        """Make all bots anew: they forget earlier games."""
        for seat in self._seats:
            seat.renew()

    def close(self) -> None:
        """Stop all bots, and remove their copies."""
        for seat in self._seats:
            seat.close()


def bot_named(name: str) -> type[Bot] | None:
    """Return the class of the bot of that name that an installed package brings, if any."""
    for package in entry_points(group=NAMED_BOTS):
        with contextlib.suppress(KeyError):
            found: type[Bot] = package.load()(name)
            return found
    return None


def _name_of(make: Callable[[], Bot]) -> str:
    return str(getattr(make, "__name__", type(make).__name__))
