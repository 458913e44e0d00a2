"""Connections that end in time, whatever the other side does or does not do."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_S", "MOST_OF_PEER", "Connection", "abort"]

HEAD_S = 10.0
"""How long the head of a request may take, the first on a connection or a later one."""


MOST_OF_PEER = 400
"""Connections of one address: a class behind it, each with some pages open."""

_TOO_MANY = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain\r\nconnection: close\r\n"
    b"retry-after: 10\r\n\r\ntoo many connections come from this address; close some\n"
)


class Connection(H11Protocol):
    """A connection on which whoever begins a request has to go on with it.

    Args:
        peer_of: Returns as what an address counts; None for a proxy, on whose connections many come
            together.
        settings: Those of uvicorn.
    """

    open: ClassVar[dict[tuple[str, int], "Connection"]] = {}
    peers: ClassVar[Counter[str]] = Counter()

    def __init__(self, *, peer_of: Callable[[str], str | None], **settings: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**settings)
        self._peer_of = peer_of
        self._peer: str | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a request."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = None
        if self.client is not None:
            self.open[self.client] = self
            self._peer = self._peer_of(self.client[0])
        if self._peer is not None:
            self.peers[self._peer] += 1
            if self.peers[self._peer] > MOST_OF_PEER:
                transport.write(_TOO_MANY)
                transport.close()
                return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in what came; half a head is waited for no longer than a whole one."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        if self._late is not None:
            self._late.cancel()
        if self.client is not None:
            self.open.pop(self.client, None)
        if self._peer is not None:
            self.peers[self._peer] -= 1
            if not self.peers[self._peer]:
                del self.peers[self._peer]
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is None and not self._answers():
            self._late = self.loop.call_later(HEAD_S, self._end)

    def _answers(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _end(self) -> None:
        self._late = None
        if not self._answers():
            self.transport.abort()


def abort(client: tuple[str, int] | None) -> None:
    """End a connection at once, what was to be sent with it."""
    connection = Connection.open.get(client) if client is not None else None
    if connection is not None:
        connection.transport.abort()
