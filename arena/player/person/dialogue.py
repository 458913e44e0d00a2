"""Asks a person questions, with help, leaving and the clock handled in one place."""

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from arena.player.person.chart import Chart
from arena.player.player import Fault
from arena.records import Termination

HELP = ("?", "help", "h")
QUIT = ("q", "quit", "exit")
UNDO = ("u", "undo")
_YES = ("y", "yes")
_Read = TypeVar("_Read")


class Terminal(Protocol):
    """The way to a person: a terminal or the like."""

    def say(self, text: str) -> None:
        """Show a paragraph."""

    def show(self, chart: Chart) -> None:
        """Show both sides of the board."""

    def read(self, prompt: str, deadline: float | None) -> str:
        """Return the line that the person types.

        The deadline is in monotonic seconds; None waits for ever.

        Raises:
            EOFError: If the person has left.
            TimeoutError: If the deadline passes.
        """


class Dialogue:
    """Asks questions, gives help, and lets the person leave.

    ``clock_s`` is the time for all answers of the game, None for no clock; ``stakes`` is the
    question before the person leaves, empty for none.
    """

    def __init__(
        self, terminal: Terminal, guide: str, clock_s: float | None = None, stakes: str = ""
    ) -> None:
        self._terminal = terminal
        self._guide = guide
        self._clock_s = clock_s
        self._left_s = clock_s
        self._stakes = stakes
        self.say = terminal.say
        self.show = terminal.show

    def ask(self, prompt: str, hint: str) -> str:
        """Return the person's answer, without spaces around it.

        ``hint`` says what may be answered; it is shown on request.

        Raises:
            Fault: ``EXITED`` if the person leaves, ``TIMEOUT`` if the time is up.
        """
        while True:
            answer = self._read(prompt)
            word = answer.lower()
            if word in HELP:
                self.say(self._guide)
                self.say(hint)
            elif word not in QUIT:
                return answer
            elif not self._stakes or self._read(f"{self._stakes} (y/n) ").lower() in _YES:
                raise Fault(Termination.EXITED, "left the game")

    def read(self, prompt: str, hint: str, parse: Callable[[str], _Read]) -> _Read:
        """Return what ``parse`` makes of an answer; ask again while it raises ``ValueError``."""
        while True:
            try:
                return parse(self.ask(prompt, hint))
            except ValueError as error:
                self.say(str(error))

    def _read(self, prompt: str) -> str:
        started = time.monotonic()
        left_s = self._left_s
        clock = "" if left_s is None else f"[{int(left_s) // 60}:{int(left_s) % 60:02}] "
        try:
            answer = self._terminal.read(
                f"{clock}{prompt}", None if left_s is None else started + left_s
            )
        except EOFError:
            raise Fault(Termination.EXITED, "left the game") from None
        except TimeoutError:
            reason = f"did not answer in time ({self._clock_s:g} s for a game)"
            raise Fault(Termination.TIMEOUT, reason) from None
        if left_s is not None:
            self._left_s = max(0.0, left_s - (time.monotonic() - started))
        return answer.strip()
