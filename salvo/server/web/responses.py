"""Sends HTTP responses: headers common to all, and errors."""

import asyncio
import contextlib
import json
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

from salvo.server.errors import Refusal
from salvo.server.web.bodies import Body
from salvo.server.web.connections import abort

SEND_S = 30.0
"""For the other side to take a part of an answer."""

JSON = "application/json"
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

EMBEDDED = "/embed/"
"""Pages whose addresses begin so may be embedded by other sites: they know no cookies."""

_HEADERS_EMBEDDED = {
    name: value.replace("frame-ancestors 'none'", "frame-ancestors *")
    for name, value in _HEADERS.items()
    if name != "x-frame-options"
} | {"cross-origin-resource-policy": "cross-origin"}


class Sent:
    """Sends an answer, with the headers that every one has, and gives up where nobody takes it."""

    def __init__(self, send: Send, body: Body, page: Callable[[Refusal], bytes], path: str) -> None:
        self._send, self._body, self._page = send, body, page
        self._headers = _HEADERS_EMBEDDED if path.startswith(EMBEDDED) else _HEADERS
        self._begun = False

    async def __call__(self, message: Message) -> None:
        """Send a part of an answer, or raise a `TimeoutError` if nobody takes it."""
        if message["type"] == "http.response.start":
            self._begun = True
            headers = MutableHeaders(raw=message["headers"])
            for name, value in self._headers.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
            if not self._body.whole:
                headers["connection"] = "close"
        async with asyncio.timeout(SEND_S):
            await self._send(message)

    async def refuse(self, scope: Scope, headers: Headers, refusal: Refusal) -> None:
        """Answer that something is not done, and why."""
        if self._begun:
            abort(scope.get("client"))
            return
        if wants_json(scope["path"], headers):
            kind, data = JSON, json.dumps({"error": str(refusal)}).encode()
        else:
            kind, data = "text/html; charset=utf-8", self._page(refusal)
        length = str(len(data)).encode()
        raw = [(b"content-type", kind.encode()), (b"content-length", length)]
        if refusal.status in (408, 413, 429):
            raw += [(b"retry-after", b"10"), (b"connection", b"close")]
        start = {"type": "http.response.start", "status": refusal.status, "headers": raw}
        with contextlib.suppress(TimeoutError, ConnectionError):
            await self(start)
            await self({"type": "http.response.body", "body": data, "more_body": True})
            await self._body.drop()
            await self({"type": "http.response.body"})


def wants_json(path: str, headers: Headers) -> bool:
    """Return whether an answer in words should be JSON."""
    return path.startswith("/api/") or "text/html" not in headers.get("accept", "")
