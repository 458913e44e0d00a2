"""Plays with a bot at the other end of a transport: ids, clocks and strict decoding.

A bot is stopped while its opponent thinks, so that it cannot think on the opponent's time. It is
stopped only once the opponent has taken more than a moment, so that quick exchanges cost nothing.
Between games it is stopped at once; what it does with the ``end`` of a game is charged to its next
answer.
"""

import contextlib
import errno
import os
import time
from collections.abc import Callable, Mapping, Sequence

from arena import protocol
from arena.isolation import SALVOS_PYTHON
from arena.player.messages import (
    gave_no_introduction,
    read_action,
    read_introduction,
    read_numbers,
    request_message,
    require_playing,
    timed_out,
)
from arena.player.meter import Loading, exchange
from arena.player.player import Fault, News, Reply
from arena.player.process_transport import LEAVE_S, Transport
from arena.records import Settings, Termination
from arena.rules import Request, RulesView

HEARS_FAULT_S = 0.1
"""How long a bot may take to read ``fault`` before it is killed, if it is still listening."""

_LISTENING = (Termination.MALFORMED, Termination.ILLEGAL)
_IDS_AT_ONCE = 256
_ID_CHARACTERS = 16


class RemotePlayer:
    """A bot at the other end of a transport.

    ``connect`` starts the bot and returns the transport to it; ``hint`` returns what to add to the
    reason of a fault, given what the bot wrote to stderr. A bot that ``waits`` for something
    outside may say that it is not available.
    """

    def __init__(
        self,
        connect: Callable[[], Transport],
        rules: RulesView,
        settings: Settings,
        hint: Callable[[str], str] = lambda _: "",
        *,
        waits: bool = False,
    ) -> None:
        self._waits = waits
        self._connect = connect
        self._hint = hint
        self._rules = rules
        self._settings = settings
        self._transport: Transport | None = None
        self._loading: Loading | None = None
        self._time_left_s = 0.0
        self.late: Fault | None = None
        self._rivals: Sequence[RemotePlayer] | None = None
        self._paused = False
        self._ids: list[str] = []
        self.introduction: protocol.Introduction | None = None

    def sit_with(self, rivals: "Sequence[RemotePlayer]") -> None:
        """Set the bots to stop when this one takes longer than a moment.

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

    def launch(self) -> None:
        """Start the bot and do not wait for it, so that several load at once; ``start`` waits."""
        if self._transport is None:
            with contextlib.suppress(OSError):  # `start` fails likewise, and says so
                self._launch()

    def _launch(self) -> None:
        self._transport = self._connect()
        self._paused = False
        hello = protocol.encode(protocol.Hello(protocol.PROTOCOL_VERSION, self._rules))
        self._loading = Loading(self._transport, hello, self._settings.load_s)

    def start(self) -> None:
        """Start the bot and read its introduction; does nothing while it runs.

        Raises:
            Fault: ``UNSTARTED``, for any failure.
        """
        if self._transport is None:
            try:
                self._launch()
            except OSError as error:
                raise Fault(
                    Termination.UNSTARTED, f"cannot be started: {error}{_fix(error)}"
                ) from error
        loading, self._loading = self._loading, None
        if loading is None:
            return
        try:
            self.introduction = read_introduction(loading.answer())
        except Fault as fault:
            raise self._with_hint(gave_no_introduction(fault, self._settings)) from fault
        self.pause()

    def begin(self, game: protocol.Game) -> None:
        """Tell the bot that a game begins, and reset its clock.

        Raises:
            Fault: If it does not play these rules, or was gone when the last game ended.
        """
        late, self.late = self.late, None
        if late is not None:
            raise late
        require_playing(self.introduction)
        self._time_left_s = self._settings.game_s
        try:
            self._tell(game)
        except Fault as fault:
            raise self._with_hint(fault) from fault

    def ask(self, request: Request, news: News) -> Reply:
        """Send a request and return the answer, charging the bot's clock.

        Raises:
            Fault: ``TIMEOUT``, ``EXITED`` or ``MALFORMED``; ``Starved`` if the machine is at
                fault; ``Outage`` if the bot says that it cannot go on.
        """
        transport, left_s = self._transport, self._time_left_s
        assert transport is not None
        if not self._ids:
            self._ids = _draw_ids()
        expected = self._ids.pop()
        line = protocol.encode(request_message(request, news, expected, left_s))
        if self._paused:
            transport.resume()
            self._paused = False
        try:
            budget_s = min(self._settings.move_s, left_s)
            answer, charge_s = exchange(transport, line, budget_s, self._pause_rivals)
            if self._rivals is None:
                self.pause()
            self._time_left_s = left_s - charge_s
            return Reply(read_action(answer, request, expected, waits=self._waits), charge_s)
        except Fault as fault:
            told = fault
            if fault.termination is Termination.TIMEOUT:
                told = timed_out(fault, self._settings, left_s)
            told = self._with_hint(told)
            if told is fault:
                raise
            raise told from fault

    def _with_hint(self, fault: Fault) -> Fault:
        hint = self._hint(self._transport.stderr()) if self._transport is not None else ""
        return type(fault)(fault.termination, f"{fault.reason}; {hint}") if hint else fault

    def end(self, end: protocol.End) -> Mapping[str, float] | None:
        """Tell the bot how the game ended; if it is gone, it forfeits the next game."""
        try:
            if self.introduction is not None and self.introduction.reports:
                return self._ask_for_numbers(end)
            self._tell(end)
        except Fault as fault:
            self.late = self._with_hint(fault)
        return None

    def _ask_for_numbers(self, end: protocol.End) -> Mapping[str, float]:
        transport, move_s = self._transport, self._settings.move_s
        assert transport is not None
        transport.resume()
        self._paused = False
        try:
            answer, _ = exchange(transport, protocol.encode(end), move_s, self._pause_rivals)
        except Fault as fault:
            if fault.termination is Termination.TIMEOUT:
                raise timed_out(fault, self._settings, move_s) from fault
            raise
        self.pause()
        return read_numbers(answer)

    def _tell(self, message: protocol.ToBot) -> None:
        transport = self._transport
        assert transport is not None
        transport.send(protocol.encode(message), time.monotonic() + self._settings.move_s)
        # Sending a long message resumes the bot. Pause it after every message, even if it is paused
        # already: `salvo check` listens then for lines that nobody asked for.
        self._paused = False
        self.pause()

    def stop(self, fault: Fault | None = None) -> str:
        """Send ``fault`` or ``bye``, and end the bot; see ``arena.player.Player``."""
        transport, self._transport = self._transport, None
        self.late = self._loading = None
        if transport is None:
            return ""
        last: protocol.ToBot = (
            protocol.Bye() if fault is None else protocol.Fault(fault.termination, fault.reason)
        )
        try:
            # Whether it can still read this or not, it is ended.
            with contextlib.suppress(Fault):
                transport.send(protocol.encode(last), time.monotonic())
        finally:
            if fault is None:
                grace_s = LEAVE_S
            else:
                grace_s = HEARS_FAULT_S if fault.termination in _LISTENING else 0.0
            transport.close(grace_s=grace_s)
        return transport.stderr()


def _fix(error: OSError) -> str:
    if isinstance(error, PermissionError) or error.errno == errno.ENOEXEC:
        return (
            "; a script needs `chmod +x` and a first line #!..., or its interpreter before it, as "
            "in 'node bot.js'; source code needs a compiler first"
        )
    if isinstance(error, FileNotFoundError) and str(error.filename).startswith("python"):
        return f"; {SALVOS_PYTHON}"
    return ""


def _draw_ids() -> list[str]:
    """Return ids that cannot be guessed, many at once to save system calls."""
    text = os.urandom(_IDS_AT_ONCE * _ID_CHARACTERS // 2).hex()
    return [text[i : i + _ID_CHARACTERS] for i in range(0, len(text), _ID_CHARACTERS)]
