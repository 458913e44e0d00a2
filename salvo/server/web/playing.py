"""Lets people play: the pages, what they send, and what they follow."""

import secrets
from typing import Annotated, Any, Literal

import msgspec
from anyio import to_thread
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import IllegalActionError
from arena.player import Fault
from arena.resumed_game import as_line, from_line
from arena.rules import Seat, row_name
from leaderboards.display.templating import as_data
from salvo.reports.words.rules_text import describe_rules
from salvo.server.database.analyses import Analyses
from salvo.server.database.human_games import PLACES, RIVALS_A_DAY, HumanGame, HumanGames
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.kept_games import SHOWN, sight_of
from salvo.server.web.authentication import cookie_name
from salvo.server.web.concurrency import ConcurrencyLimit, LimitedStream
from salvo.server.web.endpoints import Done, Endpoint, GameId, Nothing
from salvo.server.web.handling import Context, allowed, answer
from salvo.server.web.news import News
from salvo.server.web.opponents import Opponent, opponents
from salvo.server.web.rendering import Rendering
from salvo.server.web.seat_view import View, random_layout, view_of

_COOKIE = "salvo_player"
"""Its secret says whose game it is; it is made with the first game of a browser."""

_PLAYER_S = 60 * 60 * 24 * 30
_FOLLOWED, _FOLLOWED_OF_ADDRESS = 200, 60


class NewGame(Struct, forbid_unknown_fields=True):
    """A game that a person begins: against a version, or alone; without a seat it is drawn."""

    bot: Annotated[str, Meta(max_length=60)]
    seat: Seat | Literal[""] = ""


class Begun(Struct):
    """Where a game is played."""

    page: str


class Act(Struct, forbid_unknown_fields=True):
    """What a person does: the answer of the protocol to what was asked, with an empty id."""

    number: Annotated[int, Meta(ge=0, le=100_000)]
    action: msgspec.Raw


class Drawn(Struct):
    """A layout that was drawn: the cells of each ship."""

    ships: dict[str, list[int]]


class Coached(Struct):
    """What a person can know, once that is ``done``.

    Attributes:
        cells: How likely a ship lies on each cell, in thousandths; None where that is not known.
        told: How sure that is, and what the last salvo cost, in sentences.
    """

    number: int
    done: bool = False
    cells: list[int] | None = None
    told: list[str] = []


