"""Reads requests, writes answers, and holds what all handlers share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from arena.league import League
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.leagues import open_league
from salvo.server.web.authentication import Authentication
from salvo.server.web.guard import Policy
from salvo.server.web.live import Live
from salvo.server.web.responses import JSON


class Context:
    """Holds what all handlers share: the league, who may do what, and the events.

    Args:
        closed: Reason why submissions are closed, or "" if they are open.
    """

    def __init__(self, folder: Path, policy: Policy, closed: str) -> None:
        self.folder, self.closed = folder, closed
        self.authentication, self.live = Authentication(folder, policy), Live(folder)

    def league(self) -> League:
        """Return the league as it is now."""
        return open_league(self.folder)

    def entered(self) -> int:
        """Return a number that changes whenever a bot is entered or withdrawn."""
        try:
            return (self.folder / "register.json").stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def database(self) -> Database:
        """Open the server's database."""
        return Database(self.folder)


def allowed(
    access: Callable[[Request], object], handler: Callable[[Request], Response]
) -> Callable[[Request], Response]:
    """Return a handler that checks access first, which raises a `Refusal` if there is none."""

    def checked(request: Request) -> Response:
        access(request)
        return handler(request)

    return checked


def answer(data: object, status: int = 200) -> Response:
    """Return data as JSON; what is an answer already stays as it is."""
    if isinstance(data, Response):
        return data
    return Response(msgspec.json.encode(data), status, media_type=JSON)


async def body_of(request: Request, kind: type[Any]) -> Any:  # noqa: ANN401 - of that kind
    """Return the body of a request.

    Raises:
        Refusal: If it is no JSON of that kind.
    """
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal(400, f"the body: {error}") from None


def number_of(request: Request, name: str, default: int, most: int) -> int:
    """Return a whole number from the query.

    Raises:
        Refusal: If it is none, or not from 1 to ``most``.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    if not re.fullmatch("[0-9]{1,15}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise Refusal(400, f"{name}: {text[:30]!a} is not a whole number from 1 to {most}")
    return int(text)


def address_of(request: Request) -> str:
    """Return the address of this server as its visitor calls it."""
    scheme = "https" if request.scope["secure"] else "http"
    return f"{scheme}://{request.headers['host']}"
