"""What the operator does: each thing is a request here, and a subcommand of `salvo operate`."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from msgspec import Meta, Struct, to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.entrants.bot_names import NAME
from arena.errors import UserError
from arena.league import League
from salvo.server.database.keys import invites, new_invite, replace_key, revoke
from salvo.server.database.ownership import ban, withdraw
from salvo.server.database.queue import submissions
from salvo.server.database.server_database import Database
from salvo.server.errors import Refusal
from salvo.server.web.authentication import Authentication
from salvo.server.web.handling import Source, address_of, answer, body_of

MOST_INVITES = 200
_LOG_LINES = 200

Act = Callable[[Request, Any], Response]
"""Does what a request asks for, given its body."""

Label = Annotated[str, Meta(max_length=80)]
Name = Annotated[str, Meta(pattern=f"^{NAME.pattern}$", max_length=40)]


class _Nothing(Struct, forbid_unknown_fields=True):
    """The body of a request that has nothing more to say."""


class _Workers(Struct, forbid_unknown_fields=True):
    """How many blocks are played at once."""

    count: Annotated[int, Meta(ge=1, le=64)]


class _Named(Struct, forbid_unknown_fields=True):
    """A bot."""

    name: Name


class _Pairing(Struct, forbid_unknown_fields=True):
    """Two bots."""

    bot: Name
    opponent: Name


class _Invites(Struct, forbid_unknown_fields=True):
    """For whom invites are made."""

    labels: Annotated[list[Label], Meta(min_length=1, max_length=MOST_INVITES)]


class _Invite(Struct, forbid_unknown_fields=True):
    """An invite by its number."""

    invite: Annotated[int, Meta(ge=1, le=2**53)]


def pause(db: Database, *, paused: bool) -> str:
    """Begin no more games, or go on; return what was done."""
    db.settle("paused", "yes" if paused else "no")
    told = "paused: games in play are finished, none is begun" if paused else "resumed"
    db.note(told)
    db.announce("queue")
    return told


def set_workers(db: Database, count: int) -> str:
    """Set how many blocks are played at once; return what was done."""
    db.settle("workers", str(count))
    told = f"{count} worker{'' if count == 1 else 's'}"
    db.note(told)
    db.announce("queue")
    return told


def leave_out(db: Database, league: Path, pairing: tuple[str, str], *, out: bool) -> str:
    """Leave the games of two bots out of the ratings, or let them count; return what was done.

    Raises:
        UserError: If there are no such two bots, or that is so already.
    """
    told = League(league).leave_out(*pairing, out=out)
    db.note(told)
    db.announce("queue")
    return told


def state_of(db: Database, league: League) -> dict[str, Any]:
    """Return what the operator wants to see."""
    return {
        "disk": to_builtins(league.disk()),
        "paused": db.setting("paused", "no") == "yes",
        "workers": int(db.setting("workers", "1")),
        "waiting": len(submissions(db, most=1000, waiting=True)),
        "invites": invites(db),
        "log": [{"at": at, "words": words} for at, words in db.log(_LOG_LINES)],
    }


class Operating:
    """Does what the operator asks for.

    Args:
        league: The league's folder.
        authentication: Who may what.
    """

    def __init__(self, league: Path, authentication: Authentication) -> None:
        self._source = Source(league, authentication)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        posts: Mapping[str, tuple[type[Any], Act]] = {
            "pause": (_Nothing, self.pause),
            "resume": (_Nothing, self.resume),
            "workers": (_Workers, self.workers),
            "ban": (_Named, self.ban),
            "leave-out": (_Pairing, self.leave_out),
            "count": (_Pairing, self.count),
            "withdraw": (_Named, self.withdraw),
            "invites": (_Invites, self.invite),
            "revoke": (_Invite, self.revoke),
            "link": (_Named, self.link),
            "reader": (_Nothing, self.reader),
        }
        return [
            Route("/api/operate", self.state),
            *(
                Route(f"/api/operate/{name}", self._endpoint(*post), methods=["POST"])
                for name, post in posts.items()
            ),
        ]

    def state(self, request: Request) -> Response:
        """Return how things stand."""
        self._source.authentication.operator(request)
        with self._source.database() as db:
            return answer(state_of(db, self._source.league()))

    def _endpoint(self, kind: type[Any], act: Act) -> Callable[[Request], Awaitable[Response]]:
        """Return what reads the body of the operator's request, and then acts in a thread.

        What it does may wait for others who write; the loop that answers everybody must not.
        """

        async def endpoint(request: Request) -> Response:
            await to_thread.run_sync(self._source.authentication.operator, request)
            asked = await body_of(request, kind)
            return await to_thread.run_sync(act, request, asked)

        return endpoint

    def pause(self, _request: Request, _asked: _Nothing) -> Response:
        """Begin no more games."""
        with self._source.database() as db:
            return answer({"done": pause(db, paused=True)})

    def resume(self, _request: Request, _asked: _Nothing) -> Response:
        """Go on."""
        with self._source.database() as db:
            return answer({"done": pause(db, paused=False)})

    def workers(self, _request: Request, asked: _Workers) -> Response:
        """Set how many blocks are played at once."""
        with self._source.database() as db:
            return answer({"done": set_workers(db, asked.count)})

    def ban(self, _request: Request, asked: _Named) -> Response:
        """Withdraw a bot for good."""
        with self._source.database() as db:
            return answer({"done": ban(db, self._source.folder, asked.name)})

    def withdraw(self, _request: Request, asked: _Named) -> Response:
        """Withdraw a bot; its author may submit it again."""
        with self._source.database() as db:
            return answer({"done": withdraw(db, self._source.folder, asked.name)})

    def leave_out(self, _request: Request, asked: _Pairing) -> Response:
        """Leave the games of two bots out of the ratings."""
        return self._counted(asked, out=True)

    def count(self, _request: Request, asked: _Pairing) -> Response:
        """Let the games of two bots count in the ratings again."""
        return self._counted(asked, out=False)

    def _counted(self, asked: _Pairing, *, out: bool) -> Response:
        pairing = asked.bot, asked.opponent
        with self._source.database() as db:
            return answer({"done": leave_out(db, self._source.folder, pairing, out=out)})

    def invite(self, request: Request, asked: _Invites) -> Response:
        """Make invites; their codes are shown once."""
        here = address_of(request)
        with self._source.database() as db, db.writing():
            made = [(label, new_invite(db, label)) for label in asked.labels]
        return answer(
            {
                "invites": [
                    {"label": label, "code": code, "link": f"{here}/enter?key={code}"}
                    for label, code in made
                ]
            }
        )

    def revoke(self, _request: Request, asked: _Invite) -> Response:
        """Make an invite void, and the author's key of its bot too."""
        with self._source.database() as db:
            if all(one.id != asked.invite for one in invites(db)):
                raise Refusal(404, f"there is no invite {asked.invite}")
            revoke(db, asked.invite)
        return answer({"done": f"invite {asked.invite} is revoked"})

    def link(self, request: Request, asked: _Named) -> Response:
        """Make a new secret link for a name, whose author lost it; the old one is void."""
        with self._source.database() as db:
            known = db.execute("SELECT name, banned FROM names WHERE name = ?", (asked.name,))
            row = known.fetchone()
            if row is None:
                raise UserError(f"no author has the name {asked.name!a}")
            if row[1]:
                raise Refusal(403, f"'{row[0]}' was banned; its author gets no new link")
            key = replace_key(db, "author", row[0])
        return answer({"link": f"{address_of(request)}/enter?key={key}"})

    def reader(self, request: Request, _asked: _Nothing) -> Response:
        """Make a new link by which a league that is not public is read; the old one is void."""
        with self._source.database() as db:
            key = replace_key(db, "read")
        return answer({"link": f"{address_of(request)}/enter?key={key}"})
