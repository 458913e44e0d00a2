"""Ends connections in time, whatever the other side does or does not do.

Requests are parsed by httptools: of a body that comes as chunks of a byte, h11 parses a megabyte a
second, while nobody else is answered, and httptools fifty.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 10.0
"""How long the head of a request may take, the first on a connection or a later one."""

HEAD_BYTES = 16 * 1024
_BESIDE_HEADER_BYTES = len(": \r\n")

PIECES, PIECE_BYTES = 2000, 256
"""A body may come in so many pieces, chunks or packets, and one more for each so many bytes."""

_BESIDE_BYTES, _BESIDE_PIECE_BYTES = 16 * 1024, 16
"""Bytes that may come beside those of a body, in all and with each piece: sizes, trailers."""

MOST_OF_PEER = 400
"""Connections of one address: a class behind it, each with some pages open."""


class Connection(HttpToolsProtocol):
    """A connection on which whoever begins a request has to go on with it.

    A request is answered before the next one may begin: what is sent ahead would wait here, in
    memory, for as long as the answer takes.

    Args:
        peer_of: Returns as what an address counts; None for a proxy, on whose connections many come
            together.
    """

    open: ClassVar[dict[tuple[str, int], "Connection"]] = {}
    peers: ClassVar[Counter[str]] = Counter()

    def __init__(self, *, peer_of: Callable[[str], str | None], **settings: Any) -> None:  # noqa: ANN401 - uvicorn's own
        super().__init__(**settings)
        self._peer_of = peer_of
        self._peer: str | None = None
        self._late: asyncio.TimerHandle | None = None
        self._refused: bytes | None = None
        self._heard = self._head = self._came = self._body = self._pieces = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a request."""
        super().connection_made(transport)
        if self.client is not None:
            self.open[self.client] = self
            self._peer = self._peer_of(self.client[0])
        if self._peer is not None:
            self.peers[self._peer] += 1
            if self.peers[self._peer] > MOST_OF_PEER:
                transport.write(
                    _refusal(429, "too many connections come from this address; close some")
                )
                transport.close()
                return
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Take in what came; half a head is waited for no longer than a whole one."""
        if self._answers():
            self._came += len(data)
            self._pieces += 1
        else:
            self._heard += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        try:
            self._limit(self._heard)
        except ValueError as error:
            self.send_400_response(str(error))
        else:
            self._wait()

    def on_message_begin(self) -> None:
        """Begin a request.

        Raises:
            ValueError: If the one before it is not answered yet.
        """
        if self._answers():
            self._refuse(400, "a request was sent before the one before it was answered")
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Take in a part of what is asked for."""
        self._head += len(url)
        self._limit(self._head)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take in a header; one that comes after the body is nobody's business."""
        if not self._answers():
            self._head += len(name) + len(value) + _BESIDE_HEADER_BYTES
            self._limit(self._head)
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the request be answered."""
        super().on_headers_complete()
        self._heard = self._head = self._came = self._body = self._pieces = 0
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def on_chunk_header(self) -> None:
        """Count a chunk of a body."""
        self._pieces += 1
        self._limit()

    def on_body(self, body: bytes) -> None:
        """Take in a part of a body."""
        self._body += len(body)
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request, or none that is taken, and end."""
        if self._answers() and self.cycle.response_started:
            self.transport.abort()
            return
        self.transport.write(self._refused or _refusal(400, msg))
        self.transport.close()

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

    def _limit(self, head: int = 0) -> None:
        """Make sure that what came of a request is within limits, of its head so many bytes."""
        if head > HEAD_BYTES:
            self._refuse(431, f"the head of a request has at most {HEAD_BYTES:,} bytes")
        if self._pieces > PIECES + self._body // PIECE_BYTES:
            self._refuse(400, "the body comes in too many small pieces; send it as a whole")
        if self._came - self._body > _BESIDE_BYTES + _BESIDE_PIECE_BYTES * self._pieces:
            self._refuse(400, "too much comes beside the body; send it as a whole")

    def _refuse(self, status: int, reason: str) -> None:
        self._refused = _refusal(status, reason)
        raise ValueError(reason)

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


def _refusal(status: int, reason: str) -> bytes:
    again = "retry-after: 10\r\n" if status == HTTPStatus.TOO_MANY_REQUESTS else ""
    return (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: text/plain\r\n{again}"
        f"connection: close\r\ncontent-length: {len(reason) + 1}\r\n\r\n{reason}\n"
    ).encode("ascii")


def abort(client: tuple[str, int] | None) -> None:
    """End a connection at once, what was to be sent with it."""
    connection = Connection.open.get(client) if client is not None else None
    if connection is not None:
        connection.transport.abort()
