"""Defines what every player does, be it a process, a person at a terminal or a script in a test.

News and replies, made at every turn, have ``gc=False`` for speed: they hold plain values and cannot
be part of a reference cycle.
"""

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from arena.protocol import End, Game
from arena.records import Termination
from arena.rules import Action, Report, Request
from arena.text import printable

MAX_REASON = 500
"""How many characters of a reason are kept, since a bot can influence its text."""


class Fault(Exception):  # noqa: N818 - the field's word for what a bot did wrong
    """A player broke the protocol, exceeded its time or exited; a verdict, not an error.

    ``reason`` is one printable line for the bot, the record and the log, even if it quotes the bot.
    """

    def __init__(self, termination: Termination, reason: str) -> None:
        reason = printable(reason, MAX_REASON)
        super().__init__(termination, reason)
        self.termination = termination
        self.reason = reason


class Unsure(Fault):
    """A fault for which something outside may be to blame.

    The game is void and played again; only after repeated voids does it count as a fault.
    """


class Starved(Unsure):
    """A player did not answer, but for lack of a processor: it has time left on its clock."""


class Killed(Unsure):
    """A player was killed by SIGKILL, apparently from outside and not by the arena.

    At levels with a seccomp filter a bot cannot fake that; at the others it is trusted. A kill by
    the kernel for lack of memory is the bot's own fault and not one of these.
    """


class Outage(Unsure):
    """A player says that what it needs from outside is not available, which it may say."""


class News(Struct, frozen=True, gc=False):
    """The events since a seat last heard of the game.

    ``report`` is that of its last salvo, unless it was sent before; ``incoming`` are the opponent's
    salvos since then, oldest first.
    """

    report: Report | None = None
    incoming: tuple[tuple[int, ...], ...] = ()


class Reply(Struct, frozen=True, gc=False):
    """The answer to a request."""

    action: Action
    charge_s: float


class Player(Protocol):
    """The player in one seat for a block of games.

    ``start``, ``begin`` and ``ask`` may raise ``Fault``; the others raise nothing, since a game
    that is over cannot change.
    """

    def start(self) -> None:
        """Get ready for a game; does nothing if ready already."""

    def begin(self, game: Game) -> None:
        """Take note that a game begins."""

    def ask(self, request: Request, news: News) -> Reply:
        """Answer a request."""

    def end(self, end: End) -> Mapping[str, float] | None:
        """Take note of how the game ended; return the numbers that it reports of itself, if any."""

    def stop(self, fault: Fault | None = None) -> str:
        """Stop, after taking note of ``fault`` if there is one; ``start`` may follow.

        It returns the end of what it wrote to stderr, if it has one.
        """
