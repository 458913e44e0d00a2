"""Limits the work of a search: a number of sets of layouts, never a time."""


class TooLargeError(Exception):
    """A game is too large to be solved with the allowed work."""


class Work:
    """The number of sets of layouts that a search may examine; ``None`` for no limit."""

    def __init__(self, allowed: int | None = None) -> None:
        self.allowed = allowed
        self.done = 0

    def count_one(self) -> None:
        """Count one set of layouts as examined.

        Raises:
            TooLargeError: If that is more than is allowed.
        """
        self.done += 1
        if self.allowed is not None and self.done > self.allowed:
            raise TooLargeError(f"more than {self.allowed} sets of layouts to examine")
