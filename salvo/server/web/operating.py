"""Does what the operator asks for: requests here, of which some are subcommands of `operate`."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins
from starlette.requests import Request

from arena.errors import UserError
from arena.league import League
from arena.text import counted
from salvo.server.database.human_games import MOST_PLACES, PLACES
from salvo.server.database.keys import (
    invites,
    new_invite,
    renew_invite,
    replace_key,
    revoke,
)
from salvo.server.database.ownership import ban, withdraw
from salvo.server.database.queue import submissions
from salvo.server.database.server_database import MOST_WORKERS, Database
from salvo.server.database.unstartable import unstartable
from salvo.server.dates import allow_late
from salvo.server.errors import Refusal
from salvo.server.forgetting.deleting import forget
from salvo.server.web.endpoints import Done, Endpoint, Name, Nothing
from salvo.server.web.handling import Context, address_of

MOST_INVITES = 200
_LOG_LINES = 200

_Act = Callable[[Database, Any, str], object]
"""Does what a body asks for, given the database, the body, and the address of this server."""

Label = Annotated[str, Meta(max_length=80)]


class Workers(Struct, forbid_unknown_fields=True):
    """How many blocks are played at once."""

    count: Annotated[int, Meta(ge=1, le=MOST_WORKERS)]


class Places(Struct, forbid_unknown_fields=True):
    """How many people play at once; 0 for none."""

    count: Annotated[int, Meta(ge=0, le=MOST_PLACES)]


class Named(Struct, forbid_unknown_fields=True):
    """A bot."""

    name: Name


class Pairing(Struct, forbid_unknown_fields=True):
    """Two bots."""

    bot: Name
    opponent: Name


class Labels(Struct, forbid_unknown_fields=True):
    """For whom invites are made."""

    labels: Annotated[list[Label], Meta(min_length=1, max_length=MOST_INVITES)]


class InviteNumber(Struct, forbid_unknown_fields=True):
    """An invite by its number."""

    invite: Annotated[int, Meta(ge=1, le=2**53)]


class Late(Struct, forbid_unknown_fields=True):
    """Whether an invite may submit after the league has closed."""

    invite: Annotated[int, Meta(ge=1, le=2**53)]
    allowed: bool


class NewInvite(Struct):
    """An invite with its code, which is answered once."""

    label: str
    code: str
    link: str


class NewInvites(Struct):
    """The invites that were made."""

    invites: list[NewInvite]


class Link(Struct):
    """A secret link."""

    link: str


def pause(db: Database, *, paused: bool) -> str:
    """Begin no more games, or go on; return what was done."""
    db.settle("paused", "yes" if paused else "no")
    return _noted(db, "paused: games in play are finished, none is begun" if paused else "resumed")


def set_workers(db: Database, count: int) -> str:
    """Set how many blocks are played at once; return what was done."""
    db.settle("workers", str(count))
    return _noted(db, counted(count, "worker"))


def set_places(db: Database, count: int) -> str:
    """Set how many people play at once, 0 for none; return what was done."""
    db.settle("people", str(count))
    return _noted(db, f"up to {count} people play at once" if count else "people play no more")


def leave_out(db: Database, league: Path, pairing: tuple[str, str], *, out: bool) -> str:
    """Leave the games of two bots out of the ratings, or let them count; return what was done.

    Raises:
        UserError: If there are no such two bots, or that is so already.
    """
    return _noted(db, League(league).leave_out(*pairing, out=out))


def _noted(db: Database, done: str) -> str:
    db.note(done)
    db.announce("queue")
    return done


def state_of(db: Database, league: League) -> dict[str, Any]:
    """Return what the operator wants to see."""
    return {
        "disk": to_builtins(league.disk()),
        "paused": db.setting("paused", "no") == "yes",
        "workers": int(db.setting("workers", "1")),
        "unstartable": unstartable(db),
        "people": int(db.setting("people", str(PLACES))),
        "waiting": len(submissions(db, most=1000, waiting=True)),
        "invites": invites(db),
        "log": [{"at": at, "words": words} for at, words in db.log(_LOG_LINES)],
    }


def endpoints(context: Context) -> list[Endpoint]:
    """Return the operator's endpoints."""
    operator, folder = context.authentication.operator, context.folder

    def state(_request: Request) -> dict[str, Any]:
        with context.database() as db:
            return state_of(db, context.league())

    def action(name: str, summary: str, body: Any, act: _Act, answers: Any = Done) -> Endpoint:  # noqa: ANN401 - any type
        def handler(request: Request, asked: object) -> object:
            with context.database() as db:
                done = act(db, asked, address_of(request))
            return Done(done) if isinstance(done, str) else done

        return Endpoint(
            path=f"/api/operate/{name}",
            handler=handler,
            access=operator,
            body=body,
            answers=answers,
            summary=summary,
        )

    def count(db: Database, asked: Pairing, *, out: bool) -> str:
        return leave_out(db, folder, (asked.bot, asked.opponent), out=out)

    def link_to_read(db: Database, _asked: Nothing, here: str) -> Link:
        return Link(f"{here}/enter?key={replace_key(db, 'read')}")

    return [
        Endpoint(path="/api/operate", handler=state, access=operator),
        action(
            "pause",
            "Finish the games in play, and begin none",
            Nothing,
            lambda db, *_: pause(db, paused=True),
        ),
        action("resume", "Go on playing", Nothing, lambda db, *_: pause(db, paused=False)),
        action(
            "workers",
            "How many blocks of games are played at once",
            Workers,
            lambda db, asked, _: set_workers(db, asked.count),
        ),
        action(
            "people",
            "How many people play at once; 0 for none",
            Places,
            lambda db, asked, _: set_places(db, asked.count),
        ),
        action(
            "ban",
            "Withdraw a bot for good",
            Named,
            lambda db, asked, _: ban(db, folder, asked.name),
        ),
        action(
            "forget",
            "Delete all data of whose an invite is; games of their bot stay, under a neutral name",
            InviteNumber,
            lambda db, asked, _: forget(db, folder, asked.invite),
        ),
        action(
            "withdraw",
            "Withdraw a bot",
            Named,
            lambda db, asked, _: withdraw(db, folder, asked.name),
        ),
        action(
            "leave-out",
            "Leave the games of two bots out of the ratings",
            Pairing,
            lambda db, asked, _: count(db, asked, out=True),
        ),
        action(
            "count",
            "Let the games of two bots count in the ratings again",
            Pairing,
            lambda db, asked, _: count(db, asked, out=False),
        ),
        action(
            "invites", "Make invites: their codes are answered once", Labels, _invite, NewInvites
        ),
        action("revoke", "Let nobody submit by an invite any more", InviteNumber, _revoke),
        action(
            "renew",
            "A new code for an invite; the old one, and the secret link of its bot, are void",
            InviteNumber,
            _renew,
            NewInvite,
        ),
        action("late", "Whether an invite may submit after the league has closed", Late, _late),
        action("link", "A new secret link for a name; the old one is void", Named, _link, Link),
        action(
            "reader", "A new link for readers; the old one is void", Nothing, link_to_read, Link
        ),
    ]


