"""Shows the tournaments of a league's calendar, and lets the operator change it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from arena.league import amend, announce
from arena.league.amending import moment_of
from leaderboards.display.palette import styles
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.errors import Refusal
from salvo.server.results import read_result, report_path
from salvo.server.tournaments import Shown, calendar_of, called_off, note_announced
from salvo.server.web.endpoints import Done, Endpoint
from salvo.server.web.handling import Context, allowed
from salvo.server.web.rendering import Rendering

Moment = Annotated[str, Meta(max_length=60, examples=["2026-12-12T10:00+01:00"])]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9-]{0,29}$")]


class NewTournament(Struct, forbid_unknown_fields=True):
    """A tournament to be announced, or to be moved."""

    name: Name
    at: Moment
    games: Annotated[int, Meta(ge=2, le=10**6)] | None = None
    looks: Annotated[int, Meta(ge=1, le=10)] | None = None


class TournamentName(Struct, forbid_unknown_fields=True):
    """A tournament."""

    name: Name


class Date(Struct, forbid_unknown_fields=True):
    """When the league opens or closes; null for never."""

    field: Literal["opens", "closes"]
    at: Moment | None


class CalendarPages:
    """Makes the pages of tournaments, which everybody sees alike who may read."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page = context, rendering.page

    def routes(self) -> list[Route]:
        """Return what this answers."""
        reader = self._context.authentication.reader
        pages = {
            "/tournaments": self._list,
            "/tournaments/{name}": self._one,
            "/tournaments/{name}/report.html": self._report,
        }
        return [Route(path, allowed(reader, page)) for path, page in pages.items()]

    def _list(self, _request: Request) -> Response:
        return Response(self.list(), media_type="text/html")

    def list(self) -> bytes:
        """Return the page of all tournaments."""
        page = self._page("tournaments.html.j2", tournaments=calendar_of(self._context.league()))
        return bytes(page.body)

    def _one(self, request: Request) -> Response:
        return Response(self.one(request.path_params["name"]), media_type="text/html")

    def one(self, name: str) -> bytes:
        """Return the page of a tournament.

        Raises:
            Refusal: If there is none of that name.
        """
        told = self._found(name)
        boards = Leaderboards()
        if told.state == "ended":
            result = read_result(self._context.folder, name)
            boards = (result and result.boards) or boards
        elif told.state == "played":
            with self._context.database() as db:
                boards = Leaderboards.read(db, f"planned:{name}")
        named = [row.name for row in boards.elo]
        entered = {entry.name for entry in self._context.league().entries}
        page = self._page(
            "tournament.html.j2",
            one=told,
            boards=boards,
            bosses=told.bosses,
            style=styles(named),
            address={bot: bot for bot in named if bot in entered},
        )
        return bytes(page.body)

    def _report(self, request: Request) -> Response:
        name = self._found(request.path_params["name"]).name
        path = report_path(self._context.folder, name)
        if not path.is_file():
            raise Refusal(404, "there is no report before the tournament has ended")
        # It has scripts of its own, which no page of a server may have: it is opened from a disk.
        return FileResponse(path, media_type="application/octet-stream", filename=f"{name}.html")

    def _found(self, name: str) -> Shown:
        told = {one.name: one for one in calendar_of(self._context.league())}.get(name)
        if told is None:
            raise Refusal(404, "there is no such tournament")
        return told


def endpoints(context: Context) -> list[Endpoint]:
    """Return what programs are told of the calendar, and what the operator does with it."""
    folder, operator = context.folder, context.authentication.operator

    def tournaments(_request: Request) -> list[Shown]:
        """Return the tournaments of the calendar."""
        return calendar_of(context.league())

    def plan(_request: Request, asked: NewTournament) -> Done:
        league = context.league()
        at = moment_of("at", asked.at)
        planned = announce(league, asked.name, at, games=asked.games, looks=asked.looks)
        with context.database() as db:
            return Done(note_announced(db, planned))

    def cancel(_request: Request, asked: TournamentName) -> Done:
        with context.database() as db:
            return Done(called_off(db, folder, asked.name))

    def move(_request: Request, asked: Date) -> Done:
        done = amend(folder, asked.field, ["none" if asked.at is None else asked.at])
        with context.database() as db:
            db.note(done)
            db.announce("queue")
        return Done(done)

    return [
        Endpoint(
            path="/api/tournaments",
            handler=tournaments,
            access=context.authentication.reader,
            answers=list[Shown],
        ),
        *(
            Endpoint(
                path=f"/api/operate/{name}",
                handler=handler,
                access=operator,
                body=body,
                answers=Done,
                summary=summary,
            )
            for name, handler, body, summary in (
                ("tournament", plan, NewTournament, "Announce a tournament, or move it"),
                ("call-off", cancel, TournamentName, "Call off a tournament that has not begun"),
                ("date", move, Date, "When the league opens or closes"),
            )
        ),
    ]
