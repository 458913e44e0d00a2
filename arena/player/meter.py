"""The time that a bot is charged.

A bot is charged for the time from a request to its answer, minus the time that it was runnable but
waited for a processor, where the system reports that: on a busy machine a bot pays for sleeping but
not for being starved. It times out when the charge exceeds its budget. The wait is bounded: after
``BACKSTOP_FACTOR`` times the budget plus ``BACKSTOP_S`` seconds, a bot whose charge is still within
the budget counts as ``Starved``. A bot that has started processes of its own gets no more than the
budget in wall time, since it may be waiting for them.
"""

import time
from collections.abc import Callable

from arena.player.interface import Fault, Starved
from arena.player.process import Transport
from arena.records import Termination

__all__ = ["exchange", "load"]

BACKSTOP_FACTOR = 10
BACKSTOP_S = 1.0

MOMENT_S = 0.001
"""Answers within a moment are charged in wall time, without stopping anybody or reading clocks."""

WORTH_WAITING_S = 0.0005
"""The least remaining budget for which to poll again; a poll takes whole milliseconds."""


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
    before_s = transport.times_s()
    deadline = started + budget_s
    answer = transport.receive(deadline)
    while answer is None:
        deadline += _more_s(transport, budget_s, deadline - started, before_s)
        answer = transport.receive(deadline)
    # An answer that is there when the arena itself wakes up too late counts as in time.
    wall_s = min(time.monotonic(), deadline) - started
    return answer, _charge_s(wall_s, before_s, transport.times_s())


def load(transport: Transport, line: bytes, budget_s: float) -> bytes:
    """Send the first line to a bot that has just been started; return its answer.

    Raises:
        Fault: As for ``exchange``, counting the bot's time since its process started.
    """
    started = time.monotonic()
    deadline = started + budget_s
    transport.send(line, deadline)
    answer = transport.receive(deadline)
    while answer is None:
        deadline += _more_s(transport, budget_s, deadline - started, (0.0, 0.0))
        answer = transport.receive(deadline)
    return answer


def _more_s(
    transport: Transport, budget_s: float, wall_s: float, before_s: tuple[float, float] | None
) -> float:
    """Return how much longer to wait for a bot that has not answered yet, in seconds.

    Raises:
        Fault: See ``exchange``.
    """
    charge_s = _charge_s(wall_s, before_s, transport.times_s())
    more_s = budget_s - charge_s
    if more_s < WORTH_WAITING_S or not transport.alone():
        raise Fault(Termination.TIMEOUT, "did not answer in time")
    patience_s = BACKSTOP_FACTOR * budget_s + BACKSTOP_S - wall_s
    if patience_s <= 0:
        raise Starved(
            Termination.TIMEOUT,
            f"did not answer in {wall_s:.3g} s, of which it was charged {charge_s:.3g} s",
        )
    return min(more_s, patience_s)


def _charge_s(
    wall_s: float, before_s: tuple[float, float] | None, now_s: tuple[float, float] | None
) -> float:
    """Return wall time minus the wait for a processor.

    The charge is at least the time that the bot ran: threads that compete for a processor wait for
    one another, which must not earn them time.
    """
    if before_s is None or now_s is None:
        return wall_s
    ran_s, waited_s = now_s[0] - before_s[0], now_s[1] - before_s[1]
    return wall_s - max(0.0, min(waited_s, wall_s - ran_s))