def _invite(db: Database, asked: Labels, here: str) -> NewInvites:
    with db.writing():
        made = [(label, new_invite(db, label)) for label in asked.labels]
    return NewInvites([NewInvite(label, code, f"{here}/enter?key={code}") for label, code in made])


def _revoke(db: Database, asked: InviteNumber, _here: str) -> str:
    if all(one.id != asked.invite for one in invites(db)):
        raise Refusal(404, f"there is no invite {asked.invite}")
    revoke(db, asked.invite)
    return f"invite {asked.invite} is revoked"


def _renew(db: Database, asked: InviteNumber, here: str) -> NewInvite:
    found = {one.id: one for one in invites(db)}.get(asked.invite)
    if found is None:
        raise Refusal(404, f"there is no invite {asked.invite}")
    if found.revoked:
        raise Refusal(403, f"invite {asked.invite} is revoked; make another")
    code = renew_invite(db, asked.invite)
    db.note(f"invite {asked.invite} has a new code")
    db.announce("queue")
    return NewInvite(found.label, code, f"{here}/enter?key={code}")


def _late(db: Database, asked: Late, _here: str) -> str:
    if all(one.id != asked.invite for one in invites(db)):
        raise Refusal(404, f"there is no invite {asked.invite}")
    with db.writing():
        allow_late(db, asked.invite, allowed=asked.allowed)
    may = "may" if asked.allowed else "may not"
    return _noted(db, f"invite {asked.invite} {may} submit after the league has closed")


def _link(db: Database, asked: Named, here: str) -> Link:
    row = db.execute("SELECT name, banned FROM names WHERE name = ?", (asked.name,)).fetchone()
    if row is None:
        raise UserError(f"no author has the name {asked.name!a}")
    if row[1]:
        raise Refusal(403, f"'{row[0]}' was banned; its author gets no new link")
    return Link(f"{here}/enter?key={replace_key(db, 'author', row[0])}")
