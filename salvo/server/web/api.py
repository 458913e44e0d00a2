"""Answers programs, in JSON and CSV."""

import re
import time
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from arena.league import Anchor
from arena.records import Settings
from arena.rules import Rules
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import withdraw
from salvo.server.database.queue import State, Submission, submission, submissions
from salvo.server.dates import dates_of
from salvo.server.errors import Refusal
from salvo.server.kept_games import recorded_game
from salvo.server.web import shown_games
from salvo.server.web.concurrency import ConcurrencyLimit, LimitedStream
from salvo.server.web.endpoints import LAST_BLOCK, Done, Endpoint, GameId, Name, Nothing
from salvo.server.web.games_csv import games_csv
from salvo.server.web.handling import Context, answer, number_of

_MOST_GAMES = 1000
_STREAMS_OF_ADDRESS, _STREAMS = 100, 1500
"""Streams of events of one address, and in all; the other connections are for pages."""

_RECHECK_S = 5.0  # how often it is checked whether whoever follows events may still read
_EXPORTS, _EXPORTS_OF_ADDRESS = 4, 2  # downloads of all games at the same time
_EXPORT_S = 600.0  # for the whole of a download


class Enter(Struct, forbid_unknown_fields=True):
    """A key to be added to a session."""

    key: str


class Submissions(Struct):
    """Whether bots can be submitted, and why not."""

    open: bool
    reason: str


class LeagueFacts(Struct):
    """The rules of a league, when it opens and closes, and whether bots can be submitted now."""

    opens: datetime | None
    closes: datetime | None
    rules: Rules
    games: int
    layouts: int
    times: Settings
    anchor: Anchor | None
    submissions: Submissions


class Standings(Struct):
    """Both leaderboards; how many games are missing is null until it was counted once."""

    at: str
    games: int
    solo_games: int
    missing_games: int | None
    elo: list[dict[str, Any]]
    turns: list[dict[str, Any]]
    notes: list[str]


class Version(Struct):
    """A version of a bot, and its name in the record."""

    name: Name
    version: int
    state: str
    bot: str


class Games(Struct):
    """Games, newest first, and the block before which others are."""

    games: list[shown_games.GameRow]
    before: int | None


class QueueRow(Struct):
    """A submission, with the number of its steps so far."""

    number: int
    name: str
    state: State
    entry: str
    steps: int
    at: str


class Queue(Struct):
    """Submissions that wait or are being checked, and those that were."""

    waiting: list[QueueRow]
    done: list[QueueRow]


class Progress(Struct):
    """The state of a submission."""

    number: int
    name: str
    state: State
    entry: str
    steps: list[dict[str, Any]]
    at: str
    reason: str


