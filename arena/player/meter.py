"""The time that a bot is charged for.

A bot is charged for the time from a request to its answer, less the time that it was ready to run
and waited for a processor, where the system tells that: on a busy machine sleepers pay and the
starved do not. It loses by the clock when the charge exceeds its budget. However it is not
waited for without end: past ``BACKSTOP_FACTOR`` times the budget and ``BACKSTOP_S`` seconds, with
the charge still within the budget, it counts as ``Starved``. A bot that has started processes
of its own is not waited for past the budget at all: they may be what it waits for.
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
"""What is answered within a moment is charged as it is: nobody is stopped, and no book opened."""

WORTH_WAITING_S = 0.0005
"""A poll takes whole milliseconds; for less of a budget it is not called again."""


def exchange(
    transport: Transport, line: bytes, budget_s: float, slow: Callable[[], None]
) -> tuple[bytes, float]:
    """Send a line; return the answer and what the bot is charged for it, in seconds.

    Args:
        transport: The way to the bot.
        line: What it is sent.
        budget_s: What it may be charged at the most.
        slow: Called once if no answer comes within a moment.

    Raises:
        Fault: ``TIMEOUT``, if the charge exceeds the budget; ``Starved``, if it does not but the
            patience is at its end.
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
    # What is there when the arena itself wakes up too late, counts as come in time.
    wall_s = min(time.monotonic(), deadline) - started
    return answer, _charge_s(wall_s, before_s, transport.times_s())


def load(transport: Transport, line: bytes, budget_s: float) -> bytes:
    """Send the first line to a bot that has just been started; return its answer.

    Raises:
        Fault: As for ``exchange``; what counts is all that the bot ran since it began.
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
    """Return for how much longer a bot is waited for that has not answered yet.

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
    """Return wall time less the wait for a processor.

    No more is taken off than leaves the time that the bot did run: of threads that take the
    processor from one another, each waits for the others.
    """
    if before_s is None or now_s is None:
        return wall_s
    ran_s, waited_s = now_s[0] - before_s[0], now_s[1] - before_s[1]
    return wall_s - max(0.0, min(waited_s, wall_s - ran_s))
