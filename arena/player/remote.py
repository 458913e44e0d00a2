"""A player that is a bot at the other end of a transport: ids, clocks and strict decoding.

A bot is stopped while its opponent thinks: nobody thinks on the opponent's time. It is done when
the opponent has taken a moment, so that an exchange of quick answers costs nothing more. Between
games it is stopped at once; what it does when it is told how a game ended, it so does on the clock
of its next move.
"""

import contextlib
import os
import time
from collections.abc import Callable, Sequence

from arena.player.interface import Fault, News, Reply
from arena.player.meter import exchange, load
from arena.player.process import LEAVE_S, Transport
from arena.protocol import (
    PROTOCOL_VERSION,
    AnswerSalvo,
    Bye,
    End,
    FromBot,
    Game,
    Hello,
    Introduction,
    Layout,
    MoveShip,
    PlaceFleet,
    ProtocolError,
    SalvoAnswer,
    ShipMove,
    ShootSalvo,
    Shots,
    ToBot,
    decode_from_bot,
    encode,
)
from arena.protocol import Fault as FaultMessage
from arena.records import Settings, Termination
from arena.rules import (
    Action,
    Answer,
    AnswerRequest,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Request,
    RulesView,
    Shoot,
    ShootRequest,
)

__all__ = ["RemotePlayer"]

HEARS_FAULT_S = 0.1
"""How long a bot that is there and listens may take to read what it did wrong."""

_LEFT = "exited with code 0"

_LISTENING = (Termination.MALFORMED, Termination.ILLEGAL)
_QUOTED_BYTES = 200
"""How much of an answer a reason quotes."""

_IDS_AT_ONCE = 256
_ID_CHARACTERS = 16


class RemotePlayer:
    """A bot reached by lines.

    Args:
        connect: Starts the bot and returns the transport to it.
        rules: The view of the rules that it is told.
        settings: The times it has.
    """

    def __init__(
        self, connect: Callable[[], Transport], rules: RulesView, settings: Settings
    ) -> None:
        self._connect = connect
        self._rules = rules
        self._settings = settings
        self._transport: Transport | None = None
        self._time_left_s = 0.0
        self._late: Fault | None = None
        self._rivals: Sequence[RemotePlayer] | None = None
        self._paused = False
        self._ids: list[str] = []
        self.introduction: Introduction | None = None

    def sit_with(self, rivals: "Sequence[RemotePlayer]") -> None:
        """Stop ``rivals`` when this bot takes longer than a moment, as they will stop it.

        Without this, a bot is stopped as soon as it has answered.
        """
        self._rivals = rivals

    def pause(self) -> None:
        """Stop the bot until it is asked again."""
        if self._transport is not None and not self._paused:
            self._transport.pause()
            self._paused = True

    def _pause_rivals(self) -> None:
        for rival in self._rivals or ():
            rival.pause()

    def start(self) -> None:
        """Start the bot and hear its introduction; does nothing while it runs.

        Raises:
            Fault: ``UNSTARTED``, whatever went wrong.
        """
        if self._transport is not None:
            return
        try:
            self._transport = self._connect()
        except OSError as error:
            raise Fault(
                Termination.UNSTARTED, f"cannot be started: {error}{_mend(error)}"
            ) from error
        self._paused = False
        try:
            hello = encode(Hello(PROTOCOL_VERSION, self._rules))
            line = load(self._transport, hello, self._settings.load_s)
            self.introduction = _introduction(line)
        except Fault as fault:
            reason = f"gave no introduction: {fault.reason}"
            if fault.termination is Termination.TIMEOUT:
                reason = f"{reason} ({self._settings.load_s:g} s to load)"
            elif fault.termination is Termination.MALFORMED:
                reason = f"{reason} (its stdout is for answers alone)"
            elif fault.reason == _LEFT:
                reason = f"{reason} before it answered; does the file end in run(...)?"
            raise type(fault)(Termination.UNSTARTED, reason) from fault
        self.pause()

    def begin(self, game: Game) -> None:
        """Tell the bot that a game begins, and fill its clock.

        Raises:
            Fault: If it does not play these rules, or was gone already when the last game ended.
        """
        late, self._late = self._late, None
        if late is not None:
            raise late
        assert self.introduction is not None
        if not self.introduction.plays:
            raise Fault(Termination.UNSTARTED, "says that it does not play these rules")
        self._time_left_s = self._settings.game_s
        self._tell(game)

    def ask(self, request: Request, news: News) -> Reply:
        """Send a request and return the answer, on the bot's clock.

        Raises:
            Fault: ``TIMEOUT``, ``EXITED`` or ``MALFORMED``; ``Starved`` if the machine is at fault.
        """
        transport, left_s = self._transport, self._time_left_s
        assert transport is not None
        if not self._ids:
            self._ids = _draw_ids()
        expected = self._ids.pop()
        line = encode(_message(request, news, expected, round(left_s, 3)))
        if self._paused:
            transport.resume()
            self._paused = False
        try:
            budget_s = min(self._settings.move_s, left_s)
            answer, charge_s = exchange(transport, line, budget_s, self._pause_rivals)
        except Fault as fault:
            raise self._explained(fault) from fault
        if self._rivals is None:
            self.pause()
        self._time_left_s = left_s - charge_s
        return Reply(_action(answer, request, expected), charge_s)

    def _explained(self, fault: Fault) -> Fault:
        """Return a fault with the budget that it overran, if it is one of the clock."""
        if fault.termination is not Termination.TIMEOUT:
            return fault
        settings, left_s = self._settings, self._time_left_s
        limit = f"{settings.move_s:g} s for a move"
        if left_s < settings.move_s:
            limit = f"{left_s:.3g} s, all that was left of the {settings.game_s:g} s for a game"
        return type(fault)(fault.termination, f"{fault.reason} ({limit})")

    def end(self, end: End) -> None:
        """Tell the bot how the game ended; if it is gone, that costs it the next game."""
        try:
            self._tell(end)
        except Fault as fault:
            self._late = fault

    def _tell(self, message: ToBot) -> None:
        transport = self._transport
        assert transport is not None
        transport.send(encode(message), time.monotonic() + self._settings.move_s)
        self._paused = False  # for a long message it was woken
        self.pause()

    def stop(self, fault: Fault | None = None) -> None:
        """Say why, or goodbye, and end the bot."""
        transport, self._transport = self._transport, None
        self._late = None
        if transport is None:
            return
        last: ToBot = Bye() if fault is None else FaultMessage(fault.termination, fault.reason)
        try:
            # If it no longer listens, it is ended all the same.
            with contextlib.suppress(Fault):
                transport.send(encode(last), time.monotonic())
        finally:
            if fault is None:
                grace_s = LEAVE_S
            else:
                grace_s = HEARS_FAULT_S if fault.termination in _LISTENING else 0.0
            transport.close(grace_s=grace_s)