class Api:
    """Answers programs."""

    def __init__(self, context: Context) -> None:
        self._context, self._authentication = context, context.authentication
        self._streams = ConcurrencyLimit(
            each=_STREAMS_OF_ADDRESS, most=_STREAMS, what="pages that follow events"
        )
        self._exports = ConcurrencyLimit(
            each=_EXPORTS_OF_ADDRESS, most=_EXPORTS, what="downloads of all games"
        )

    def endpoints(self) -> list[Endpoint]:
        """Return what is described."""

        def get(path: str, handler: Any, answers: Any = dict[str, Any], **more: Any) -> Endpoint:  # noqa: ANN401 - any type
            settings = {"access": self._authentication.reader} | more
            return Endpoint(path=path, handler=handler, answers=answers, **settings)

        def post(path: str, handler: Any, body: Any = Nothing, **more: Any) -> Endpoint:  # noqa: ANN401 - any type
            return Endpoint(path=path, handler=handler, body=body, **{"answers": Done} | more)

        name = {"name": Name}
        block = Annotated[int, Meta(ge=1, le=LAST_BLOCK)]
        several = {
            "bot": Name,
            "limit": Annotated[int, Meta(ge=1, le=_MOST_GAMES)],
            "before": block,
        }
        about = {
            "elo": "Return the leaderboard of two-player games as CSV",
            "turns": "Return the leaderboard of solo games as CSV",
        }
        of_submission = {"parameters": {"id": str}, "access": self._authentication.visitor}
        return [
            get("/api/league", self.league, LeagueFacts),
            get("/api/standings", self.standings, Standings),
            get("/api/bots", self.bots, list[Version]),
            get("/api/bots/{name}", self.bot, parameters=name),
            post("/api/bots/{name}/withdraw", self.withdraw, parameters=name),
            get("/api/games", self.games, Games, parameters=several),
            get("/api/games/{id}", self.game, parameters={"id": GameId}),
            get("/api/queue", self.queue, Queue),
            get("/api/submissions/{id}", self.submission, Progress, **of_submission),
            post("/api/enter", self.enter, Enter),
            # Who follows the redirect is answered by the page of the leaderboards.
            post("/api/leave", self.leave, answers=str, kind="text/html"),
            get("/data/elo.csv", self._csv, str, kind="text/csv", summary=about["elo"]),
            get("/data/turns.csv", self._csv, str, kind="text/csv", summary=about["turns"]),
            get("/data/games.csv", self.games_csv, str, kind="text/csv"),
        ]

    def league(self, _request: Request) -> LeagueFacts:
        """Return what is played, and whether bots can be submitted."""
        charter = self._context.league().charter
        reason = self._context.closed or dates_of(charter).refusal
        return LeagueFacts(
            charter.opens,
            charter.closes,
            charter.rules,
            charter.games,
            charter.layouts,
            charter.times,
            charter.anchor,
            Submissions(not reason, reason),
        )

    def standings(self, _request: Request) -> Standings:
        """Return both leaderboards."""
        with self._context.database() as db:
            boards = Leaderboards.read(db)
            plain = db.board("plain") or {"elo": [], "turns": []}
        provisional = {row.name for row in boards.elo if row.provisional}
        for row in plain["elo"]:
            row["provisional"] = row["bot"] in provisional
        return Standings(
            boards.at,
            boards.games,
            boards.solo,
            boards.missing,
            plain["elo"],
            plain["turns"],
            [*boards.elo_notes, *boards.turns_notes, *boards.notes],
        )

    def bots(self, _request: Request) -> list[Version]:
        """Return every version that was ever entered, oldest first."""
        entries = self._context.league().entries
        return [Version(one.name, one.version, one.state, one.full_name) for one in entries]

    def bot(self, request: Request) -> dict[str, Any]:
        """Return what is known of one bot."""
        name = request.path_params["name"]
        shown_games.versions_of(self._context.league(), name)
        with self._context.database() as db:
            found = db.board(f"bot:{name}") or {}
        return {"name": name, "latency": None, **found}

    def withdraw(self, request: Request, _asked: Nothing) -> Done:
        """Withdraw a bot, for its author."""
        name = request.path_params["name"]
        if not self._authentication.visitor(request).owns(name):
            raise Refusal(403, "only its author can withdraw a bot, by its secret link")
        with self._context.database() as db:
            return Done(withdraw(db, self._context.folder, name))

    def games(self, request: Request) -> Games:
        """Return games, newest first: some hundred, or those before a block."""
        most = number_of(request, "limit", 100, _MOST_GAMES)
        before = number_of(request, "before", 0, LAST_BLOCK) or None
        name = request.query_params.get("bot")
        found = shown_games.recent(self._context.league(), name=name, before=before, most=most)
        return Games(shown_games.game_rows(found), found[-1].block if found else None)

    def game(self, request: Request) -> dict[str, Any]:
        """Return a whole game."""
        league = self._context.league()
        game, rules = recorded_game(league, request.path_params["id"])
        return shown_games.plain_game(game, rules)

    def queue(self, _request: Request) -> Queue:
        """Return what waits, what is being checked, and what was."""
        with self._context.database() as db:
            waiting = submissions(db, most=1000, waiting=True)
            done = submissions(db, most=50, waiting=False)
        return Queue(list(map(_queue_row, waiting)), list(map(_queue_row, done)))

    def submission(self, request: Request) -> Progress:
        """Return how far a submission is, with what its bot wrote, for its author."""
        visitor = self._authentication.visitor(request)
        with self._context.database() as db:
            one = submission(db, request.path_params["id"])
            if one is None:
                raise Refusal(404, "there is no such submission")
        own = visitor.owns(one.name)
        # What the bot wrote and was sent is for its author alone.
        shown = ("number", "title", "verdict", "seconds", "detail", "exchange", "stderr")
        steps = [{key: step[key] for key in (shown if own else shown[:3])} for step in one.steps]
        reason = one.reason if own else ""
        return Progress(one.number, one.name, one.state, one.entry, steps, one.at, reason)

    def enter(self, request: Request, asked: Enter) -> Response:
        """Add a key to the session of a browser."""
        key = self._authentication.key_of(request, asked.key)
        done = answer(Done("the link is used"))
        return self._authentication.add_to_session(request, done, key)

    def leave(self, request: Request, _asked: Nothing) -> Response:
        """Forget the session of a browser."""
        return self._authentication.end_session(request)

    def _csv(self, request: Request) -> Response:
        with self._context.database() as db:
            return Response(db.board(Path(request.url.path).name) or "", media_type="text/csv")

    def games_csv(self, _request: Request) -> Response:
        """Return every game as CSV, without what bots wrote."""
        named = {"content-disposition": 'attachment; filename="games.csv"'}
        return LimitedStream(self._lines(), self._exports, "text/csv", named)

    def _lines(self) -> Iterator[str]:
        deadline = time.monotonic() + _EXPORT_S
        for part in games_csv(self._context.league().record):
            if time.monotonic() > deadline:
                raise TimeoutError
            yield part

    async def events(self, request: Request) -> Response:
        """Return what happens as it happens."""
        self._authentication.reader(request)
        header = request.headers.get("last-event-id", "")
        last = int(header) if re.fullmatch("[0-9]{1,15}", header) else None
        stream: AsyncIterator[str] = self._context.live.stream(last)
        if not self._authentication.is_public:
            stream = self._while_reader(request, stream)
        return LimitedStream(stream, self._streams, "text/event-stream")

    async def _while_reader(
        self, request: Request, stream: AsyncIterator[str]
    ) -> AsyncIterator[str]:
        """Yield a stream as long as whoever asked may read: a key may be revoked meanwhile."""
        checked = time.monotonic()
        async for part in stream:
            if time.monotonic() > checked + _RECHECK_S:
                checked = time.monotonic()
                try:
                    await to_thread.run_sync(self._authentication.reader, request)
                except Refusal:
                    return
            yield part


def _queue_row(one: Submission) -> QueueRow:
    return QueueRow(one.number, one.name, one.state, one.entry, len(one.steps), one.at)
