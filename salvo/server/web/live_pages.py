"""Makes the pages on which games are watched as they come in."""

import itertools
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from leaderboards.display.html_page import as_data
from leaderboards.display.replay_frames import plain_replay
from salvo.server.errors import Refusal
from salvo.server.kept_games import recorded_game
from salvo.server.web import shown_games
from salvo.server.web.channels import Channel, Channels, OnAir
from salvo.server.web.endpoints import Endpoint, Name
from salvo.server.web.handling import Context, allowed
from salvo.server.web.page_cache import PageCache
from salvo.server.web.rendering import Rendering

_LATEST = 60  # games among which the next to be shown is chosen
_MOST_KEPT = 64


class LivePages:
    """Makes the pages on which games are watched as they come in."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page = context, rendering.page
        self._reader = context.authentication.reader
        self._channels, self._cache = Channels(), PageCache(_MOST_KEPT)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        return [Route("/live", allowed(self._reader, self._live))]

    def endpoints(self) -> list[Endpoint]:
        """Return what is described."""
        return [
            Endpoint(
                path="/api/live",
                handler=self.on_air,
                access=self._reader,
                answers=OnAir,
                parameters={"bot": Name},
            )
        ]

    def _channel(self, request: Request) -> Channel:
        name = request.query_params.get("bot")
        if name is not None:
            shown_games.versions_of(self._context.league(), name)

        def games() -> list[str]:
            found = shown_games.recent(self._context.league(), name=name, most=_LATEST)
            return [game.id for game in found if game.second is not None]

        return self._channels.get(name or "", lambda: Channel(games, self._salvos))

    def _salvos(self, identifier: str) -> int:
        game, _ = recorded_game(self._context.league(), identifier)
        return shown_games.count_salvos(game)

    def on_air(self, request: Request) -> OnAir:
        """Return which game is shown live, of all or of one bot, and where it stands."""
        found = self._channel(request).now()
        if found is None:
            raise Refusal(404, "no game was played yet")
        return found

    def _live(self, request: Request) -> Response:
        name = request.query_params.get("bot")
        found = self._channel(request).now()
        if found is None:
            return self._page("live.html.j2", name=name, replays=[])
        address = f"/live {name} {found.game}"
        return self._cache.get(address, 0, lambda: self._watch(name, found.game)).answer(request)

    def _watch(self, name: str | None, identifier: str) -> bytes:
        game, rules = recorded_game(self._context.league(), identifier)
        replays = shown_games.replays_of(game, rules)
        replays = list(itertools.chain(replays[1:], replays[:1]))  # what one saw comes first
        shown: dict[str, Any] = {
            "name": name,
            "id": identifier,
            "replays": replays,
            "watched": [(replay.key, as_data(plain_replay(replay))) for replay in replays],
        }
        return bytes(self._page("live.html.j2", **shown).body)
