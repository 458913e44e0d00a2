"""Asks the application of a league for a page, or something with a body, without a server."""

import asyncio
import json
from pathlib import Path
from typing import Any, NamedTuple

from starlette.types import Message

from salvo.server.web.app import make_app
from salvo.server.web.guard import Guard, Policy

LOOP = asyncio.new_event_loop()


class Answer(NamedTuple):
    """A response: its status, headers and body."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, tuple[str, set[str]]]  # the value of each that was set, and its settings
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:  # noqa: ANN401 - JSON has any shape
        return json.loads(self.body)

    @property
    def refusal(self) -> tuple[int, str]:
        return self.status, self.json["error"]


def ask(app: Guard, path: str, body: object = None, **headers: str) -> Answer:
    """Return the answer to a request; one with a body is a POST, of bytes or of JSON."""
    path, _, query = path.partition("?")
    data, kind = b"", "application/json"
    if isinstance(body, bytes):
        data, kind = body, "application/octet-stream"
    elif body is not None:
        data = json.dumps(body).encode()
    if body is not None:
        headers = {"content-type": kind, "content-length": str(len(data))} | headers
    scope = {
        "type": "http",
        "method": "GET" if body is None else "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("192.0.2.2", 1),
        "server": ("here", int(headers["host"].partition(":")[2] or 80)),
        "scheme": "http",
        "root_path": "",
    }
    bodies = [data]
    sent: list[Message] = []

    async def receive() -> Message:
        if not bodies:
            await asyncio.Event().wait()  # nobody leaves before the answer is whole
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    LOOP.run_until_complete(app(scope, receive, send))
    start, *parts = sent
    told, cookies = {}, {}
    for name, value in start["headers"]:
        told[name.decode()] = value.decode()
        if name == b"set-cookie":
            cookie, *settings = value.decode().split("; ")
            key, _, secret = cookie.partition("=")
            cookies[key] = secret, set(settings)
    whole = b"".join(part.get("body", b"") for part in parts)
    return Answer(start["status"], told, cookies, whole)


class Site:
    """The application of a league, and those who ask it from one address."""

    def __init__(self, league: Path, **settings: Any) -> None:  # noqa: ANN401 - of the policy
        policy = Policy(hosts=frozenset({"here"}), **{"public": True} | settings)
        self.league = league
        self.app: Guard
        self.app, _ = make_app(league, policy, "")

    def ask(
        self, path: str, body: object = None, *, key: str | None = None, **headers: str
    ) -> Answer:
        if key is not None:
            headers["authorization"] = f"Bearer {key}"
        return ask(self.app, path, body, **{"host": "here:81"} | headers)
