"""Plays with a bot in this process: no pipes or isolation, otherwise the same as over the wire."""

import logging
import time
import traceback
from collections.abc import Callable, Mapping

from arena import protocol
from arena.bot import Bot, Session, authors_part
from arena.player.ending import last_words
from arena.player.messages import (
    gave_no_introduction,
    line_too_long,
    read_action,
    read_introduction,
    read_numbers,
    request_message,
    require_playing,
    timed_out,
    too_late,
)
from arena.player.player import Fault, News, Reply
from arena.player.stderr_log import TAIL_BYTES
from arena.records import Settings, Termination
from arena.rules import Request, RulesView, Shoot

UNHURRIED = Settings(load_s=86_400.0, move_s=86_400.0, game_s=86_400.0)
"""A day for each limit, so that no game depends on how busy the machine is."""

_ID = "0" * 16
"""As long as the ids over the wire; constant, since answers cannot be mixed up here."""

_log = logging.getLogger(__name__)


class InProcessPlayer:
    """A bot in this process; see ``arena.player.Player``.

    For training, notebooks and tests, which play thousands of games against trusted bots. The bot
    gets the same messages as over the wire, and its answers are checked as there, so that a wrong
    answer is the same fault with the same reason. An exception or ``sys.exit`` counts
    as the end of its process, ``EXITED``, and is logged with its traceback.

    Three things differ. The bot is trusted: it can read and change whatever this process can. Its
    time is wall time, and exceeding a limit is only noticed when it answers. What it prints goes
    to this process's stdout.

    ``make_bot`` is called at the first ``start`` and the first after each ``stop``; to keep one bot
    for all blocks, pass ``lambda: bot``.
    """

    def __init__(
        self, make_bot: Callable[[], Bot], rules: RulesView, settings: Settings = UNHURRIED
    ) -> None:
        self._make_bot = make_bot
        self._rules = rules
        self._settings = settings
        self._session: Session | None = None
        self.late: Fault | None = None
        self._stderr = ""
        self._time_left_s = 0.0
        self.introduction: protocol.Introduction | None = None

    def start(self) -> None:
        """Make the bot and read its introduction; does nothing if it was made already.

        Raises:
            Fault: ``UNSTARTED``, for any failure.
        """
        if self._session is not None:
            return
        self.late = None
        self._stderr = ""
        started = time.monotonic()
        try:
            try:
                self._session = Session(self._make_bot())
            except (Exception, SystemExit) as error:
                raise self._exited(error) from error
            answer = self._answer(protocol.Hello(protocol.PROTOCOL_VERSION, self._rules))
            line = self._encoded(answer)
            if time.monotonic() - started > self._settings.load_s:
                raise too_late()
            self.introduction = read_introduction(line)
        except Fault as fault:
            raise gave_no_introduction(fault, self._settings) from fault

    def begin(self, game: protocol.Game) -> None:
        """Tell the bot that a game begins, and reset its clock.

        Raises:
            Fault: If it does not play these rules, or failed when the last game ended.
        """
        if self.late is not None:
            raise self.late
        require_playing(self.introduction)
        self._time_left_s = self._settings.game_s
        self._tell(game)

    def ask(self, request: Request, news: News) -> Reply:
        """Return the bot's answer to a request, charging its clock.

        Raises:
            Fault: ``TIMEOUT``, ``EXITED`` or ``MALFORMED``; ``Outage`` if the bot says so.
        """
        if self.late is not None:
            raise self.late
        left_s = self._time_left_s
        started = time.monotonic()
        answer = self._answer(request_message(request, news, _ID, left_s))
        charge_s = time.monotonic() - started
        if charge_s > left_s or charge_s > self._settings.move_s:
            raise timed_out(too_late(), self._settings, left_s)
        self._time_left_s = left_s - charge_s
        # The kit has checked these: what is encoded of them would be decoded to the same.
        if type(answer) is protocol.Shots:
            return Reply(Shoot(answer.cells), charge_s)
        return Reply(read_action(self._encoded(answer), request, _ID, waits=True), charge_s)

    def end(self, end: protocol.End) -> Mapping[str, float] | None:
        """Tell the bot how the game ended; if it fails then, it forfeits the next game."""
        answer = self._tell(end)
        if answer is None:
            return None
        try:
            return read_numbers(self._encoded(answer))
        except Fault as fault:
            self.late = fault
            return None

    def stop(self, fault: Fault | None = None) -> str:
        """Forget the bot, and return the traceback of what it raised, if it did."""
        del fault
        self._session = None
        return self._stderr

    def _tell(self, message: protocol.ToBot) -> protocol.FromBot | None:
        """Send a message that no request is; a failure is raised at the next request."""
        assert self._session is not None
        # Decoded so that the bot gets the same plain types as over the wire; rare, so cheap.
        message = protocol.decode_to_bot(protocol.encode(message))
        try:
            return self._session.answer(message)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a bot may raise anything
            self.late = self._exited(error)
            return None

    def _answer(self, message: protocol.ToBot) -> protocol.FromBot:
        assert self._session is not None
        try:
            answer = self._session.answer(message)
        except (Exception, SystemExit) as error:
            raise self._exited(error) from error
        assert answer is not None
        return answer

    def _encoded(self, answer: protocol.FromBot) -> bytes:
        """Return the line of an answer."""
        try:
            line = protocol.encode(answer)
        except Exception as error:
            raise self._exited(error) from error
        if len(line) > protocol.MAX_LINE_BYTES:
            raise line_too_long()
        return line

    def _exited(self, error: BaseException) -> Fault:
        """Return the fault that an exception would be if it ended a bot's process."""
        _log.info("a bot in this process raised %r", error, exc_info=error)
        code = 1
        if not isinstance(error, SystemExit):
            of_author = authors_part(error.__traceback__)
            lines = traceback.format_exception(type(error), error, of_author)
            self._stderr = "".join(lines)[-TAIL_BYTES:]
        elif isinstance(error.code, str):
            self._stderr = error.code
        else:
            code = (error.code or 0) & 0xFF
        words = last_words(self._stderr)
        status = f"exited with code {code}"
        return Fault(Termination.EXITED, f"{status}: {words}" if words else status)
