"""Delays work that this machine cannot do for now, as while a disk is full."""

import time

_FIRST_S, _MOST_S = 1.0, 60.0

OUTAGE_S = 60.0, 3600.0
"""The first and the longest rest of a bot that says that there is an outage."""


class Backoff:
    """The rest before work is tried again: longer each time that it fails, in seconds."""

    def __init__(self, first_s: float = _FIRST_S, most_s: float = _MOST_S) -> None:
        self._first_s, self._most_s = first_s, most_s
        self._rest_s = self._until = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the work failed when it was last tried."""
        return self._rest_s > 0

    @property
    def rests(self) -> bool:
        """Whether it is too early to try again."""
        return self.is_on and time.monotonic() < self._until

    def failed(self) -> bool:
        """Note that the work failed; return whether that is news."""
        is_news = not self.is_on
        if not self.rests:  # else it was begun before it failed elsewhere
            self._rest_s = min(2 * self._rest_s, self._most_s) or self._first_s
            self._until = time.monotonic() + self._rest_s
        return is_news

    def succeeded(self) -> None:
        """Note that the work is done again."""
        self._rest_s = 0.0
