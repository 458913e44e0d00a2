"""Makes the application: says which address is answered by what."""

import contextlib
import errno
import hashlib
import logging
from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from arena.errors import StorageError, UserError
from salvo.server.errors import Refusal
from salvo.server.leagues import without_place
from salvo.server.web import calendar
from salvo.server.web.api import Api
from salvo.server.web.challenging import Challenging
from salvo.server.web.endpoints import describe
from salvo.server.web.guard import Guard, Policy
from salvo.server.web.handling import Context, answer
from salvo.server.web.live import Live
from salvo.server.web.live_games import LiveGames
from salvo.server.web.live_pages import LivePages
from salvo.server.web.one_person import OnePerson
from salvo.server.web.operating import endpoints
from salvo.server.web.pages import Pages
from salvo.server.web.personal import PersonalPages
from salvo.server.web.playing import Playing
from salvo.server.web.rate_limits import RateLimit
from salvo.server.web.rendering import Rendering
from salvo.server.web.sharing import Sharing
from salvo.server.web.submitting import Submitting
from salvo.server.web.wheel import own_wheel

_STATIC = {
    "page.css": ("leaderboards.display", "templates/page.css", "text/css"),
    "watch.js": ("leaderboards.display", "templates/watch.js", "text/javascript"),
    "server.css": ("salvo.server.web", "static/server.css", "text/css"),
    "challenge.js": ("salvo.server.web", "static/challenge.js", "text/javascript"),
    "play.css": ("salvo.server.web", "static/play.css", "text/css"),
    "play.js": ("salvo.server.web", "static/play.js", "text/javascript"),
    "board.js": ("salvo.server.web", "static/board.js", "text/javascript"),
    "placing.js": ("salvo.server.web", "static/placing.js", "text/javascript"),
    "on_air.js": ("salvo.server.web", "static/on_air.js", "text/javascript"),
    "server.js": ("salvo.server.web", "static/server.js", "text/javascript"),
}
_A_DAY_S = 86_400
_WHEELS_AT_ONCE = 100  # of one address, behind which a class may sit; then one a second
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)

_log = logging.getLogger(__name__)


def make_app(
    league: Path, policy: Policy, closed: str, *, one_person: bool = False
) -> tuple[Guard, Live]:
    """Return the application, and what follows the events while it runs.

    For ``one_person`` the pages are those on which a game is played and watched.
    """
    context = Context(league, policy, closed)
    static, version = static_files()
    rendering = Rendering(league, closed, version, one_person=one_person)
    api = Api(context)
    live_games = LiveGames(league)
    pages, playing = Pages(context, rendering, live_games), Playing(context, rendering)
    live_pages = LivePages(context, rendering, live_games)
    challenging = Challenging(context, rendering)
    described = [
        *api.endpoints(),
        Submitting(context).endpoint(),
        *endpoints(context),
        *calendar.endpoints(context),
        *pages.endpoints(),
        *live_pages.endpoints(),
        *challenging.endpoints(),
        *playing.endpoints(),
    ]
    description = describe(described)

    def serve_static(request: Request) -> Response:
        found = static.get(request.path_params["name"])
        if found is None:
            raise Refusal(404, "there is no such file")
        data, kind = found
        cached = {"cache-control": f"public, max-age={_A_DAY_S}"}
        return Response(data, media_type=kind, headers=cached)

    routes = [
        *(OnePerson(context).routes() if one_person else []),
        *pages.routes(),
        *live_pages.routes(),
        *challenging.routes(),
        *Sharing(context, rendering).routes(),
        *PersonalPages(context, rendering).routes(),
        *calendar.CalendarPages(context, rendering).routes(),
        *playing.routes(),
        Route("/api/openapi.json", lambda _request: answer(description)),
        *(one.route() for one in described),
        Route("/events", api.events),
        Route("/static/{name}", serve_static),
        Route("/static/{version}/{name}", serve_static),  # where one module imports another
        *_wheel_route(),
    ]
    router = Router([_answered(route, league) for route in routes], redirect_slashes=False)
    router.default = _nothing_there
    return Guard(router, policy, rendering.refusal), context.live


def static_files() -> tuple[dict[str, tuple[bytes, str]], str]:
    """Return the files that pages need by name, each with its type, and a text that names them."""
    found = {
        name: (files(package).joinpath(path).read_bytes(), kind)
        for name, (package, path, kind) in _STATIC.items()
    }
    data = b"".join(one for one, _ in found.values())
    return found, hashlib.sha256(data).hexdigest()[:12]


def _wheel_route() -> list[Route]:
    """Return the route to the wheel of this Salvo, which pip has no key for."""
    wheel = own_wheel()
    if wheel is None:
        return []

    rates = RateLimit(1, _WHEELS_AT_ONCE)

    def hand_out(request: Request) -> Response:
        if not rates.take(request.scope["address"]):
            raise Refusal(429, "the wheel was asked for too often from this address; wait a minute")
        return Response(wheel.data, media_type="application/zip")

    return [Route(f"/{wheel.file}", hand_out)]


async def _nothing_there(*_: object) -> None:
    raise Refusal(404, "there is no such page")


def _answered(route: Route, league: Path) -> Route:
    """Return a route where a mistake that somebody made is an answer, without paths."""
    inner = route.app

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await inner(scope, receive, send)
        except (StorageError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _UNWRITABLE:
                raise
            _log.error("%s", error)
            raise Refusal(
                507, "the server cannot write its files; its operator can see why"
            ) from None
        except UserError as error:
            raise Refusal(400, without_place(str(error), league)) from error

    with contextlib.suppress(AttributeError):
        route.app = app
    return route
