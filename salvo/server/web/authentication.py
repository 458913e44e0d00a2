"""Finds out who sent a request, by the cookie of a session or a key that came with it."""

from pathlib import Path
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response

from salvo.server.database.keys import (
    ANYBODY,
    RIGHTS,
    SESSION_S,
    Key,
    Right,
    Visitor,
    find_key,
    forget_session,
    held_right,
    join_session,
    visitor_of,
)
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.web.guard import Policy
from salvo.server.web.rate_limits import RateLimit

COOKIE = "salvo_session"
_HELD = "salvo_held"
"""A cookie that is no secret: it says what the session's allows. Unlike that, it comes along when
a link on another site is followed."""

_GUESSES_A_MINUTE = 20


class Authentication:
    """Finds out who asks, and what they may do."""

    def __init__(self, league: Path, policy: Policy) -> None:
        self._league, self._policy = league, policy
        self._guesses = RateLimit(_GUESSES_A_MINUTE / 60, _GUESSES_A_MINUTE)

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
        is_sent = kind.lower() == "bearer"
        if session is None and not is_sent:
            return ANYBODY
        with Database(self._league) as db:
            sent = find_key(db, key.strip()) if is_sent else None
            if is_sent and sent is None:
                self._count_guess(request)
                raise Refusal(401, "this key is not known here; it may have been revoked")
            return visitor_of(db, session, sent)

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

    def key_of(self, request: Request, key: str) -> Key:
        """Return what a key is.

        Raises:
            Refusal: If it is none.
        """
        with Database(self._league) as db:
            found = find_key(db, key.strip())
        if found is None:
            self._count_guess(request)
            raise Refusal(403, "this link or code is not known here; ask the operator for another")
        return found

    def held(self, request: Request, key: Key) -> Right | None:
        """Return what a browser's session allows, if it is to be asked before it uses a key.

        The link may be somebody else's, so it is asked before a key that allows no more is added
        to its session: what is done here would else count for whoever sent it. To the one that a
        link on another site leads here the session is not known, and any key would take its place:
        what is said beside it is then enough.
        """
        session = _session(request)
        if session is None:
            said = request.cookies.get(cookie_name(request, _HELD))
            return next((right for right in RIGHTS if right == said), None)
        with Database(self._league) as db:
            keys = visitor_of(db, session).keys
        held = held_right(keys)
        if held is None or any(one.id == key.id for one in keys):
            return None
        return held if RIGHTS.index(held) <= RIGHTS.index(key.right) else None

    def add_to_session(self, request: Request, response: Response, key: Key) -> Response:
        """Add a key to the session of whoever asks, which a cookie names."""
        with Database(self._league) as db:
            session = join_session(db, _session(request), key)
            held = held_right(visitor_of(db, session).keys) or ""
        self._set(request, response, session, held, SESSION_S)
        return response

    def end_session(self, request: Request) -> Response:
        """Forget the session of whoever asks."""
        session = _session(request)
        if session is not None:
            with Database(self._league) as db:
                forget_session(db, session)
        response: Response = RedirectResponse("/", 303)
        self._set(request, response, "", "", 0)
        return response

    def _set(
        self, request: Request, response: Response, session: str, held: str, seconds: int
    ) -> None:
        secure = bool(request.scope["secure"])
        settings: dict[str, Any] = {"httponly": True, "max_age": seconds, "secure": secure}
        response.set_cookie(cookie_name(request, COOKIE), session, samesite="strict", **settings)
        response.set_cookie(cookie_name(request, _HELD), held, samesite="lax", **settings)


def cookie_name(request: HTTPConnection, cookie: str) -> str:
    """Return what a cookie is called: by TLS so that no neighbouring site can plant one.

    Browsers send a cookie to all ports of a host. The port in its name keeps apart what is served
    at several, such as a league and `salvo play --browser`.
    """
    port = request.url.port
    name = cookie if port is None else f"{cookie}_{port}"
    return f"__Host-{name}" if request.scope["secure"] else name


def _session(request: HTTPConnection) -> str | None:
    return request.cookies.get(cookie_name(request, COOKIE))
