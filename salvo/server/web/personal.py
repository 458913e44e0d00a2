"""Makes the pages for whoever has a key, an author or the operator, and those that ask for one."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.store import Store
from leaderboards.display.spreadsheet import csv_of
from salvo.server.database.challenges import Challenges
from salvo.server.database.keys import Visitor
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import owners
from salvo.server.database.queue import CHECK_S, submission, submissions
from salvo.server.database.unstartable import unstartable as found_unstartable
from salvo.server.dates import is_late_allowed
from salvo.server.errors import Refusal
from salvo.server.leagues import without_place
from salvo.server.tournaments import calendar_of
from salvo.server.web import shown_games
from salvo.server.web.downloads import templates
from salvo.server.web.handling import Context, address_of
from salvo.server.web.operating import state_of
from salvo.server.web.rendering import Rendering
from salvo.server.web.sharing import CAN_DRAW
from salvo.server.work.likeness import alike, sources_of

_RIGHTS: Mapping[str, tuple[str, str]] = {
    "operate": ("/operate", "the operator"),
    "submit": ("/submit", "somebody who is invited"),
    "author": ("/mine", "the author of a bot"),
    "read": ("/", "a reader"),
}
"""The page that a key is for, and who has it, by what it allows."""

_SUBMISSIONS = 20  # submissions that the page of their author shows
_BESIDE = 2  # sources that are shown side by side
_MOST_KEPT = 64  # bots whose forfeits are remembered


class PersonalPages:
    """Makes the pages that are not the same for everybody."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page, self._dates = context, rendering.page, rendering.dates
        self._authentication = context.authentication

        @lru_cache(_MOST_KEPT)
        def forfeits(name: str, _rated: int) -> list[dict[str, str]]:
            return shown_games.forfeits(context.league(), name)

        self._forfeits = forfeits

    def routes(self) -> list[Route]:
        """Return what this answers."""
        pages: dict[str, Any] = {
            "/submit": self._submit,
            "/submissions/{id}": self._submission,
            "/mine": self._mine,
            "/mine/{name}": self._own,
            "/operate": self._operate,
            "/operate/grades.csv": self._grades,
            "/operate/sources": self._sources,
            "/enter": self._enter,
            "/entered/{right}": self._entered,
        }
        return [Route(path, page) for path, page in pages.items()]

    def _submit(self, request: Request) -> Response:
        visitor = self._authentication.visitor(request)
        return self._page(
            "submit.html.j2",
            here=address_of(request),
            invited=bool(visitor.invites),
            shut=self._shut(visitor),
            names=visitor.names,
            name="",
            check_s=CHECK_S,
        )

    def _submission(self, request: Request) -> Response:
        visitor = self._authentication.visitor(request)
        with self._context.database() as db:
            found = submission(db, request.path_params["id"])
            if found is None:
                raise Refusal(404, "there is no such submission")
            told = db.board(f"bot:{found.name}") or {}
        with Challenges(self._context.folder) as challenges:
            draft = challenges.of_submission(found.id)
        own = visitor.owns(found.name)
        plays = any(one.full_name == found.entry for one in self._context.league().field)
        return self._page(
            "submission.html.j2",
            one=found,
            own=own,
            draft=draft,
            plays=plays,
            sentences=told.get("sentences", []),
        )

    def _mine(self, request: Request) -> Response:
        visitor = self._authentication.visitor(request)
        if len(visitor.names) == 1:
            return RedirectResponse(f"/mine/{visitor.names[0]}", 303)
        return self._page("mine.html.j2", names=visitor.names)

    def _own(self, request: Request) -> Response:
        """Return what is for the author of a bot alone: the games it forfeited, and its stderr."""
        name = request.path_params["name"]
        visitor = self._authentication.visitor(request)
        if not visitor.owns(name):
            raise Refusal(403, "this is for the bot's author: open the secret link of its name")
        league = self._context.league()
        entered = any(entry.name == name for entry in league.entries)
        with self._context.database() as db:
            done = submissions(db, most=_SUBMISSIONS, waiting=False, name=name)
            waiting = submissions(db, most=_SUBMISSIONS, waiting=True, name=name)
            steps = [step for step in db.board("ladder") or [] if step["bot"] == name]
            unstartable = [
                f"{version} cannot be started, plays no more and keeps its rating: "
                f"{without_place(reason, self._context.folder)}. Submit one that can be."
                for version, reason in found_unstartable(db).items()
                if version.rpartition("@")[0] == name
            ]
        return self._page(
            "own.html.j2",
            name=name,
            here=address_of(request),
            entered=entered,
            plays=any(entry.name == name for entry in league.field),
            owned=name in visitor.names,
            unstartable=unstartable,
            shut=self._shut(visitor),
            ladder=steps,
            forfeits=self._forfeits(name, self._context.live.rated) if entered else [],
            submissions=[*waiting, *done][:_SUBMISSIONS],
            operator=visitor.operates,
        )

    def _shut(self, visitor: Visitor) -> str:
        """Return why a visitor can submit nothing now; empty if they can."""
        refusal = self._dates().refusal
        with self._context.database() as db:
            late = any(is_late_allowed(db, key.id) for key in visitor.invites)
        return "" if late else refusal

    def _operate(self, request: Request) -> Response:
        self._authentication.operator(request)
        with self._context.database() as db:
            league = self._context.league()
            state, owned = state_of(db, league), owners(db)
            leaning = Leaderboards.read(db).leaning
        return self._page(
            "operate.html.j2",
            state=state,
            field=league.field,
            alike=alike(league, owned, [(one.file, one.text) for one in templates()]),
            late={one.id for one in state["invites"] if self._is_late(one.id)},
            leaning=[pair for pair in leaning if frozenset(pair) not in league.left_out],
            left_out=sorted(map(sorted, league.left_out)),
            charter=league.charter,
            tournaments=calendar_of(league),
            folder=str(self._context.folder),
            here=address_of(request),
            can_draw=CAN_DRAW,
        )

    def _sources(self, request: Request) -> Response:
        """Return what some versions consist of, side by side."""
        self._authentication.operator(request)
        league = self._context.league()
        wanted = request.query_params.getlist("bot")[:_BESIDE]
        entries = {entry.full_name: entry for entry in league.entries}
        unknown = [name for name in wanted if name not in entries]
        if unknown or not wanted:
            raise Refusal(404, "name versions of this league, as in ?bot=ada@1&bot=bob@2")
        try:
            versions = [(name, sources_of(league, entries[name])) for name in wanted]
        except FileNotFoundError:
            raise Refusal(404, "a copy is gone, as where data were deleted") from None
        return self._page("sources.html.j2", versions=versions)

    def _is_late(self, invite: int) -> bool:
        with self._context.database() as db:
            return is_late_allowed(db, invite)

    def _grades(self, request: Request) -> Response:
        """Return the table for grades, which has the names of people."""
        from salvo.server.work.grades import grades  # noqa: PLC0415 - no page needs pandas

        self._authentication.operator(request)
        league = self._context.league()
        with self._context.database() as db, Store(league.record, create=True) as store:
            text = csv_of(grades(league, store, db))
        named = {"content-disposition": 'attachment; filename="grades.csv"'}
        return Response(text, media_type="text/csv; charset=utf-8", headers=named)

    def _enter(self, request: Request) -> Response:
        """Exchange a key for a cookie, and let it leave the address."""
        text = request.query_params.get("key")
        if text is None:
            return self._page("enter.html.j2")
        key = self._authentication.key_of(request, text)
        held = self._authentication.held(request, key)
        if held is not None:
            return self._page(
                "sure.html.j2",
                key=text,
                held=_RIGHTS[held][1],
                link=_RIGHTS[key.right][1],
                own=_RIGHTS[held][0],
                target=_RIGHTS[key.right][0],
            )
        page = "author" if key.name else key.right  # whose invite has its bot comes for that
        return self._authentication.add_to_session(
            request, RedirectResponse(f"/entered/{page}", 303), key
        )

    def _entered(self, request: Request) -> Response:
        """Lead on to the page that a key is for.

        A link in a letter comes from another site, and with what follows from it by itself a strict
        cookie is not sent; with what this page leads to it is.
        """
        right = request.path_params["right"]
        if right not in _RIGHTS:
            raise Refusal(404, "there is no such page")
        return self._page("entered.html.j2", target=_RIGHTS[right][0])
