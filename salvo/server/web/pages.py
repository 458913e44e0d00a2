"""Makes the pages that are read: each is whole, and none needs a script."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from leaderboards.display.palette import styles
from leaderboards.display.replay_frames import plain_replay
from leaderboards.display.templating import as_data
from salvo.reports.words.rules_text import describe_rules
from salvo.server.database.analyses import Analyses
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import owners
from salvo.server.database.queue import submissions
from salvo.server.errors import Refusal
from salvo.server.kept_games import recorded_game
from salvo.server.web import downloads, shown_games
from salvo.server.web.endpoints import LAST_BLOCK, Done, Endpoint, GameId, Nothing
from salvo.server.web.handling import Context, address_of, allowed, number_of
from salvo.server.web.live_games import LiveGames, Row
from salvo.server.web.page_cache import PageCache
from salvo.server.web.rendering import Rendering
from salvo.server.web.sharing import CAN_DRAW
from salvo.server.work.bosses import bosses_of

_BOARD = "/"
_MOST_KEPT = 256


class Pages:
    """Makes the pages that everybody sees alike who may read."""

    def __init__(
        self, context: Context, rendering: Rendering, live: LiveGames | None = None
    ) -> None:
        self._context, self._page, self._live = context, rendering.page, live
        self._face, self._dates = rendering.face, rendering.dates
        self._authentication, self._cache = context.authentication, PageCache(_MOST_KEPT)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        pages = {
            "/bots/{name}": self._bot,
            "/games": self._games,
            "/games/{id}": self._game,
            "/games/{id}/analysis": self._analysis,
            "/queue": self._queue,
            "/rules": self._rules,
            "/write": self._write,
            "/write/{file}": self._download,
            "/data": self._data,
        }
        reader = self._authentication.reader
        return [
            Route(_BOARD, self._board),
            *(Route(path, allowed(reader, page)) for path, page in pages.items()),
        ]

    def _names(self, boards: Leaderboards) -> dict[str, Any]:
        named = [row.name for row in (*boards.elo, *boards.turns)]
        entered = {entry.name for entry in self._context.league().entries}
        return {"style": styles(named), "address": {name: name for name in entered}}

    async def _board(self, request: Request) -> Response:
        """Return both leaderboards; the page is made once for all who look at it."""
        if not self._authentication.is_public:
            await to_thread.run_sync(self._authentication.reader, request)
        rated = self._context.live.rated
        address = f"{_BOARD} {self._face.stamp} {self._dates()}"
        kept = self._cache.find(address, rated)
        if kept is None:
            kept = await to_thread.run_sync(self._cache.get, address, rated, self.board)
        return kept.answer(request)

    def board(self) -> bytes:
        """Return the page of both leaderboards."""
        with self._context.database() as db:
            boards, owned = Leaderboards.read(db), owners(db)
        league = self._context.league()
        page = self._page(
            "board.html.j2",
            boards=boards,
            rules=league.charter.rules,
            bosses=bosses_of(league, owned),
            **self._names(boards),
        )
        return bytes(page.body)

    def _bot(self, request: Request) -> Response:
        name = request.path_params["name"]
        in_play = [] if self._live is None else self._live.in_play(name)
        playing = [row.id for row in in_play]
        address = f"/bots/{name} {self._context.entered()} {self._dates()} {playing}"
        rated = self._context.live.rated
        make = partial(self.bot, name, in_play=in_play)
        return self._cache.get(address, rated, make).answer(request)

    def bot(self, name: str, latest: int = 20, in_play: Sequence[Row] = ()) -> bytes:
        """Return the page of a bot, with its games in play and its latest."""
        league = self._context.league()
        versions = [entry for entry in league.entries if entry.name == name]
        games = shown_games.recent(league, name=name, most=latest)
        with self._context.database() as db:
            boards = Leaderboards.read(db)
            told = db.board(f"bot:{name}")
        page = self._page(
            "bot.html.j2",
            name=name,
            in_play=in_play,
            versions=versions,
            told=told,
            latency=told and told.get("latency"),
            rows=shown_games.game_rows(games[:latest]),
            **self._names(boards),
        )
        return bytes(page.body)

    def _games(self, request: Request) -> Response:
        name = request.query_params.get("bot")
        before = number_of(request, "before", 0, LAST_BLOCK) or None
        found = shown_games.recent(self._context.league(), name=name, before=before, most=50)
        return self._page(
            "games.html.j2",
            name=name,
            rows=shown_games.game_rows(found),
            before=found[-1].block if len(found) >= 50 else None,  # noqa: PLR2004 - see above
            live=before is None,
        )

    def _game(self, request: Request) -> Response:
        identifier = request.path_params["id"]
        return self._cache.get(
            f"/games/{identifier} {self._context.entered()} {self._dates()}",
            0,
            lambda: self.game(identifier),
        ).answer(request)

    def game(self, identifier: str) -> bytes:
        """Return the page of a game."""
        game, rules = recorded_game(self._context.league(), identifier)
        replays = shown_games.replays_of(game, rules)
        page = self._page(
            "game.html.j2",
            id=game.fixture.id,
            replays=replays,
            public=self._authentication.is_public,
            shared_at=self._shared_at(),
            can_draw=CAN_DRAW,
            watched=[(replay.key, as_data(plain_replay(replay))) for replay in replays],
        )
        return bytes(page.body)

    def _shared_at(self) -> str:
        """Return the address of the server, as links have it; empty where there is none."""
        with self._context.database() as db:
            return db.setting("address", "")

    def _analysis(self, request: Request) -> Response:
        """Return the analysis of a game, or how far it is."""
        from salvo.reports.tables.analysis import why_not_analysed  # noqa: PLC0415 - it needs numpy

        game, rules = recorded_game(self._context.league(), request.path_params["id"])
        identifier = game.fixture.id
        with Analyses(self._context.folder) as analyses:
            found = analyses.find(f"game {identifier}")
        replay = found.data if found is not None and found.state == "done" else None
        return self._page(
            "analysis.html.j2",
            id=identifier,
            state=found.state if found else "none",
            failed=found.data if found and found.state == "failed" else "",
            why_not=why_not_analysed(rules),
            replay=replay,
            replays=[replay],
            watched=[("game", as_data(replay))],
        )

    def endpoints(self) -> list[Endpoint]:
        """Return what is asked for from these pages."""
        return [
            Endpoint(
                path="/api/games/{id}/analyse",
                handler=self.analyse,
                access=self._authentication.reader,
                body=Nothing,
                answers=Done,
                parameters={"id": GameId},
            )
        ]

    def analyse(self, request: Request, _asked: Nothing) -> Done:
        """Have a game analysed."""
        game, _ = recorded_game(self._context.league(), request.path_params["id"])
        with Analyses(self._context.folder) as analyses:
            analyses.ask(f"game {game.fixture.id}", request.scope["address"])
        return Done("the analysis is under way")

    def _queue(self, _request: Request) -> Response:
        with self._context.database() as db:
            waiting = submissions(db, most=300, waiting=True)
            done = submissions(db, most=50, waiting=False)
            missing = Leaderboards.read(db).missing
            paused = db.setting("paused", "no") == "yes"
        return self._page(
            "queue.html.j2", waiting=waiting, done=done, missing=missing, paused=paused
        )

    def _rules(self, _request: Request) -> Response:
        return Response(self.rules(), media_type="text/html")

    def rules(self) -> bytes:
        """Return the page of the rules and the protocol."""
        charter = self._context.league().charter
        page = self._page(
            "rules.html.j2",
            rules=describe_rules(charter.rules),
            charter=charter,
            protocol=downloads.protocol(),
        )
        return bytes(page.body)

    def _write(self, request: Request) -> Response:
        return self._page(
            "write.html.j2", templates=downloads.templates(), here=address_of(request)
        )

    def _download(self, request: Request) -> Response:
        name = request.path_params["file"]
        found = {one.file: one for one in downloads.templates()}.get(name)
        if found is None:
            raise Refusal(404, "there is no such file")
        named = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(found.text, media_type="application/octet-stream", headers=named)

    def _data(self, request: Request) -> Response:
        return self._page("data.html.j2", here=address_of(request))
