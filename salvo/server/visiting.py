"""Who a request comes from: the cookie of a session, or a key that was sent with it."""

from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from salvo.server.book import Book
from salvo.server.claims import Refusal
from salvo.server.guard import Policy
from salvo.server.keys import (
    ANYBODY,
    SESSION_S,
    Key,
    Visitor,
    end_session,
    find_key,
    join_session,
    visitor_of,
)
from salvo.server.rates import Rates

__all__ = ["COOKIE", "Door"]

COOKIE = "salvo_session"
_GUESSES_A_MINUTE = 20


class Door:
    """Finds out who asks, and what they may do.

    Args:
        league: The league's folder.
        policy: What is let in.
    """

    def __init__(self, league: Path, policy: Policy) -> None:
        self._league, self._policy = league, policy
        self._guesses = Rates(_GUESSES_A_MINUTE / 60, _GUESSES_A_MINUTE)

    @property
    def is_public(self) -> bool:
        """Whether everybody may read."""
        return self._policy.public

    def visitor(self, request: HTTPConnection) -> Visitor:
        """Return who asks.

        Raises:
            Refusal: If a key was sent that is none, which cannot be tried for ever.
        """
        session = _session(request)
        kind, _, key = request.headers.get("authorization", "").partition(" ")
        keys = [key.strip()] if kind.lower() == "bearer" else []
        if session is None and not keys:
            return ANYBODY
        with Book(self._league) as book:
            found = visitor_of(book, session, keys)
        if keys and not found.keys:
            self._count_guess(request)
            raise Refusal(401, "this key is not known here; it may have been revoked")
        return found

    def _count_guess(self, request: HTTPConnection) -> None:
        if not self._guesses.take(request.scope["address"]):
            raise Refusal(429, "too many wrong keys come from this address; wait a minute")

    def reader(self, request: HTTPConnection) -> Visitor:
        """Return who asks, if they may read.

        Raises:
            Refusal: If not.
        """
        visitor = self.visitor(request)
        if not (self._policy.public or visitor.reads):
            raise Refusal(
                401,
                "this league is not public: open the link, or enter the code, that "
                "its operator gave you, at /enter",
            )
        return visitor

    def operator(self, request: HTTPConnection) -> Visitor:
        """Return who asks, if it is the operator.

        Raises:
            Refusal: If not.
        """
        visitor = self.visitor(request)
        if not visitor.operates:
            raise Refusal(
                403,
                "this is for the operator alone: open the link that `salvo serve` "
                "printed when it started",
            )
        return visitor

    def enter(self, request: Request, key: str) -> Key:
        """Return what a key is.

        Raises:
            Refusal: If it is none.
        """
        with Book(self._league) as book:
            found = find_key(book, key.strip())
        if found is None:
            self._count_guess(request)
            raise Refusal(403, "this link or code is not known here; ask the operator for another")
        return found

    def give(self, request: Request, response: Response, key: Key) -> Response:
        """Add a key to the session of whoever asks, which a cookie names."""
        with Book(self._league) as book:
            session = join_session(book, _session(request), key)
        self._set(request, response, session, SESSION_S)
        return response

    def leave(self, request: Request) -> Response:
        """Forget the session of whoever asks."""
        session = _session(request)
        if session is not None:
            with Book(self._league) as book:
                end_session(book, session)
        response: Response = RedirectResponse("/", 303)
        self._set(request, response, "", 0)
        return response

    def _set(self, request: Request, response: Response, value: str, seconds: int) -> None:
        settings: dict[str, Any] = {"httponly": True, "samesite": "strict", "path": "/"}
        secure = bool(request.scope["secure"])
        response.set_cookie(_cookie(request), value, max_age=seconds, secure=secure, **settings)


def _cookie(request: HTTPConnection) -> str:
    """Return what the cookie is called: by TLS so that no neighbouring site can plant one."""
    return f"__Host-{COOKIE}" if request.scope["secure"] else COOKIE


def _session(request: HTTPConnection) -> str | None:
    """Return what a browser says of its session; None where it says nothing."""
    return request.cookies.get(_cookie(request))
