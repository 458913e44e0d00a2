"""Limits how many answers that take long are under way at once, of each address and in all."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterable, Iterable, Iterator, Mapping

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from salvo.server.errors import Refusal


class ConcurrencyLimit:
    """Counts what is under way. Use it in the event loop alone.

    Args:
        each: How many one address may have.
        most: How many there may be in all.
    """

    def __init__(self, *, each: int, most: int, what: str) -> None:
        self._each, self._most, self._what = each, most, what
        self._taken: Counter[str] = Counter()

    @contextlib.contextmanager
    def taken(self, address: str) -> Iterator[None]:
        """Take a place for an address, as long as the block runs.

        Raises:
            Refusal: If it has its share, or the limit of all is reached.
        """
        if self._taken[address] >= self._each:
            raise Refusal(
                429, f"this address has {self._each} {self._what} already; end one, or try later"
            )
        if self._taken.total() >= self._most:
            raise Refusal(503, f"others have {self._most} {self._what}; try again in a minute")
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


class LimitedStream(StreamingResponse):
    """An answer that takes a place for as long as it lasts."""

    def __init__(
        self,
        parts: AsyncIterable[str] | Iterable[str],
        limit: ConcurrencyLimit,
        kind: str,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(parts, media_type=kind, headers=headers)
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, or raise a `Refusal` where the limit is reached."""
        if scope["method"] == "HEAD":  # there is nothing to wait for
            start = {"status": self.status_code, "headers": self.raw_headers}
            await send({"type": "http.response.start", **start})
            await send({"type": "http.response.body"})
            return
        with self._limit.taken(scope["address"]):
            await super().__call__(scope, receive, send)
