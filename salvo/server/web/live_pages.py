"""Makes the pages on which games are watched, in play and as they come in."""

import threading
from collections import OrderedDict
from typing import Any
from urllib.parse import urlencode

import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from leaderboards.display.replay_frames import plain_frame, plain_replay
from leaderboards.display.templating import as_data
from salvo.server.errors import Refusal
from salvo.server.web import shown_games
from salvo.server.web.channels import Channel, Channels, OnAir
from salvo.server.web.concurrency import ConcurrencyLimit, LimitedStream
from salvo.server.web.endpoints import Endpoint, GameId, Name
from salvo.server.web.handling import Context, allowed, number_of
from salvo.server.web.live_games import LiveGames
from salvo.server.web.live_stream import Airing, LiveStream
from salvo.server.web.page_cache import PageCache
from salvo.server.web.rendering import Rendering

_MOST_KEPT = 64
_STREAMS_OF_ADDRESS, _STREAMS = 100, 500
_MOST_SALVOS = 100_000
_A_PAGE = 8  # salvos of a game in play after which its page is made again
_AHEAD = 2  # salvos before the last known one at which those after it are fetched


class LivePages:
    """Makes the pages on which games are watched, in play and as they come in."""

    def __init__(self, context: Context, rendering: Rendering, games: LiveGames) -> None:
        self._context, self._page = context, rendering.page
        self._reader = context.authentication.reader
        self._games = games
        self._channels, self._cache = Channels(), PageCache(_MOST_KEPT)
        self._kept: OrderedDict[str, list[str]] = OrderedDict()  # salvos of games in play
        self._adding = threading.Lock()
        self._stream = LiveStream(self._watched)
        self._streams = ConcurrencyLimit(
            each=_STREAMS_OF_ADDRESS, most=_STREAMS, what="pages that follow games in play"
        )

    def routes(self) -> list[Route]:
        """Return what this answers."""
        return [
            Route("/live", allowed(self._reader, self._live)),
            Route("/live/salvos", self._follow),
        ]

    def endpoints(self) -> list[Endpoint]:
        """Return what is described."""
        return [
            Endpoint(
                path="/api/live",
                handler=self.on_air,
                access=self._reader,
                answers=OnAir,
                parameters={"bot": Name, "game": GameId},
            )
        ]

    def _channel(self, query: str) -> Channel:
        """Return the channel of a query: "", "bot=NAME" or "game=ID"."""
        what, _, which = query.partition("=")
        if what == "game":
            return self._channels.get(query, lambda: Channel(lambda: [which], self._games.progress))
        name = which or None
        return self._channels.get(
            query, lambda: Channel(lambda: self._games.latest(name), self._games.progress)
        )

    def _query(self, request: Request) -> str:
        """Return by what a channel is asked for.

        Raises:
            Refusal: If there is no such bot, or game.
        """
        game, name = request.query_params.get("game"), request.query_params.get("bot")
        if game is not None:
            if self._games.progress(game) is None:
                raise Refusal(404, "there is no such game, or its play was broken off")
            return urlencode({"game": game})
        if name is not None:
            shown_games.versions_of(self._context.league(), name)
            return urlencode({"bot": name})
        return ""

    def on_air(self, request: Request) -> OnAir:
        """Return which game is shown live, of all or of one bot, and where it stands."""
        found = self._channel(self._query(request)).now()
        if found is None:
            raise Refusal(404, "no game was played yet")
        return found

    def _watched(self, query: str) -> Airing | None:
        now = self._channel(query).now()
        if now is None:
            return None
        if now.stage == "in play":
            return Airing(now, self._salvos(now))
        with self._adding:
            self._kept.pop(now.game, None)
        return Airing(now, [])

    def _salvos(self, now: OnAir) -> list[str]:
        """Return the salvos of a game in play as JSON, each with that of every view.

        What came in anew is added once it is about to be shown.
        """
        with self._adding:
            kept = self._kept.get(now.game, [])
            more = now.salvos - len(kept)
            is_near = now.at_s >= (len(kept) - _AHEAD) * now.salvo_s
            if more == 0 or (more > 0 and not is_near):
                return kept
            if more < 0:
                kept = []  # it was broken off, and is played again
            replays = self._games.replays(now.game, after=len(kept))
            views = [[(one.key, plain_frame(frame)) for frame in one.frames] for one in replays]
            salvos = zip(*views, strict=True)
            kept = [*kept, *(msgspec.json.encode(dict(salvo)).decode() for salvo in salvos)]
            self._kept[now.game] = kept
            self._kept.move_to_end(now.game)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
            return kept

    async def _follow(self, request: Request) -> Response:
        """Return the salvos of a game in play as they are fired."""

        def check() -> str:
            self._reader(request)
            return self._query(request)

        query = await to_thread.run_sync(check)
        place = number_of(request, "salvos", 0, _MOST_SALVOS)
        salvos = self._stream.of(query, request.query_params.get("of", ""), place)
        return LimitedStream(salvos, self._streams, "text/event-stream")

    def _live(self, request: Request) -> Response:
        query = self._query(request)
        now = self._channel(query).now()
        is_one = "game" in request.query_params  # which is looked at by itself, without a list
        rows = [] if is_one else self._games.in_play(request.query_params.get("bot"))
        shown: dict[str, Any] = {
            "name": request.query_params.get("bot"),
            "query": query,
            "rows": rows,
        }
        if now is None:
            return self._page("live.html.j2", **shown, now=None, replays=[])
        shown["recorded"] = now.stage == "over" and self._games.is_recorded(now.game)
        # Salvos that came since a page was made are sent behind it.
        known = now.salvos // _A_PAGE if now.stage == "in play" else 0
        played = f"{self._games.began(now.game)} {now.stage} {known}"
        version = f"{played} {shown['recorded']} {[row.id for row in rows]}"

        def watch() -> bytes:
            replays = self._games.replays(now.game)
            watched = [(replay.key, as_data(plain_replay(replay))) for replay in replays]
            page = self._page("live.html.j2", **shown, now=now, replays=replays, watched=watched)
            return bytes(page.body)

        address = f"/live {query} {now.game} {version} {self._context.entered()}"
        return self._cache.get(address, 0, watch).answer(request)
