"""Whoever can be asked for a move: a process, a person at the terminal, a script in a test."""

from typing import Protocol

from msgspec import Struct

from arena.protocol import End, Game
from arena.records import Termination
from arena.rules import Action, Report, Request
from arena.text import printable

__all__ = ["Fault", "Killed", "News", "Player", "Reply", "Starved", "Unsure"]

MAX_REASON = 500
"""How much of a reason is kept; a bot has a hand in its text."""


class Fault(Exception):  # noqa: N818 - the field's word for what a bot did wrong
    """A player broke the protocol, the clock or its process; a verdict, not an error.

    Attributes:
        termination: How the game ends by it.
        reason: The same in words, for the bot, the record and the log: one line that can be
            printed, whatever the bot wrote.
    """

    def __init__(self, termination: Termination, reason: str) -> None:
        reason = printable(reason, MAX_REASON)
        super().__init__(termination, reason)
        self.termination = termination
        self.reason = reason


class Unsure(Fault):
    """A fault for which something outside may be to blame.

    The block it happens in is void and played again; it is a verdict only if it happens again.
    """


class Starved(Unsure):
    """A player did not answer, and the machine did not let it: its time is not used up."""


class Killed(Unsure):
    """A player was killed from outside by SIGKILL, and not by the arena, as far as can be told.

    At levels with a filter no bot can do that to itself; at the others it is taken on trust. The
    kernel does it for want of memory too: that is the bot's own fault, and not one of this kind.
    """


class News(Struct, frozen=True):
    """What a seat is told with a request.

    Attributes:
        report: What its last salvo did, if it was not told before.
        incoming: The salvos that came in since it was last told, oldest first.
    """

    report: Report | None = None
    incoming: tuple[tuple[int, ...], ...] = ()


class Reply(Struct, frozen=True):
    """The answer to a request.

    Attributes:
        action: What the player does; whether it is legal is for the referee.
        charge_s: The time it is charged for, in seconds.
    """

    action: Action
    charge_s: float


class Player(Protocol):
    """One seat's occupant for a block of games.

    ``start``, ``begin`` and ``ask`` may raise ``Fault``, the others raise nothing: a game that is
    over stays as it is.
    """

    def start(self) -> None:
        """Be ready for a game; does nothing when ready already."""
        ...

    def begin(self, game: Game) -> None:
        """Hear that a game begins."""
        ...

    def ask(self, request: Request, news: News) -> Reply:
        """Answer a request."""
        ...

    def end(self, end: End) -> None:
        """Hear how the game ended."""
        ...

    def stop(self, fault: Fault | None = None) -> None:
        """Leave; where a fault is given, hear of it first. ``start`` may follow."""
        ...
