"""Records the lines that a bot exchanges, and can add a field to messages or listen longer."""

import contextlib
import json
import time
from random import Random

from msgspec import Struct

from arena import protocol
from arena.isolation import Child
from arena.player import Masking, ProcessTransport
from arena.records import Settings
from arena.rules import Rules, draw, name_layout
from arena.text import counted

LISTENS_S = 0.05
"""How long to listen for a line that was not asked for, while the bot sleeps."""

LISTENS_MOST_S = 1.0
"""How long to listen while it runs or waits for a processor."""

LEAVES_MOST_S = 1.0
"""How long a bot that has not fallen asleep may run before it exits."""

UNASKED_LINES = 5
"""How many of them are read at a time."""

HEARD_BYTES = 8_192


class OutOfTimeError(Exception):
    """The check has taken as long as it may: no more is heard of the bot."""


class Exchange(Struct, frozen=True):
    """The last exchange before a failure.

    ``expected`` says in words and by an example what should have come back.
    """

    sent: str
    received: str | None
    expected: str


class Heard:
    """A log in memory, of which only the end is kept; see ``arena.player.stderr_log.Log``."""

    def __init__(self) -> None:
        self._data = b""

    def write(self, data: bytes) -> None:
        """Take some more."""
        self._data = (self._data + data)[-HEARD_BYTES:]

    def close(self) -> None:
        """Do nothing: other processes may write on."""

    def take(self) -> str:
        """Return what was written since the last call."""
        data, self._data = self._data, b""
        return data.decode("utf-8", "replace")


class Wire(ProcessTransport):
    """The lines of a bot's process, recorded on the way.

    It waits for the bot until the monotonic time ``until``; ``heard`` takes what the bot writes to
    stderr.

    If it is ``attentive``, it listens for a moment when nothing is asked of the bot, and
    ``unasked`` is the line written then. With ``more`` it adds a field to messages that the
    protocol does not have; if they are ``spaced``, it writes them with spaces, and the fields of
    each object from the last to the first. ``left`` says how the process exited when it was told
    to, None if it did not; ``heeded`` whether it did so before its input ended.
    """

    def __init__(  # noqa: PLR0913 - the bot, what examples are drawn by, and what is done with lines
        self,
        child: Child,
        rules: Rules,
        settings: Settings,
        heard: Heard,
        *,
        masking: Masking,
        until: float,
    ) -> None:
        super().__init__(child, heard, masking)
        self.pause = self._listen_and_pause
        self._until = until
        self._rules = rules
        self._settings = settings
        self._message: protocol.ToBot = protocol.Bye()
        self._sent = b""
        self._received: list[bytes] = []
        self._shot: set[int] = set()
        self._salvo: tuple[int, ...] = ()
        self._reports = False
        self.more = self.spaced = self.attentive = self.heeded = False
        self.unasked: bytes | None = None
        self.left: str | None = None

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line."""
        message = protocol.decode_to_bot(line)
        if self.more:
            line = line.removesuffix(b"}\n") + b',"unheard_of":[null]}\n'
        elif self.spaced:
            line = json.dumps(_turned(json.loads(line)), ensure_ascii=False).encode() + b"\n"
        if not isinstance(message, protocol.Fault | protocol.Bye):
            self._message, self._sent, self._received = message, line, []
        if isinstance(message, protocol.Game):
            self._shot.clear()
            self._salvo = ()
        elif isinstance(message, protocol.ShootSalvo):
            self._shot.update(self._salvo)
        super().send(line, min(deadline, self._until))

    def receive(self, deadline: float) -> bytes | None:
        """Return the next line, or None if it does not come in time.

        Raises:
            OutOfTimeError: If the time for the whole check is over.
        """
        line = super().receive(min(deadline, self._until))
        if time.monotonic() >= self._until:
            raise OutOfTimeError
        if line is not None:
            self._note(line)
        return line

    def _note(self, line: bytes) -> None:
        self._received.append(line)
        with contextlib.suppress(protocol.ProtocolError):
            message = protocol.decode_from_bot(line)
            if isinstance(message, protocol.Shots):
                self._salvo = message.cells
            elif isinstance(message, protocol.Introduction):
                self._reports = message.reports is True

    def _listen_and_pause(self) -> None:
        """Stop the bot, after listening to it if ``attentive``."""
        if self.attentive and self.unasked is None:
            self.resume()
            # What follows an answer, or a line printed before it, is all shown.
            for _ in range(UNASKED_LINES):
                line = self._overhear()
                if line is None:
                    break
                self.unasked = self.unasked or line
        self._child.pause()

    def _overhear(self) -> bytes | None:
        until = time.monotonic() + LISTENS_MOST_S
        while (line := self.receive(time.monotonic() + LISTENS_S)) is None:
            if time.monotonic() > until or not self._child.runnable():
                break
        return line

    def close(self, *, grace_s: float) -> None:
        """End the bot, noting whether it exits by itself: when told to, or as its input ends."""
        self._child.resume()
        self._child.settle(grace_s, LEAVES_MOST_S)
        self.heeded = self._child.status() is not None
        self._child.close_stdin()
        self._child.settle(grace_s, LEAVES_MOST_S)
        self.left = self._child.status()
        super().close(grace_s=0)

    def last_exchange(self) -> Exchange:
        """Return the last line that was sent, and the answer."""
        return Exchange(
            sent=_text(self._sent),
            received="\n".join(map(_text, self._received)) if self._received else None,
            expected=self._expected(),
        )

    def _expected(self) -> str:
        random = Random(0)
        most_s, also = self._settings.move_s, ""
        example: protocol.FromBot
        match self._message:
            case protocol.Hello():
                most_s = self._settings.load_s
                example = protocol.Introduction(protocol=protocol.PROTOCOL_VERSION, name="My bot")
            case protocol.PlaceFleet(id):
                layout = name_layout(self._rules, draw(self._rules, random))
                example = protocol.Layout(id, {name: tuple(at) for name, at in layout.items()})
            case protocol.ShootSalvo(id, shots):
                closed = set() if self._rules.reshoot else self._shot
                open_cells = [cell for cell in range(self._rules.cells) if cell not in closed]
                example = protocol.Shots(id, tuple(random.sample(open_cells, shots)))
                cells = counted(
                    shots, "different cell" if self._rules.reshoot and shots > 1 else "cell"
                )
                also = f", with {cells}{'' if self._rules.reshoot else ' not shot before'}"
            case protocol.MoveShip(id):
                example = protocol.ShipMove(id, None)
            case protocol.AnswerSalvo(id, _, _, hits):
                example = protocol.SalvoAnswer(id, hits)
            case protocol.End() if self._reports:
                example = protocol.Numbers({"tokens": 812})
            case _:
                return "nothing"
        return f"within {most_s:g} s, such as {_text(protocol.encode(example))}{also}"


def _turned(value: object) -> object:
    """Return a JSON value with the fields of its objects from the last to the first."""
    if isinstance(value, list):
        return [_turned(one) for one in value]
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return value


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace").rstrip("\r\n")
