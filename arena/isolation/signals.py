"""Holds back the signals that end the arena while it forks, and obeys them within a bound."""

import contextlib
import signal
import sys
from collections.abc import Iterator

ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
"""The signals that end the arena."""

LEAVE_S = 3
"""How long a process may take to end its bots before the kernel ends it."""


@contextlib.contextmanager
def held_back() -> Iterator[set[int]]:
    """Hold ``ENDING`` back, and yield what was held back before; a new process inherits this."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_when_told(code: int = 0) -> None:
    """Have SIGTERM and SIGHUP end this process through all finally clauses, which end its bots.

    Whatever those wait for, or if the exception by which it leaves is lost, the process has ended
    ``LEAVE_S`` after the signal: a timer of the kernel's ends it.
    """

    def leave(_signal: int, _frame: object) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)  # a second one must not interrupt the cleanup
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LEAVE_S)
        sys.exit(code)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