class Playing:
    """Lets people play against bots of the league."""

    def __init__(self, context: Context, rendering: Rendering) -> None:
        self._context, self._page = context, rendering.page
        self._reader = context.authentication.reader
        self._news = News(context.folder)
        self._streams = ConcurrencyLimit(
            each=_FOLLOWED_OF_ADDRESS, most=_FOLLOWED, what="games that are played"
        )

    def routes(self) -> list[Route]:
        """Return the pages."""
        return [
            Route("/play", allowed(self._reader, self._choose)),
            Route("/play/{id}", allowed(self._reader, self._table)),
            Route("/play/{id}/news", self._follow),
        ]

    def endpoints(self) -> list[Endpoint]:
        """Return what is described."""
        by_id: dict[str, Any] = {"parameters": {"id": GameId}, "access": self._reader}
        return [
            Endpoint(
                path="/api/play",
                handler=self.begin,
                access=self._reader,
                body=NewGame,
                answers=Begun,
            ),
            Endpoint(path="/api/play/{id}", handler=self.view, answers=View, **by_id),
            Endpoint(path="/api/play/{id}", handler=self.act, body=Act, answers=View, **by_id),
            Endpoint(path="/api/play/{id}/layout", handler=self.layout, answers=Drawn, **by_id),
            Endpoint(
                path="/api/play/{id}/coach",
                handler=self.coach,
                body=Nothing,
                answers=Coached,
                **by_id,
            ),
            Endpoint(
                path="/api/play/{id}/leave", handler=self.leave, body=Nothing, answers=Done, **by_id
            ),
        ]

    def _places(self, db: Database) -> int:
        return int(db.setting("people", str(PLACES)))

    def _opponents(self, request: Request, db: Database) -> list[Opponent]:
        visitor = self._context.authentication.visitor(request)
        return opponents(db, self._context.league(), visitor, closed=self._context.closed)

    def _choose(self, request: Request) -> Response:
        player = _player(request)
        with self._context.database() as db, HumanGames(self._context.folder) as games:
            found = self._opponents(request, db)
            going_on = games.played_by(player) if player else None
            shut = not self._places(db)
        rules = self._context.league().charter.rules
        return self._page(
            "play.html.j2",
            opponents=found,
            going_on=going_on,
            rivals_a_day=RIVALS_A_DAY,
            shut=shut,
            rules=describe_rules(rules),
            rules_name=rules.name,
        )

    def begin(self, request: Request, asked: NewGame) -> Response:
        """Begin a game; one that this person has in play is given up."""
        seat: Seat = asked.seat or ("first" if secrets.randbits(1) else "second")
        player = _player(request) or secrets.token_urlsafe(24)
        with self._context.database() as db, HumanGames(self._context.folder) as games:
            author = None
            if asked.bot:
                found = {one.bot: one for one in self._opponents(request, db)}.get(asked.bot)
                if found is None:
                    raise Refusal(403, f"you cannot play against {asked.bot!a} here")
                if found.kind == "rival":
                    visitor = self._context.authentication.visitor(request)
                    author = visitor.invites[0].id if visitor.invites else visitor.keys[0].id
            game = games.begin(
                bot=asked.bot,
                seat=seat if asked.bot else "first",
                player=player,
                address=request.scope["address"],
                places=self._places(db),
                author=author,
            )
        response = answer(Begun(f"/play/{game}"))
        response.set_cookie(
            cookie_name(request, _COOKIE),
            player,
            httponly=True,
            max_age=_PLAYER_S,
            secure=bool(request.scope["secure"]),
            samesite="strict",
        )
        return response

    def _own(self, request: Request, games: HumanGames) -> HumanGame:
        """Return a game, for whoever plays it."""
        identifier, player = request.path_params["id"], _player(request)
        found = games.find(identifier)
        if found is None:
            raise Refusal(404, "there is no such game; it may have been left")
        if player is None or not games.is_of(identifier, player):
            raise Refusal(403, "this game is somebody else's: it can be watched once it is over")
        return found

    def _table(self, request: Request) -> Response:
        with self._context.database() as db, HumanGames(self._context.folder) as games:
            identifier = request.path_params["id"]
            found = games.find(identifier)
            if found is not None and found.state == "over" and not self._is_own(request, games):
                return RedirectResponse(f"/games/{identifier}", 303)
            found = self._own(request, games)
            games.touch(found.id, request.scope["address"], self._places(db))
        rules = self._context.league().charter.rules
        view = view_of(found, rules)
        facts = {
            "touching": rules.touching,
            "reshoot": rules.reshoot,
            "fleet": [[ship.name, ship.length] for ship in rules.fleet],
        }
        return self._page(
            "table.html.j2",
            view=view,
            data=as_data(msgspec.to_builtins(view) | facts),
            bot=found.bot.partition("@")[0],
            columns=range(rules.columns),
            rows=[row_name(row) for row in range(rules.rows)],
        )

    def _is_own(self, request: Request, games: HumanGames) -> bool:
        player = _player(request)
        return player is not None and games.is_of(request.path_params["id"], player)

    def view(self, request: Request) -> View:
        """Return a game as its person sees it."""
        with self._context.database() as db, HumanGames(self._context.folder) as games:
            found = self._own(request, games)
            games.touch(found.id, request.scope["address"], self._places(db))
        return view_of(found, self._context.league().charter.rules)

    def layout(self, request: Request) -> Drawn:
        """Return a layout, drawn as the arena does."""
        del request
        return Drawn(random_layout(self._context.league().charter.rules))

    def act(self, request: Request, asked: Act) -> View:
        """Place the fleet, shoot, move or answer, and return the game after it."""
        rules = self._context.league().charter.rules
        with self._context.database() as db, HumanGames(self._context.folder) as games:
            found = self._own(request, games)
            sight = sight_of(found, rules)
            pending = sight.state.request
            if found.state != "open" or pending is None or pending.seat != found.seat:
                raise Refusal(409, "it is not your turn")
            if asked.number != found.number:
                raise Refusal(409, "the game went on elsewhere, as in another window; look again")
            try:
                action = from_line(bytes(asked.action) + b"\n", pending)
                sight.take(action)
            except (Fault, IllegalActionError) as error:
                reason = error.reason if isinstance(error, Fault) else str(error)
                raise Refusal(400, reason) from None
            games.touch(found.id, request.scope["address"], self._places(db))
            games.append(found.id, found.number, as_line(action), person=True)
            now = games.find(found.id)
        if now is None:
            raise Refusal(404, "the game was left")
        return view_of(now, rules)

    def coach(self, request: Request, _asked: Nothing) -> Coached:
        """Return what this person can know, once it is computed; ask again until it is."""
        with HumanGames(self._context.folder) as games:
            found = self._own(request, games)
        is_over = found.state == "over"
        what = f"game {found.id}" if is_over else f"turn {found.id} {len(found.actions)}"
        with Analyses(self._context.folder) as analyses:
            done = analyses.ask(what, request.scope["address"])
        if done.state == "failed":
            raise Refusal(503, done.data)
        if done.state == "queued":
            return Coached(found.number)
        if is_over:
            notes = [note.replace(SHOWN, "You") for note in done.data["notes"][1:]]
            return Coached(found.number, done=True, told=notes)
        return Coached(found.number, done=True, **done.data)

    def leave(self, request: Request, _asked: Nothing) -> Done:
        """Leave a game, which is then forgotten."""
        with HumanGames(self._context.folder) as games:
            games.leave(self._own(request, games).id)
        return Done("you left the game")

    async def _follow(self, request: Request) -> Response:
        """Return the number of a game whenever it grows."""

        def check() -> str:
            self._reader(request)
            with HumanGames(self._context.folder) as games:
                return self._own(request, games).id

        game = await to_thread.run_sync(check)
        return LimitedStream(self._news.of(game), self._streams, "text/event-stream")


def _player(request: Request) -> str | None:
    return request.cookies.get(cookie_name(request, _COOKIE))
