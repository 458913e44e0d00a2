"""Receives the body of a request, within limits of size and time."""

import asyncio
import contextlib
import time

from starlette.datastructures import Headers
from starlette.types import Message, Receive

from salvo.server.errors import Refusal

BODY_BYTES = 64 * 1024
BODY_S = 20.0
"""For the whole body of a request; of an upload this and a second for each 64 KiB."""

_DROPPED_S, _DROPPED_BYTES = 5.0, 16 * 1024 * 1024


class Body:
    """Receives the body of a request, of limited size, in a time that fits it."""

    def __init__(self, receive: Receive, headers: Headers, most: int) -> None:
        self._receive, self._most, self._left = receive, most, most
        self._length = headers.get("content-length")
        self._deadline = time.monotonic() + BODY_S + most / BODY_BYTES
        self.whole = "transfer-encoding" not in headers and self._length in (None, "0")

    def refuse_unwanted(self, method: str) -> None:
        """Refuse beforehand a body that is not to be there, or says that it is too large.

        Raises:
            Refusal: If it is one.
        """
        if method in ("GET", "HEAD") and not self.whole:
            raise Refusal(400, f"{method} requests have no body here")
        if self._length is not None and (
            not self._length.isdigit() or int(self._length) > self._most
        ):
            raise self._too_large()

    async def receive(self) -> Message:
        """Return the next part of it, or that the other side has left.

        Raises:
            Refusal: If it is too large, or comes too slowly.
        """
        if self.whole:  # what comes next is that the other side leaves, whenever that is
            return await self._receive()
        try:
            left_s = self._deadline - time.monotonic()
            async with asyncio.timeout(max(0.0, min(BODY_S, left_s))):
                message = await self._receive()
        except TimeoutError:
            raise Refusal(408, "the body comes too slowly") from None
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            self.whole = not message.get("more_body", False)
            if self._left < 0:
                raise self._too_large()
        return message

    async def drop(self) -> None:
        """Receive what is left of it, within limits, and forget it.

        A connection that is closed while more comes is reset, and who still sends does not get to
        read why the request was refused. One that does not say how long it is is not waited for.
        """
        left = _DROPPED_BYTES if self._length is not None else 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_DROPPED_S):
                while left > 0 and not self.whole:
                    message = await self._receive()
                    left -= len(message.get("body", b""))
                    self.whole = not message.get("more_body", False)

    def _too_large(self) -> Refusal:
        return Refusal(
            413, f"the body is larger than {self._most:,} bytes, which is the limit here"
        )