def _mend(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return (
            "; make it executable with a first line #!..., or name its interpreter: 'node bot.js'"
        )
    return ""


def _draw_ids() -> list[str]:
    """Return ids that cannot be guessed; drawn many at once, one costs no system call."""
    text = os.urandom(_IDS_AT_ONCE * _ID_CHARACTERS // 2).hex()
    return [text[i : i + _ID_CHARACTERS] for i in range(0, len(text), _ID_CHARACTERS)]


def _message(request: Request, news: News, expected: str, left_s: float) -> ToBot:
    match request:
        case ShootRequest(shots=shots):
            return ShootSalvo(expected, shots, left_s, news.report, news.incoming)
        case PlaceRequest():
            return PlaceFleet(expected, left_s)
        case MoveRequest():
            return MoveShip(expected, left_s, news.report, news.incoming)
        case AnswerRequest(cells=cells, hits=hits, sunk=sunk, lies=lies):
            return AnswerSalvo(expected, left_s, cells, hits, sunk, lies)


def _introduction(line: bytes) -> Introduction:
    message = _decode(line)
    if not isinstance(message, Introduction):
        raise Fault(Termination.MALFORMED, f"'hello' was due, it answered {_quote(line)}")
    if message.protocol != PROTOCOL_VERSION:
        raise Fault(
            Termination.MALFORMED,
            f"it speaks protocol {message.protocol}, the arena {PROTOCOL_VERSION}",
        )
    return message


def _decode(line: bytes) -> FromBot:
    try:
        return decode_from_bot(line)
    except ProtocolError as error:
        why = str(error)
        if len(why) > _QUOTED_BYTES:  # it may name a field that the bot made up
            why = f"{why[:_QUOTED_BYTES]}..."
        raise Fault(Termination.MALFORMED, f"{why}, in {_quote(line)}") from error


def _action(line: bytes, request: Request, expected: str) -> Action:
    """Return what an answer does.

    Raises:
        Fault: ``MALFORMED``, if it is no answer to this request.
    """
    message = _decode(line)
    action: Action
    match message, request:
        case Shots(cells=cells), ShootRequest():
            action = Shoot(cells)
        case Layout(ships=ships), PlaceRequest():
            action = Place(ships)
        case ShipMove(ship=ship, cells=cells), MoveRequest():
            action = Move(ship, cells)
        case SalvoAnswer(hits=hits), AnswerRequest():
            action = Answer(hits)
        case _:
            due = _DUE[type(request)]
            raise Fault(Termination.MALFORMED, f"'{due}' was due, it answered {_quote(line)}")
    if message.id != expected:
        raise Fault(
            Termination.MALFORMED,
            f"the answer repeats the id {message.id!r}, the request's is {expected!r}",
        )
    return action


_DUE = {PlaceRequest: "layout", ShootRequest: "shots", MoveRequest: "move", AnswerRequest: "answer"}
"""The type of the message that answers a request."""


def _quote(line: bytes) -> str:
    text = line[:_QUOTED_BYTES].decode("utf-8", "backslashreplace").rstrip("\r\n")
    return f"{text!r}{'...' if len(line) > _QUOTED_BYTES else ''}"
