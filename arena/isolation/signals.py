"""The signals that end the arena, and holding them back while a process is made."""

import contextlib
import signal
import sys
from collections.abc import Iterator

__all__ = ["ENDING", "held_back"]

ENDING = (
    frozenset()
    if sys.platform == "win32"
    else frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
)
"""The signals that end the arena."""


@contextlib.contextmanager
def held_back() -> Iterator[set[int]]:
    """Hold ``ENDING`` back, and yield what was held back before; a new process inherits this."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield before
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
