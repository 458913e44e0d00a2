"""Shares games: pictures and animations of them, and a page that other sites may embed."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from importlib.util import find_spec

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from leaderboards.display.animation import animated_svg, still_svg
from leaderboards.display.replay_frames import Replay, plain_replay
from leaderboards.display.templating import as_data
from salvo.server.errors import Refusal
from salvo.server.kept_games import recorded_game
from salvo.server.web import shown_games
from salvo.server.web.handling import Context, allowed
from salvo.server.web.rate_limits import RateLimit
from salvo.server.web.rendering import Rendering

CAN_DRAW = find_spec("PIL") is not None
"""Whether PNG and GIF can be drawn here."""

_KEPT = 64
_DRAWN, _DRAWN_AT_ONCE = 0.2, 20  # for one address, a second in the long run and at once


def _png(replay: Replay) -> bytes:
    from leaderboards.display import raster  # noqa: PLC0415 - it needs an extra

    return raster.png(replay)


def _gif(replay: Replay) -> bytes:
    from leaderboards.display import raster  # noqa: PLC0415 - it needs an extra

    return raster.gif(replay)


_DRAWINGS: Mapping[str, tuple[str, Callable[[Replay], bytes]]] = {
    "picture.svg": ("image/svg+xml", lambda replay: still_svg(replay).encode()),
    "picture.png": ("image/png", _png),
    "game.svg": ("image/svg+xml", lambda replay: animated_svg(replay).encode()),
    "game.gif": ("image/gif", _gif),
}
"""The type of each drawing, and what draws it; pictures stand for links, games move."""

_NEED_PILLOW = ("picture.png", "game.gif")


class Sharing:
    """Draws games, and lets other sites embed them."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page = context, rendering.page
        self._authentication = context.authentication
        self._drawn: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = threading.Lock()
        self._rates = RateLimit(_DRAWN, _DRAWN_AT_ONCE)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        reader = self._authentication.reader
        return [
            Route("/embed/{id}", self._embed),
            *(Route(f"/games/{{id}}/{name}", allowed(reader, self._draw)) for name in _DRAWINGS),
        ]

    def _replay(self, identifier: str) -> tuple[str, list[Replay]]:
        game, rules = recorded_game(self._context.league(), identifier)
        replays = shown_games.replays_of(game, rules)
        if not replays[0].frames:
            raise Refusal(404, "no salvo was fired in this game")
        return game.fixture.id, replays

    def _embed(self, request: Request) -> Response:
        """Return a game to embed. It knows no cookies: whoever embeds it sees what all may see."""
        if not self._authentication.is_public:
            raise Refusal(403, "this league is not public, so that its games cannot be embedded")
        identifier, replays = self._replay(request.path_params["id"])
        return self._page(
            "embed.html.j2",
            id=identifier,
            replays=replays,
            watched=[(one.key, as_data(plain_replay(one))) for one in replays[:1]],
        )

    def _draw(self, request: Request) -> Response:
        identifier, name = request.url.path.split("/")[-2:]
        kind, draw = _DRAWINGS[name]
        if name in _NEED_PILLOW and not CAN_DRAW:
            raise Refusal(404, "this server draws SVG alone: its operator can install 'draw'")
        game, replays = self._replay(identifier)
        key = f"{game} {name}"
        data = self._drawn.get(key)
        if data is None:
            if not self._rates.take(request.scope["address"]):
                raise Refusal(429, "too many games are drawn for this address; wait a minute")
            with self._drawing:  # one after another: they take a processor for a second
                data = self._drawn.get(key) or draw(replays[0])
                self._drawn[key] = data
                if len(self._drawn) > _KEPT:
                    self._drawn.popitem(last=False)
        headers = {"cache-control": "private, max-age=86400"}
        if name.startswith("game"):
            file = f"{game[:8]}.{name.rpartition('.')[2]}"
            headers["content-disposition"] = f'attachment; filename="{file}"'
        return Response(data, media_type=kind, headers=headers)
