"""Connections that end in time, whatever the other side does or does not do."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_S", "Connection", "abort"]

HEAD_S = 10.0
"""How long the head of a request may take, the first on a connection or a later one."""


class Connection(H11Protocol):
    """A connection on which whoever begins a request has to go on with it."""

    open: ClassVar[dict[tuple[str, int], "Connection"]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, and wait for a request."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = None
        if self.client is not None:
            self.open[self.client] = self
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
