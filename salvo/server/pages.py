"""The pages: each is made here, whole, and none needs a script to be read."""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from anyio import to_thread
from jinja2 import PackageLoader
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.league import League
from leaderboards.palette import MARKS, styles
from leaderboards.replays import plain_replay
from leaderboards.report import as_data, environment
from salvo.reports.rules_text import describe_rules
from salvo.reports.stderr_text import stderr_lines
from salvo.server import downloads, reading
from salvo.server.boards import Boards
from salvo.server.claims import Refusal
from salvo.server.drawings import bar, history
from salvo.server.kept import Shelf
from salvo.server.keys import Key, Visitor
from salvo.server.live import Live
from salvo.server.operating import state_of
from salvo.server.queue import submission, submissions
from salvo.server.sources import Source, address_of, number_of
from salvo.server.visiting import Door

__all__ = ["Pages"]

_LANDINGS: Mapping[str, str] = {
    "operate": "/operate",
    "submit": "/submit",
    "author": "/mine",
    "read": "/",
}
_BOARD = "/"
_MOST_KEPT, _MOST_FORFEITS = 256, 64
_OWN = 20
"""Submissions that the page of their author shows."""

_TITLES = {400: "That cannot be done", 401: "Not public", 403: "Not allowed", 404: "Not found"}


