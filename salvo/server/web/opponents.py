"""Says whom a visitor may play against, and why not."""

from typing import Literal

from msgspec import Struct

from arena.league import League
from salvo.server.database.keys import Visitor
from salvo.server.database.ownership import banned_names, owners
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import unstartable
from salvo.server.dates import dates_of

Kind = Literal["bundled", "own", "rival"]


class Opponent(Struct, frozen=True):
    """A bot that a visitor may meet: the version that plays, and whose it is."""

    name: str
    bot: str
    kind: Kind


def opponents(db: Database, league: League, visitor: Visitor, *, closed: str) -> list[Opponent]:
    """Return whom a visitor may meet: bots of the operator, then the own, then rivals.

    Rivals are met by authors of a bot that plays in the league, where the charter says so, and not
    once the league has closed: who plays against a bot learns where it hides. Bots that were
    uploaded play in the sandbox alone; ``closed`` says why there is none.
    """
    owned, unable = owners(db), unstartable(db).keys()
    banned = banned_names(db)
    invites = {key.id for key in visitor.invites}
    field = [entry for entry in league.field if entry.name not in banned]
    own = {
        entry.name
        for entry in field
        if entry.name in visitor.names or owned.get(entry.name) in invites
    }
    is_open = dates_of(league.charter).phase == "open"
    rivals = league.charter.rivals and bool(own) and is_open
    found = []
    for entry in field:
        if entry.full_name in unable:
            continue
        if entry.name not in owned:
            kind: Kind = "bundled"
        elif closed:
            continue
        elif entry.name in own:
            kind = "own"
        elif rivals:
            kind = "rival"
        else:
            continue
        found.append(Opponent(entry.name, entry.full_name, kind))
    order: tuple[Kind, ...] = ("bundled", "own", "rival")
    return sorted(found, key=lambda one: (order.index(one.kind), one.name))
