"""What programs read, as JSON and CSV; `salvo.server.web.openapi` says so in their language."""

import csv
import io
import re
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import Path

from anyio import to_thread
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.store import RESULT_COLUMNS
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import withdraw
from salvo.server.database.queue import Submission, submission, submissions
from salvo.server.errors import Refusal
from salvo.server.leagues import opened
from salvo.server.web import published
from salvo.server.web.authentication import Authentication
from salvo.server.web.concurrency import ConcurrencyLimit, LimitedStream
from salvo.server.web.handling import Source, answer, body_of, number_of
from salvo.server.web.live import Live
from salvo.server.web.openapi import DESCRIPTION

_MOST_GAMES = 1000
_GAME_COLUMNS = (
    "id",
    "first",
    "second",
    "pair",
    "result",
    "termination",
    "forfeit",
    "first_turns",
    "first_shots",
    "first_hits",
    "second_turns",
    "second_shots",
    "second_hits",
)
_STREAMS_OF_ADDRESS, _STREAMS = 100, 1500
"""Streams of events of one address, and in all; the other connections are for pages."""

_LOOK_AGAIN_S = 5.0
"""How often it is looked whether whoever follows events may still read."""

_EXPORTS, _EXPORTS_OF_ADDRESS = 4, 2
"""Downloads of all games at the same time."""

_PAGE_BLOCKS = 50
"""Of a download, the blocks that are read at once."""

_EXPORT_S = 600.0
"""For the whole of a download."""


class _Nothing(Struct, forbid_unknown_fields=True):
    """The body of a request that has nothing more to say."""


class _Entering(Struct, forbid_unknown_fields=True):
    """A key to be added to a session."""

    key: str


