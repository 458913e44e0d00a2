"""Decides who may submit under which name, and takes names out of the league."""

from pathlib import Path

from arena.entrants import refuse_name, same_name
from arena.entrants.bot_names import looks_of
from arena.errors import BotError, UserError
from arena.league import League
from arena.league.register import read_register
from salvo.bundled import bundled_bots
from salvo.server.database.keys import Key, Visitor, add_key
from salvo.server.database.server_database import Database, folder_of
from salvo.server.errors import Refusal

WITHDRAWN = "it was withdrawn"
"""The reason of a submission that was refused because its bot was withdrawn or banned meanwhile."""


def upload_path(league: Path, identifier: str) -> Path:
    """Return where the bytes of a submission wait."""
    return folder_of(league) / "uploads" / identifier


def reserve_name(
    db: Database, league: Path, visitor: Visitor, name: str, *, take: bool
) -> str | None:
    """Make sure that a visitor may submit a bot under a name; called within a transaction.

    Returns:
        A new key of the name's author if the name is taken now, as ``take`` allows; else None.

    Raises:
        Refusal: If it may not.
    """
    _refuse_name(name)
    row = db.execute("SELECT name, invite, banned FROM names WHERE name = ?", (name,))
    known = row.fetchone()
    entered = {entry.name for entry in read_register(league)}
    if known is None:
        invite = _free_invite(db, visitor, name, entered, take=take)
    else:
        stored, number, banned = known
        if banned:
            raise Refusal(403, f"'{stored}' was banned by the operator")
        if stored != name:
            raise Refusal(403, f"'{name}' could be taken for '{stored}'; choose another name")
        mine = [key for key in visitor.invites if key.id == number]
        if not mine and stored not in visitor.names:
            raise Refusal(403, f"'{stored}' belongs to somebody else; choose another name")
        if not mine or stored in entered:
            return None
        [invite] = mine
    if not take:
        return None
    db.execute("INSERT OR REPLACE INTO names (name, invite) VALUES (?, ?)", (name, invite.id))
    db.execute("DELETE FROM keys WHERE right = 'author' AND name = ?", (name,))
    return add_key(db, "author", name=name)


def invite_of(db: Database, visitor: Visitor, name: str) -> int:
    """Return the invite by which a visitor may submit under a name, as ``reserve_name`` found.

    It is the same whichever other keys come with the request.
    """
    row = db.execute("SELECT invite FROM names WHERE name = ?", (name,)).fetchone()
    return visitor.invites[-1].id if row is None else int(row[0])


def _refuse_name(name: str) -> None:
    try:
        refuse_name(name, "name")
    except BotError:
        raise Refusal(
            400,
            f"name: {name[:60]!a} cannot be shown in tables; use ASCII letters, digits, and . - _ "
            "after the first, at most 40",
        ) from None


def _free_invite(
    db: Database, visitor: Visitor, name: str, entered: set[str], *, take: bool
) -> Key:
    """Return an invite by which a new name can be taken."""
    for other in sorted(entered):
        if same_name(other, name):
            raise Refusal(403, f"'{other}' is in the league already; choose another name")
    if not visitor.invites:
        raise Refusal(403, "a new bot needs an invite code; the operator of the league has them")
    invite = visitor.invites[-1]
    others = {other for other, owner in owners(db).items() if owner != invite.id}
    for other in sorted(entered | others | bundled_bots().keys()):
        if looks_of(other) == looks_of(name):
            raise Refusal(403, f"'{name}' could be taken for '{other}'; choose another name")
    rows = db.execute("SELECT name FROM names WHERE invite = ?", (invite.id,)).fetchall()
    for (former,) in rows:
        waits = db.execute(
            "SELECT 1 FROM submissions WHERE name = ? AND state IN ('queued', 'checking')",
            (former,),
        )
        if former in entered or waits.fetchone():
            raise Refusal(
                403,
                f"this invite has its bot, '{former}': an invite is good for one name; submit a "
                "new version under that name",
            )
        # It never came as far as the league: the invite may take another name.
        if take:
            db.execute("DELETE FROM names WHERE name = ?", (former,))
            db.execute("DELETE FROM keys WHERE right = 'author' AND name = ?", (former,))
    return invite


def owners(db: Database) -> dict[str, int]:
    """Return by which invite each name was entered; names of the operator's own are missing."""
    return dict(db.execute("SELECT name, invite FROM names").fetchall())


def banned_names(db: Database) -> set[str]:
    """Return the names that the operator banned."""
    return {name for (name,) in db.execute("SELECT name FROM names WHERE banned")}


def refuse_banned(db: Database, name: str) -> None:
    """Refuse a name that the operator banned.

    Raises:
        UserError: If it is one.
    """
    for banned in banned_names(db):
        if same_name(banned, name):
            raise UserError(
                f"bot {name}: {banned!r} was banned in this league, and no block of it would be "
                "played; choose another name with --name"
            )


def withdraw(db: Database, league: Path, name: str, *, banned: bool = False) -> str:
    """Take a name out of the field and its submissions out of the queue; return what was done.

    Once it is banned, nobody may submit under it or by its invite, and its author's key is void.

    Raises:
        UserError: If there is no such bot, or the anchor of the league is to be banned.
    """
    with db.writing():
        # Who is accepted is so within such a transaction, and so before this one, or never.
        register = read_register(league)
        known = sorted({one.name for one in register} | owners(db).keys())
        wanted, name = name, next((one for one in known if same_name(one, name)), "")
        if not name:
            raise UserError(f"no bot of this league is called {wanted!a}")
        anchor = League(league).anchor
        if banned and anchor is not None and anchor.name == name:
            # No block with a banned bot is played, and every bot has to meet the anchor.
            raise UserError(
                f"{name} is the anchor of the league, which every bot meets and is measured by, "
                "and cannot be banned; withdraw it, and revoke the invite of its author"
            )
        waiting = db.execute(
            "SELECT id FROM submissions WHERE name = ? AND state IN ('queued', 'checking')",
            (name,),
        ).fetchall()
        db.execute(
            "UPDATE submissions SET state = 'refused', reason = ? "
            "WHERE name = ? AND state IN ('queued', 'checking')",
            (WITHDRAWN, name),
        )
        if banned:
            _ban_author(db, name)
        plays = any(one.name == name and one.state == "current" for one in register)
        if plays or not (waiting or banned):
            told = f"{League(league).withdraw(name).full_name} is withdrawn"
        else:
            told = f"{name} is out of the queue"
    for (identifier,) in waiting:
        upload_path(league, identifier).unlink(missing_ok=True)
    told = f"{told}, and banned" if banned else told
    db.note(told)
    db.announce("queue", name=name)
    return told


def _ban_author(db: Database, name: str) -> None:
    db.execute(
        "UPDATE keys SET revoked = 1 WHERE id IN (SELECT invite FROM names WHERE name = ?)",
        (name,),
    )
    db.execute(
        "UPDATE keys SET revoked = 1 WHERE right = 'author' "
        "AND name IN (SELECT name FROM names WHERE name = ?)",
        (name,),
    )
    db.execute("UPDATE names SET banned = 1 WHERE name = ?", (name,))


def ban(db: Database, league: Path, name: str) -> str:
    """Withdraw a name for good; see ``withdraw``."""
    return withdraw(db, league, name, banned=True)
