"""How much a search may cost, counted in looks at sets of layouts and never by a clock."""

__all__ = ["TooLargeError", "Work"]


class TooLargeError(Exception):
    """A game is too large to be solved with the work allowed."""


class Work:
    """An allowance of looks at sets of layouts; ``None`` is as many as it takes."""

    def __init__(self, allowed: int | None = None) -> None:
        self.allowed = allowed
        self.done = 0

    def look(self) -> None:
        """Count one look.

        Raises:
            TooLargeError: If that is one more than is allowed.
        """
        self.done += 1
        if self.allowed is not None and self.done > self.allowed:
            raise TooLargeError(f"more than {self.allowed} sets of layouts to look at")
