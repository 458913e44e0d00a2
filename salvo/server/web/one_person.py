"""Lets in one person, by a key that works once, to a server that is there to play on."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from salvo.server.database.keys import spend
from salvo.server.errors import Refusal
from salvo.server.web.handling import Context

_PLAY = "/play"


class OnePerson:
    """Answers at the addresses where a league has its leaderboard, and where keys are used."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def routes(self) -> list[Route]:
        """Return what this answers."""
        return [Route("/", self._begin), Route("/enter", self._enter)]

    def _begin(self, _request: Request) -> Response:
        return RedirectResponse(_PLAY, 303)

    def _enter(self, request: Request) -> Response:
        """Exchange the key for a cookie, once, and let it leave the address."""
        if request.query_params.get("key") is None:
            raise Refusal(401, "open the address that `salvo play --browser` printed")
        authentication = self._context.authentication
        key = authentication.key_of(request, request.query_params["key"])
        response = authentication.add_to_session(request, RedirectResponse(_PLAY, 303), key)
        with self._context.database() as db:
            spend(db, key.id)
        return response
