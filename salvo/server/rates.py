"""How fast things may come."""

import time

__all__ = ["Rates"]


class Rates:
    """Counts what comes from each address, so that it does not come too fast.

    Args:
        rate: How many a second, in the long run.
        burst: How many at once.
    """

    _MOST = 10_000

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, address: str) -> bool:
        """Return whether one more may come from an address, and count it."""
        if len(self._left) > self._MOST:  # those that are back to a full burst need no entry
            self._left.clear()
        now = time.monotonic()
        left, before = self._left.get(address, (self._burst, now))
        left = min(self._burst, left + (now - before) * self._rate)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        return left >= 1
