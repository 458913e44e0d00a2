"""Defines the error that becomes an answer to a request."""

from arena.errors import SalvoError


class Refusal(SalvoError):  # noqa: N818 - an answer to a request, not a bug
    """A request is not allowed or not possible; the message says why and what to do."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
