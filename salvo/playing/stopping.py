"""Stops at Ctrl-C: the first lets games in play finish, the second stops at once."""

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Self

_STDERR = 2


class GracefulStop:
    """Takes Ctrl-C in a ``with`` statement; called, it says whether there was one.

    The second raises ``KeyboardInterrupt``. Where Ctrl-C is ignored, as in what a shell has
    started in the background, it still is; and it reaches the main thread alone.

    Args:
        announce: Returns what to say at the first, a line.
    """

    def __init__(self, announce: Callable[[], str]) -> None:
        self._announce = announce
        self._asked = False

    def __call__(self) -> bool:
        """Return whether to begin nothing more."""
        return self._asked

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGINT)
        self._takes = (
            self._before is not signal.SIG_IGN
            and threading.current_thread() is threading.main_thread()
        )
        if self._takes:
            signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(self, *_: object) -> None:
        if self._takes:
            signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, _signal: int, _frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        # Not through sys.stderr, which may be in the middle of a write.
        os.write(_STDERR, f"\nsalvo: {self._announce()}\n".encode())
