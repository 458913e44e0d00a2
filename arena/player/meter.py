"""The time that a bot is charged.

A bot is charged for the time from a request to its answer, minus the time that it was runnable but
waited for a processor, where the system reports that: on a busy machine a bot pays for sleeping but
not for being starved. It times out when the charge exceeds its budget. Nor is it charged for the
time by which the arena comes late, itself waiting for a processor, to its first look at the bot's
clocks or to reading the answer.

The system reports a wait only once it has ended. A late bot that may still be waiting, for so long
that without this wait it would not be late, is looked at again after ``LOOK_S``; it may have been
waiting since the look after which it has last run. So a bot with one thread that sleeps and runs by
turns, to look as if it waited, gains ``LOOK_S`` and what the arena comes late to two looks.

The wait is bounded: after ``BACKSTOP_FACTOR`` times the budget plus ``BACKSTOP_S`` seconds, a bot
whose charge is still within the budget counts as ``Starved``.

Threads of one bot buy no time by waiting for one another: the charge is never less than the time
that they ran, summed, or than the wall time if that is less. A thread that ends before its waits
are looked at takes them with it, and the bot is charged for them.

A bot that may start processes, or has some when it is looked at, is charged wall time: they may be
what it waits for, and those that end before a look leave no trace that it could not hide. At levels
that do not keep a bot from starting processes unasked, this does not find one that hides them.
"""

import math
import time
from collections.abc import Callable

from arena.isolation import own_wait_s
from arena.player.messages import too_late
from arena.player.player import Fault, Starved
from arena.player.process_transport import Transport
from arena.records import Termination

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

    ``slow`` is called once if no answer comes within a moment.

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
    # How long the bot waited before its clocks are first read is not known, so the time by which
    # the arena itself comes too late to that is not charged.
    started += max(0.0, time.monotonic() - deadline)
    return _Account(transport, before_s, started).await_answer(budget_s)


class Loading:
    """A bot that has just been started, and was sent its first line.

    What was answered while nobody waited counts as in time.
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
        account = _Account(self._transport, (0.0, 0.0), self._started)
        return account.await_answer(self._budget_s)[0]


class _Account:
    """The charge for one answer of a bot: wall time minus the wait for a processor.

    No more is taken off than leaves the time that the bot did run: of threads that take the
    processor from one another, each waits for the others. What is not taken off by then is lost:
    a thread that starts another program becomes the first of the process, and brings with it
    all that it ever waited.

    The bot was asked at the monotonic time ``started``; it had run and waited for ``before_s`` by
    then, None if that is not known.
    """

    def __init__(
        self, transport: Transport, before_s: tuple[float, float] | None, started: float
    ) -> None:
        self._transport = transport
        self._started = started
        self._times_known = before_s is not None
        self._ran_before_s, self._waited_last_s = before_s or (0.0, 0.0)
        self._ran_s = 0.0
        self._off_s = 0.0

    def await_answer(self, budget_s: float) -> tuple[bytes, float]:
        """Return the answer and the charge for it, in seconds; see ``exchange``."""
        deadline = self._started + budget_s
        own_before_s = own_wait_s()
        answer = self._transport.receive(deadline)
        while answer is None:
            own_before_s = own_wait_s()
            deadline += self._more_s(budget_s, deadline)
            answer = self._transport.receive(deadline)
        # An answer that is there when the arena itself wakes up too late counts as in time.
        now = time.monotonic()
        until = min(now, deadline)
        own_s = own_wait_s() - own_before_s
        charge_s = self._charge_s(until, max(0.0, own_s - (now - until)))
        if charge_s - budget_s >= WORTH_WAITING_S:
            raise too_late()
        return answer, charge_s

    def _more_s(self, budget_s: float, now: float) -> float:
        """Return how much longer to wait for a bot that has not answered yet, in seconds."""
        charge_s = self._charge_s(now)
        if budget_s - charge_s < WORTH_WAITING_S:
            since = self._waiting_since()
            # It may have got its turn just before it was seen not to wait.
            charge_s = self._charge_s(now)
            least_s = max(charge_s - max(0.0, now - since), min(self._ran_s, charge_s))
            if budget_s - least_s < WORTH_WAITING_S:
                raise too_late()
        more_s = budget_s - charge_s
        if more_s < WORTH_WAITING_S:
            more_s = LOOK_S
        wall_s = now - self._started
        patience_s = BACKSTOP_FACTOR * budget_s + BACKSTOP_S - wall_s
        if patience_s <= 0:
            raise Starved(
                Termination.TIMEOUT,
                f"did not answer in {wall_s:.3g} s, of which it was charged "
                f"{min(charge_s, budget_s):.3g} s",
            )
        return min(more_s, patience_s)

    def _charge_s(self, now: float, own_s: float = 0.0) -> float:
        """Return the charge up to a time that may have passed already.

        The arena itself had waited for a processor for ``own_s`` before that.
        """
        wall_s = now - self._started
        times_s = self._transport.times_s() if self._times_known else None
        # The clocks were read now, so they are compared with the time that it is now.
        read_s = time.monotonic() - self._started
        self._times_known = times_s is not None
        if times_s is None:
            return wall_s
        self._ran_s = times_s[0] - self._ran_before_s
        waited_s, self._waited_last_s = times_s[1] - self._waited_last_s, times_s[1]
        self._off_s = max(0.0, min(self._off_s + waited_s, read_s - self._ran_s))
        if self._off_s + own_s > MOMENT_S and not self._transport.alone():
            self._times_known = False
            return wall_s
        return max(wall_s - self._off_s - own_s, min(self._ran_s, wall_s))

    def _waiting_since(self) -> float:
        """Return since when the bot may have been waiting for a processor; infinity if not."""
        if not self._times_known or not self._transport.alone():
            return math.inf
        since = self._transport.waiting_since()
        return math.inf if since is None else max(since, self._started)
