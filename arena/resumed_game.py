"""Goes on with a game between a person and a bot that was broken off, as by a restart.

All that is kept of it are the actions so far, one after another. They are played again: those of
the person are taken as they are, the bot is asked again with the same seed, in a fresh process. A
bot that then answers otherwise cannot go on with this game, which is void.
"""

from collections.abc import Callable, Sequence

from arena import protocol
from arena.player import News, Reply
from arena.player.messages import read_action
from arena.protocol import End
from arena.records import Fixture
from arena.rules import Action, Answer, Move, Place, Request, Rules, Shoot
from arena.scorebook import Scorebook


class AnsweredOtherwiseError(Exception):
    """Asked again, a player answered otherwise than before."""


def as_line(action: Action) -> bytes:
    """Return an action as a bot would send it, with an empty id: so it is kept."""
    match action:
        case Place(layout=layout):
            ships = {name: tuple(cells) for name, cells in layout.items()}
            return protocol.encode(protocol.Layout("", ships))
        case Shoot(cells=cells):
            return protocol.encode(protocol.Shots("", tuple(cells)))
        case Move(ship=ship, cells=cells):
            return protocol.encode(protocol.ShipMove("", ship, tuple(cells)))
        case Answer(hits=hits):
            return protocol.encode(protocol.SalvoAnswer("", tuple(hits)))


def from_line(line: bytes, request: Request) -> Action:
    """Return the action that a line is, as an answer to a request.

    Raises:
        Fault: ``MALFORMED``, if it is no answer to it.
    """
    return read_action(line, request, "")


class KeptBook(Scorebook):
    """A scorebook that keeps each action, and begins with those that were kept before.

    Args:
        kept: The actions so far, as lines; those of the arena in solo games too.
        keep: Is called with each further action, once the rules have allowed it.
    """

    def __init__(
        self,
        fixture: Fixture,
        rules: Rules,
        kept: Sequence[bytes],
        keep: Callable[[bytes], None],
    ) -> None:
        super().__init__(fixture, rules)
        self._kept, self._keep = kept, keep

    def learn(self, kept: Sequence[bytes]) -> None:
        """Take what was kept meanwhile by others, as the action of a person."""
        self._kept = kept

    @property
    def next_kept(self) -> bytes | None:
        """The action that is to come next, if it was kept."""
        played = len(self.steps)
        return self._kept[played] if played < len(self._kept) else None

    def play(self, action: Action, charge_s: float) -> None:
        """Apply an action, and keep it unless it was kept before.

        Raises:
            IllegalActionError: If the rules forbid it.
            AnsweredOtherwiseError: If another one was kept in its place.
        """
        line, kept = as_line(action), self.next_kept
        if kept is not None and line != kept:
            raise AnsweredOtherwiseError
        super().play(action, charge_s)
        if kept is None:
            self._keep(line)


class Absentee:
    """A person whose actions come from elsewhere; see ``arena.player.Player``.

    Args:
        book: The scorebook of the game.
        wait: Returns the next action, as a line, that no bot chose; it may take long, and may raise
            whatever is to end the game.
    """

    def __init__(self, book: KeptBook, wait: Callable[[], bytes]) -> None:
        self._book, self._wait = book, wait

    def start(self) -> None:
        """Do nothing: a person is always ready."""

    def begin(self, game: protocol.Game) -> None:
        """Do nothing: the person sees the game elsewhere."""

    def ask(self, request: Request, news: News) -> Reply:
        """Return what was kept, or what comes.

        Raises:
            Fault: ``MALFORMED``, if it is no answer to the request.
        """
        del news
        kept = self._book.next_kept
        return Reply(from_line(self._wait() if kept is None else kept, request), 0.0)

    def end(self, end: End) -> None:
        """Do nothing: the person sees the end elsewhere."""

    def stop(self, fault: object = None) -> str:
        """Do nothing."""
        del fault
        return ""
