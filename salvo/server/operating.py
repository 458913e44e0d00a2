"""What the operator does: each thing is a request here, and a subcommand of `salvo operate`."""

from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from msgspec import Meta, Struct, to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.entrants.names import NAME
from arena.errors import UserError
from arena.league import League
from salvo.server.book import Book
from salvo.server.claims import Refusal, ban, withdraw
from salvo.server.keys import invites, new_invite, replace_key, revoke
from salvo.server.queue import submissions
from salvo.server.sources import Source, address_of, answer, body_of
from salvo.server.visiting import Door

__all__ = ["MOST_INVITES", "Operating", "leave_out", "pause", "set_workers", "state_of"]

MOST_INVITES = 200
_LOG_LINES = 200

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


def pause(book: Book, *, paused: bool) -> str:
    """Begin no more games, or go on; return what was done."""
    book.settle("paused", "yes" if paused else "no")
    told = "paused: games in play are finished, none is begun" if paused else "resumed"
    book.note(told)
    book.announce("queue")
    return told


def set_workers(book: Book, count: int) -> str:
    """Set how many blocks are played at once; return what was done."""
    book.settle("workers", str(count))
    told = f"{count} worker{'' if count == 1 else 's'}"
    book.note(told)
    book.announce("queue")
    return told


def leave_out(book: Book, league: Path, pairing: tuple[str, str], *, out: bool) -> str:
    """Leave the games of two bots out of the ratings, or let them count; return what was done.

    Raises:
        UserError: If there are no such two bots, or that is so already.
    """
    told = League(league).leave_out(*pairing, out=out)
    book.note(told)
    book.announce("queue")
    return told


def state_of(book: Book, league: League) -> dict[str, Any]:
    """Return what the operator wants to see."""
    return {
        "disk": to_builtins(league.disk()),
        "paused": book.setting("paused", "no") == "yes",
        "workers": int(book.setting("workers", "1")),
        "waiting": len(submissions(book, most=1000, waiting=True)),
        "invites": invites(book),
        "log": [{"at": at, "words": words} for at, words in book.log(_LOG_LINES)],
    }


class Operating:
    """Does what the operator asks for.

    Args:
        league: The league's folder.
        door: Who may what.
    """

    def __init__(self, league: Path, door: Door) -> None:
        self._source = Source(league, door)

    def routes(self) -> list[Route]:
        """Return what this answers."""
        posts = {
            "pause": self.pause,
            "resume": self.resume,
            "workers": self.workers,
            "ban": self.ban,
            "leave-out": self.leave_out,
            "count": self.count,
            "withdraw": self.withdraw,
            "invites": self.invite,
            "revoke": self.revoke,
            "link": self.link,
            "reader": self.reader,
        }
        return [
            Route("/api/operate", self.state),
            *(
                Route(f"/api/operate/{name}", endpoint, methods=["POST"])
                for name, endpoint in posts.items()
            ),
        ]

    def state(self, request: Request) -> Response:
        """Return how things stand."""
        self._source.door.operator(request)
        with self._source.book() as book:
            return answer(state_of(book, self._source.league()))

    async def _asked(self, request: Request, kind: type[Any]) -> Any:  # noqa: ANN401 - of that kind
        """Return the body of the operator's request.

        Raises:
            Refusal: If it is not the operator's, or the body is not of that kind.
        """
        await to_thread.run_sync(self._source.door.operator, request)
        return await body_of(request, kind)

    async def pause(self, request: Request) -> Response:
        """Begin no more games."""
        await self._asked(request, _Nothing)
        with self._source.book() as book:
            return answer({"done": pause(book, paused=True)})

    async def resume(self, request: Request) -> Response:
        """Go on."""
        await self._asked(request, _Nothing)
        with self._source.book() as book:
            return answer({"done": pause(book, paused=False)})

    async def workers(self, request: Request) -> Response:
        """Set how many blocks are played at once."""
        asked: _Workers = await self._asked(request, _Workers)
        with self._source.book() as book:
            return answer({"done": set_workers(book, asked.count)})

    async def ban(self, request: Request) -> Response:
        """Withdraw a bot for good."""
        asked: _Named = await self._asked(request, _Named)
        with self._source.book() as book:
            return answer({"done": ban(book, self._source.folder, asked.name)})

    async def withdraw(self, request: Request) -> Response:
        """Withdraw a bot; its author may submit it again."""
        asked: _Named = await self._asked(request, _Named)
        with self._source.book() as book:
            return answer({"done": withdraw(book, self._source.folder, asked.name)})

    async def leave_out(self, request: Request) -> Response:
        """Leave the games of two bots out of the ratings."""
        return await self._counted(request, out=True)

    async def count(self, request: Request) -> Response:
        """Let the games of two bots count in the ratings again."""
        return await self._counted(request, out=False)

    async def _counted(self, request: Request, *, out: bool) -> Response:
        asked: _Pairing = await self._asked(request, _Pairing)
        pairing = asked.bot, asked.opponent
        with self._source.book() as book:
            return answer({"done": leave_out(book, self._source.folder, pairing, out=out)})

    async def invite(self, request: Request) -> Response:
        """Make invites; their codes are shown once."""
        asked: _Invites = await self._asked(request, _Invites)
        here = address_of(request)
        with self._source.book() as book, book.writing():
            made = [(label, new_invite(book, label)) for label in asked.labels]
        return answer(
            {
                "invites": [
                    {"label": label, "code": code, "link": f"{here}/enter?key={code}"}
                    for label, code in made
                ]
            }
        )

    async def revoke(self, request: Request) -> Response:
        """Make an invite void, and the author's key of its bot too."""
        asked: _Invite = await self._asked(request, _Invite)
        with self._source.book() as book:
            if all(one.id != asked.invite for one in invites(book)):
                raise Refusal(404, f"there is no invite {asked.invite}")
            revoke(book, asked.invite)
        return answer({"done": f"invite {asked.invite} is revoked"})

    async def link(self, request: Request) -> Response:
        """Make a new secret link for a name, whose author lost it; the old one is void."""
        asked: _Named = await self._asked(request, _Named)
        with self._source.book() as book:
            known = book.db.execute("SELECT name, banned FROM names WHERE name = ?", (asked.name,))
            row = known.fetchone()
            if row is None:
                raise UserError(f"no author has the name {asked.name!a}")
            if row[1]:
                raise Refusal(403, f"'{row[0]}' was banned; its author gets no new link")
            key = replace_key(book, "author", row[0])
        return answer({"link": f"{address_of(request)}/enter?key={key}"})

    async def reader(self, request: Request) -> Response:
        """Make a new link by which a league that is not public is read; the old one is void."""
        await self._asked(request, _Nothing)
        with self._source.book() as book:
            key = replace_key(book, "read")
        return answer({"link": f"{address_of(request)}/enter?key={key}"})