class Api:
    """Answers programs.

    Args:
        league: The league's folder.
        authentication: Who may what.
        live: What happens.
        closed: Why nothing can be submitted.
    """

    def __init__(
        self, league: Path, authentication: Authentication, live: Live, closed: str
    ) -> None:
        self._source, self._live, self._closed = Source(league, authentication), live, closed
        self._streams = ConcurrencyLimit(
            each=_STREAMS_OF_ADDRESS, most=_STREAMS, what="pages that follow events"
        )
        self._exports = ConcurrencyLimit(
            each=_EXPORTS_OF_ADDRESS, most=_EXPORTS, what="downloads of all games"
        )

    def routes(self) -> list[Route]:
        """Return what this answers."""
        return [
            Route("/api/openapi.json", self.openapi),
            Route("/api/league", self.league),
            Route("/api/standings", self.standings),
            Route("/api/bots", self.bots, methods=["GET"]),
            Route("/api/bots/{name}", self.bot),
            Route("/api/bots/{name}/withdraw", self.withdraw, methods=["POST"]),
            Route("/api/games", self.games),
            Route("/api/games/{id}", self.game),
            Route("/api/queue", self.queue),
            Route("/api/submissions/{id}", self.submission),
            Route("/api/enter", self.enter, methods=["POST"]),
            Route("/api/leave", self.leave, methods=["POST"]),
            Route("/data/elo.csv", self.elo_csv),
            Route("/data/turns.csv", self.turns_csv),
            Route("/data/games.csv", self.games_csv),
            Route("/events", self.events),
        ]

    def openapi(self, request: Request) -> Response:
        """Return the description of all this."""
        del request
        return answer(DESCRIPTION)

    def league(self, request: Request) -> Response:
        """Return what is played, and whether bots can be submitted."""
        self._source.authentication.reader(request)
        charter = self._source.league().charter
        return answer(
            {
                "rules": charter.rules,
                "games": charter.games,
                "layouts": charter.layouts,
                "times": charter.times,
                "anchor": charter.anchor,
                "submissions": {"open": not self._closed, "reason": self._closed},
            }
        )

    def standings(self, request: Request) -> Response:
        """Return both leaderboards."""
        self._source.authentication.reader(request)
        with self._source.database() as db:
            boards = Leaderboards.read(db)
            plain = db.board("plain") or {"elo": [], "turns": []}
        provisional = {row.name for row in boards.elo if row.provisional}
        for row in plain["elo"]:
            row["provisional"] = row["bot"] in provisional
        return answer(
            {
                "at": boards.at,
                "games": boards.games,
                "solo_games": boards.solo,
                "missing_games": boards.missing,
                **plain,
                "notes": [*boards.elo_notes, *boards.turns_notes, *boards.notes],
            }
        )

    def bots(self, request: Request) -> Response:
        """Return every version that was ever entered, oldest first."""
        self._source.authentication.reader(request)
        entries = self._source.league().entries
        return answer(
            [
                {"name": one.name, "version": one.version, "state": one.state, "bot": one.full_name}
                for one in entries
            ]
        )

    def bot(self, request: Request) -> Response:
        """Return what is known of one bot."""
        self._source.authentication.reader(request)
        name = request.path_params["name"]
        published.versions_of(self._source.league(), name)
        with self._source.database() as db:
            told = db.board(f"bot:{name}") or {}
        return answer({"name": name, "latency": None, **told})

    async def withdraw(self, request: Request) -> Response:
        """Take a bot out of the field, for its author."""
        await body_of(request, _Nothing)
        # It may wait for others who write, and the loop that answers everybody must not.
        return await to_thread.run_sync(self._withdraw, request)

    def _withdraw(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not self._source.authentication.visitor(request).owns(name):
            raise Refusal(403, "only its author can withdraw a bot, by its secret link")
        with self._source.database() as db:
            return answer({"done": withdraw(db, self._source.folder, name)})

    def games(self, request: Request) -> Response:
        """Return games, newest first: some hundred, or those before a block."""
        self._source.authentication.reader(request)
        most = number_of(request, "limit", 100, _MOST_GAMES)
        before = number_of(request, "before", 0, 10**15) or None
        name = request.query_params.get("bot")
        found = published.recent(self._source.league(), name=name, before=before, most=most)
        return answer(
            {
                "games": published.game_rows(found),
                "before": found[-1].block if found else None,
            }
        )

    def game(self, request: Request) -> Response:
        """Return a whole game."""
        self._source.authentication.reader(request)
        record = self._source.league().record
        return answer(
            published.plain_game(*published.recorded_game(record, request.path_params["id"]))
        )

    def queue(self, request: Request) -> Response:
        """Return what waits, what is being checked, and what was."""
        self._source.authentication.reader(request)
        with self._source.database() as db:
            waiting = submissions(db, most=1000, waiting=True)
            done = submissions(db, most=50, waiting=False)
        return answer({"waiting": list(map(_line, waiting)), "done": list(map(_line, done))})

    def submission(self, request: Request) -> Response:
        """Return how far a submission is, with what its bot wrote, for its author."""
        visitor = self._source.authentication.visitor(request)
        with self._source.database() as db:
            found = submission(db, request.path_params["id"])
        if found is None:
            raise Refusal(404, "there is no such submission")
        return answer(plain_submission(found, whole=visitor.owns(found.name)))

    async def enter(self, request: Request) -> Response:
        """Add a key to the session of a browser."""
        asked: _Entering = await body_of(request, _Entering)
        return await to_thread.run_sync(self._enter, request, asked.key)

    def _enter(self, request: Request, text: str) -> Response:
        key = self._source.authentication.enter(request, text)
        return self._source.authentication.give(request, answer({"done": "the link is used"}), key)

    async def leave(self, request: Request) -> Response:
        """Forget the session of a browser."""
        await body_of(request, _Nothing)
        return await to_thread.run_sync(self._source.authentication.leave, request)

    def elo_csv(self, request: Request) -> Response:
        """Return the leaderboard of two-player games as CSV."""
        return self._csv(request, "elo.csv")

    def turns_csv(self, request: Request) -> Response:
        """Return the leaderboard of solo games as CSV."""
        return self._csv(request, "turns.csv")

    def _csv(self, request: Request, name: str) -> Response:
        self._source.authentication.reader(request)
        with self._source.database() as db:
            return Response(db.board(name) or "", media_type="text/csv")

    def games_csv(self, request: Request) -> Response:
        """Return every game as CSV, without what bots wrote."""
        self._source.authentication.reader(request)
        named = {"content-disposition": 'attachment; filename="games.csv"'}
        return LimitedStream(self._lines(), self._exports, "text/csv", named)

    def _lines(self) -> Iterator[str]:
        """Yield all games; between the parts the record is closed, so that nobody holds it.

        Raises:
            TimeoutError: If the other side takes them too slowly.
        """
        record = self._source.league().record
        yield ",".join(_GAME_COLUMNS) + "\n"
        deadline = time.monotonic() + _EXPORT_S
        block: int | None = 0
        while block is not None:
            if time.monotonic() > deadline:
                raise TimeoutError
            with opened(record) as store:
                if store is None:
                    return
                block, rows = store.page_of_results("league", after=block, most=_PAGE_BLOCKS)
            yield _written(rows)

    async def events(self, request: Request) -> Response:
        """Return what happens as it happens."""
        self._source.authentication.reader(request)
        told = request.headers.get("last-event-id", "")
        last = int(told) if re.fullmatch("[0-9]{1,15}", told) else None
        stream: AsyncIterator[str] = self._live.stream(last)
        if not self._source.authentication.is_public:
            stream = self._while_reader(request, stream)
        return LimitedStream(stream, self._streams, "text/event-stream")

    async def _while_reader(
        self, request: Request, stream: AsyncIterator[str]
    ) -> AsyncIterator[str]:
        """Yield a stream as long as whoever asked may read: a key may be revoked meanwhile."""
        looked = time.monotonic()
        async for part in stream:
            if time.monotonic() > looked + _LOOK_AGAIN_S:
                looked = time.monotonic()
                try:
                    await to_thread.run_sync(self._source.authentication.reader, request)
                except Refusal:
                    return
            yield part


def _written(rows: Iterable[Sequence[object]]) -> str:
    places = [RESULT_COLUMNS.index(name) for name in _GAME_COLUMNS]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [row[place] for place in places] for row in rows
    )
    return text.getvalue()


def _line(one: Submission) -> dict[str, object]:
    return {
        "number": one.number,
        "name": one.name,
        "state": one.state,
        "entry": one.entry,
        "steps": len(one.steps),
        "at": one.at,
    }


def plain_submission(one: Submission, *, whole: bool) -> dict[str, object]:
    """Return a submission as data; what its bot wrote and was sent is for its author alone."""
    shown = ("number", "title", "verdict", "seconds", "detail", "exchange", "stderr")
    keys = shown if whole else shown[:3]
    return {
        **_line(one),
        "reason": one.reason if whole else "",
        "steps": [{key: step[key] for key in keys} for step in one.steps],
    }
