"""The time that a bot is charged.

A bot is charged for the time from a request to its answer, minus the time that it was runnable but
waited for a processor, where the system reports that: on a busy machine a bot pays for sleeping but
not for being starved. It times out when the charge exceeds its budget. The system reports a wait
only once it has ended, so a late bot that may still be waiting is looked at again after ``LOOK_S``.
The wait is bounded: after ``BACKSTOP_FACTOR`` times the budget plus ``BACKSTOP_S`` seconds, a bot
whose charge is still within the budget counts as ``Starved``. A bot that has started processes of
its own gets no more than the budget in wall time, since it may be waiting for them.
"""

import math
import time
from collections.abc import Callable

from arena.player.interface import Fault, Starved
from arena.player.process import Transport
from arena.records import Termination

__all__ = ["Loading", "exchange"]

BACKSTOP_FACTOR = 10
BACKSTOP_S = 1.0

MOMENT_S = 0.001
"""Answers within a moment are charged in wall time, without stopping anybody or reading clocks."""

WORTH_WAITING_S = 0.0005
"""The least remaining budget for which to poll again; a poll takes whole milliseconds."""

LOOK_S = 0.005
"""How soon to look again at a bot that is waiting for a processor: about a scheduler's slice."""


def exchange(
    transport: Transport, line: bytes, budget_s: float, slow: Callable[[], None]
) -> tuple[bytes, float]:
    """Send a line; return the answer and the time to charge the bot for it, in seconds.

    Args:
        transport: The connection to the bot.
        line: The line to send.
        budget_s: The most that it may be charged.
        slow: Called once if no answer comes within a moment.

    Raises:
        Fault: ``TIMEOUT``, if the charge exceeds the budget; ``Starved``, if it does not but the
            bound on the wait is reached.
    """
    started = time.monotonic()
    deadline = started + min(MOMENT_S, budget_s)
    transport.send(line, started + budget_s)
    answer = transport.receive(deadline)
    if answer is not None:
        return answer, min(time.monotonic(), deadline) - started
    slow()
    return _await_answer(_Account(transport, transport.times_s()), started, budget_s)


class Loading:
    """A bot that has just been started, and was sent its first line.

    What was answered while nobody waited counts as in time.

    Args:
        transport: The connection to it.
        line: The line.
        budget_s: The most that it may be charged.
    """

    def __init__(self, transport: Transport, line: bytes, budget_s: float) -> None:
        self._transport = transport
        self._budget_s = budget_s
        self._unread: Fault | None = None
        self._started = time.monotonic()
        try:
            transport.send(line, self._started + budget_s)
        except Fault as fault:
            self._unread = fault

    def answer(self) -> bytes:
        """Return the answer.

        Raises:
            Fault: As for ``exchange``, counting the bot's time since its process started.
        """
        if self._unread is not None:
            raise self._unread
        account = _Account(self._transport, (0.0, 0.0))
        return _await_answer(account, self._started, self._budget_s)[0]


def _await_answer(account: "_Account", started: float, budget_s: float) -> tuple[bytes, float]:
    """Return the answer and the charge for it, in seconds; see ``exchange``."""
    deadline = started + budget_s
    answer = account.transport.receive(deadline)
    while answer is None:
        deadline += _more_s(account, budget_s, deadline - started)
        answer = account.transport.receive(deadline)
    # An answer that is there when the arena itself wakes up too late counts as in time.
    charge_s = account.charge_s(min(time.monotonic(), deadline) - started)
    if charge_s - budget_s >= WORTH_WAITING_S:
        raise _too_late()
    return answer, charge_s


def _more_s(account: "_Account", budget_s: float, wall_s: float) -> float:
    """Return how much longer to wait for a bot that has not answered yet, in seconds.

    Raises:
        Fault: See ``exchange``.
    """
    charge_s = account.charge_s(wall_s)
    more_s = budget_s - charge_s
    if not account.transport.alone():
        raise _too_late()
    if more_s < WORTH_WAITING_S:
        if not account.waits_still():
            raise _too_late()
        more_s = LOOK_S
    patience_s = BACKSTOP_FACTOR * budget_s + BACKSTOP_S - wall_s
    if patience_s <= 0:
        raise Starved(
            Termination.TIMEOUT,
            f"did not answer in {wall_s:.3g} s, of which it was charged "
            f"{min(charge_s, budget_s):.3g} s",
        )
    return min(more_s, patience_s)


def _too_late() -> Fault:
    return Fault(Termination.TIMEOUT, "did not answer in time")


class _Account:
    """What a bot is charged for one answer: wall time minus the wait for a processor.

    No more is taken off than leaves the time that the bot did run: of threads that take the
    processor from one another, each waits for the others. What is not taken off by then is lost:
    a thread that starts another program becomes the first of the process, and brings with it
    all that it ever waited.

    Args:
        transport: The way to the bot.
        before_s: How long it had run and waited when it was asked; None if that is not known.
    """

    def __init__(self, transport: Transport, before_s: tuple[float, float] | None) -> None:
        self.transport = transport
        self._ran_before_s, self._waited_last_s = before_s or (math.nan, math.nan)
        self._off_s = 0.0
        self._ran_s = math.nan
        self._ran_when_late_s: float | None = None

    def charge_s(self, wall_s: float) -> float:
        """Return the charge, if so much time has passed since the bot was asked."""
        now_s = self.transport.times_s()
        if now_s is None or math.isnan(self._ran_before_s):
            return wall_s
        self._ran_s = now_s[0] - self._ran_before_s
        waited_s, self._waited_last_s = now_s[1] - self._waited_last_s, now_s[1]
        self._off_s = max(0.0, min(self._off_s + waited_s, wall_s - self._ran_s))
        return wall_s - self._off_s

    def waits_still(self) -> bool:
        """Return whether a late bot may be waiting for a processor just now.

        It may if it is runnable, and has not run since this was last asked. The first time nobody
        knows whether it runs or waits; it gets the benefit of the doubt for one look.
        """
        last_s, self._ran_when_late_s = self._ran_when_late_s, self._ran_s
        return self.transport.runnable() and (last_s is None or last_s == self._ran_s)