class Pages:
    """Makes the pages.

    Args:
        league: The league's folder.
        door: Who may what.
        live: What happens.
        closed: Why nothing can be submitted; empty if it can.
        version: That of the files that pages load, so that browsers load them anew.
    """

    def __init__(self, league: Path, door: Door, live: Live, closed: str, version: str) -> None:
        self._source, self._door, self._closed = Source(league, door), door, closed
        self._environment = environment(PackageLoader("salvo.server"))
        self._environment.globals |= {
            "home": "/bots/",
            "version": version,
            "closed": closed,
            "title_of_league": league.resolve().name,
            "marks": MARKS,
            "bar": bar,
            "history": history,
        }
        self._environment.filters["stderr_lines"] = stderr_lines
        self._environment.filters["moment"] = _moment
        self._live, self._shelf = live, Shelf(_MOST_KEPT)
        self._forfeits: OrderedDict[str, tuple[int, list[dict[str, str]]]] = OrderedDict()

    def routes(self) -> list[Route]:
        """Return what this answers."""
        pages: dict[str, Callable[[Request], Any]] = {
            "/": self.board,
            "/bots/{name}": self.bot,
            "/games": self.games,
            "/games/{id}": self.game,
            "/queue": self.queue,
            "/submit": self.submit,
            "/submissions/{id}": self.submission,
            "/mine": self.mine,
            "/mine/{name}": self.own,
            "/rules": self.rules,
            "/write": self.write,
            "/write/{file}": self.download,
            "/data": self.data,
            "/operate": self.operate,
            "/enter": self.enter,
            "/entered/{right}": self.entered,
        }
        return [Route(path, page) for path, page in pages.items()]

    def _page(self, template: str, status: int = 200, **shown: Any) -> Response:  # noqa: ANN401 - what a template shows
        text = self._environment.get_template(template).render(template=template, **shown)
        return Response(text, status, media_type="text/html")

    def refusal(self, refusal: Refusal) -> bytes:
        """Return the page that says why something is not done."""
        title = _TITLES.get(refusal.status, "Not now")
        return bytes(
            self._page(
                "refusal.html.j2", title=title, reason=str(refusal), status=refusal.status
            ).body
        )

    def _names(self, boards: Boards) -> dict[str, Any]:
        """Return how the bots of the leaderboards are drawn, and that each has a page."""
        named = [row.name for row in (*boards.elo, *boards.turns)]
        entered = {entry.name for entry in self._source.league().entries}
        return {"style": styles(named), "address": {name: name for name in entered}}

    async def board(self, request: Request) -> Response:
        """Return both leaderboards; the page is made once for all who look at it."""
        if not self._door.is_public:
            await to_thread.run_sync(self._door.reader, request)
        rated = self._live.rated
        kept = self._shelf.find(_BOARD, rated)
        if kept is None:
            kept = await to_thread.run_sync(self._shelf.get, _BOARD, rated, self._board)
        return kept.answer(request)

    def _board(self) -> bytes:
        with self._source.book() as book:
            boards = Boards.read(book)
        rules = self._source.league().charter.rules
        page = self._page("board.html.j2", boards=boards, rules=rules, **self._names(boards))
        return bytes(page.body)

    def bot(self, request: Request) -> Response:
        """Return what is known of one bot."""
        self._door.reader(request)
        name = request.path_params["name"]
        address, rated = f"/bots/{name} {self._source.entered()}", self._live.rated
        return self._shelf.get(address, rated, lambda: self._bot(name)).answer(request)

    def _bot(self, name: str) -> bytes:
        league = self._source.league()
        versions = [entry for entry in league.entries if entry.name == name]
        games = reading.recent(league, name=name, most=20)
        with self._source.book() as book:
            boards = Boards.read(book)
            told = book.board(f"bot:{name}")
        page = self._page(
            "bot.html.j2",
            name=name,
            versions=versions,
            told=told,
            latency=told and told.get("latency"),
            rows=reading.game_rows(games[:20]),
            **self._names(boards),
        )
        return bytes(page.body)

    def games(self, request: Request) -> Response:
        """Return the latest games: all, or those of one bot."""
        self._door.reader(request)
        name = request.query_params.get("bot")
        before = number_of(request, "before", 0, 10**15) or None
        found = reading.recent(self._source.league(), name=name, before=before, most=50)
        return self._page(
            "games.html.j2",
            name=name,
            rows=reading.game_rows(found),
            before=found[-1].block if len(found) >= 50 else None,  # noqa: PLR2004 - see above
            live=before is None,
        )

    def game(self, request: Request) -> Response:
        """Return a game to watch, which never changes."""
        self._door.reader(request)
        identifier = request.path_params["id"]
        return self._shelf.get(f"/games/{identifier}", 0, lambda: self._game(identifier)).answer(
            request
        )

    def _game(self, identifier: str) -> bytes:
        game, rules = reading.recorded_game(self._source.league().record, identifier)
        replays = reading.replays_of(game, rules)
        page = self._page(
            "game.html.j2",
            id=game.fixture.id,
            watch_title="Replay",
            replays=replays,
            watched=[(replay.key, as_data(plain_replay(replay))) for replay in replays],
        )
        return bytes(page.body)

    def queue(self, request: Request) -> Response:
        """Return what waits to be checked, what is being checked, and what was."""
        self._door.reader(request)
        with self._source.book() as book:
            waiting = submissions(book, most=300, waiting=True)
            done = submissions(book, most=50, waiting=False)
            missing = Boards.read(book).missing
            paused = book.setting("paused", "no") == "yes"
        return self._page(
            "queue.html.j2", waiting=waiting, done=done, missing=missing, paused=paused
        )

    def submit(self, request: Request) -> Response:
        """Return the box into which a bot is dropped."""
        visitor = self._door.visitor(request)
        return self._page(
            "submit.html.j2",
            here=address_of(request),
            invited=bool(visitor.invites),
            names=visitor.names,
            name="",
        )

    def submission(self, request: Request) -> Response:
        """Return how far the check of a bot is; its author sees what it wrote, too."""
        visitor = self._door.visitor(request)
        with self._source.book() as book:
            found = submission(book, request.path_params["id"])
            if found is None:
                raise Refusal(404, "there is no such submission")
            told = book.board(f"bot:{found.name}") or {}
        plays = any(one.full_name == found.entry for one in self._source.league().field)
        return self._page(
            "submission.html.j2",
            one=found,
            own=visitor.owns(found.name),
            plays=plays,
            sentences=told.get("sentences", []),
        )

    def mine(self, request: Request) -> Response:
        """Return the bots of whoever looks, or the page of the only one."""
        visitor = self._door.visitor(request)
        if len(visitor.names) == 1:
            return RedirectResponse(f"/mine/{visitor.names[0]}", 303)
        return self._page("mine.html.j2", names=visitor.names)

    def own(self, request: Request) -> Response:
        """Return what is for the author of a bot alone: the games it forfeited, and its stderr."""
        name = request.path_params["name"]
        visitor = self._own(request, name)
        league = self._source.league()
        entered = any(entry.name == name for entry in league.entries)
        with self._source.book() as book:
            done = submissions(book, most=_OWN, waiting=False, name=name)
            waiting = submissions(book, most=_OWN, waiting=True, name=name)
        return self._page(
            "own.html.j2",
            name=name,
            here=address_of(request),
            entered=entered,
            plays=any(entry.name == name for entry in league.field),
            forfeits=self._forfeits_of(league, name) if entered else [],
            submissions=[*waiting, *done][:_OWN],
            operator=visitor.operates,
        )

    def _forfeits_of(self, league: League, name: str) -> list[dict[str, str]]:
        """Return the forfeits of a bot as of the last time that the leaderboards changed."""
        rated = self._live.rated
        kept = self._forfeits.get(name)
        if kept is None or kept[0] != rated:
            kept = self._forfeits[name] = (rated, reading.forfeits(league, name))
            if len(self._forfeits) > _MOST_FORFEITS:
                self._forfeits.popitem(last=False)
        return kept[1]

    def _own(self, request: Request, name: str) -> Visitor:
        visitor = self._door.visitor(request)
        if not visitor.owns(name):
            raise Refusal(403, "this is for the bot's author: open the secret link of its name")
        return visitor

    def rules(self, request: Request) -> Response:
        """Return the rules and the protocol."""
        self._door.reader(request)
        charter = self._source.league().charter
        return self._page(
            "rules.html.j2",
            rules=describe_rules(charter.rules),
            charter=charter,
            protocol=downloads.protocol(),
        )

    def write(self, request: Request) -> Response:
        """Return how to write a bot."""
        self._door.reader(request)
        return self._page(
            "write.html.j2", templates=downloads.templates(), here=address_of(request)
        )

    def download(self, request: Request) -> Response:
        """Return a bot to begin with."""
        self._door.reader(request)
        name = request.path_params["file"]
        found = {one.file: one for one in downloads.templates()}.get(name)
        if found is None:
            raise Refusal(404, "there is no such file")
        named = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(found.text, media_type="application/octet-stream", headers=named)

    def data(self, request: Request) -> Response:
        """Return where the raw data is."""
        self._door.reader(request)
        return self._page("data.html.j2", here=address_of(request))

    def operate(self, request: Request) -> Response:
        """Return the operator's page."""
        self._door.operator(request)
        with self._source.book() as book:
            state = state_of(book)
        field = self._source.league().field
        return self._page(
            "operate.html.j2",
            state=state,
            field=field,
            folder=str(self._source.folder),
            here=address_of(request),
        )

    def enter(self, request: Request) -> Response:
        """Exchange a key for a cookie, and let it leave the address."""
        text = request.query_params.get("key")
        if text is None:
            return self._page("enter.html.j2")
        key: Key = self._door.enter(request, text)
        return self._door.give(request, RedirectResponse(f"/entered/{key.right}", 303), key)

    def entered(self, request: Request) -> Response:
        """Lead on to the page that a key is for.

        A link in a letter comes from another site, and with what follows from it by itself a strict
        cookie is not sent; with what this page leads to it is.
        """
        target = _LANDINGS.get(request.path_params["right"])
        if target is None:
            raise Refusal(404, "there is no such page")
        return self._page("entered.html.j2", target=target)


def _moment(at: str) -> str:
    """Return a time of the book for people."""
    return at.removesuffix("Z").replace("T", " ")
