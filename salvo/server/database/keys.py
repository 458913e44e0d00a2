"""Decides who may do what, by keys: secret texts, of which the database has hashes.

``operate``
    The operator's, printed by `salvo serve` at its start; that of an earlier start is void.
``submit``
    An invite code: whoever has it may enter bots under one name, and is the author of that bot.
``author``
    The secret of one name, for whoever is to be its author without the invite: new versions,
    withdrawal, and what the bot wrote to stderr.
``read``
    To read, where the league is not public. The other keys read too.

A browser exchanges a key for a session, whose secret is in a cookie; programs send the key itself.
"""

import hashlib
import json
import re
import secrets
import time
from collections.abc import Iterable
from typing import Literal, get_args

from msgspec import Struct

from arena.entrants import same_name
from salvo.server.database.server_database import Database, now

Right = Literal["operate", "author", "submit", "read"]
RIGHTS: tuple[Right, ...] = get_args(Right)
"""The one that allows most first."""

SESSION_S = 60 * 60 * 24 * 120
"""How long a browser is remembered: a term."""

_SESSIONS = 50  # browsers that are remembered of one key: those that came last
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Those of invite codes, which people copy by hand: none that look alike."""

_KEY = (
    "id, right, label, "
    "coalesce(name, (SELECT max(names.name) FROM names WHERE invite = keys.id AND NOT banned))"
)
"""The columns of a ``Key``."""

_GROUPS, _GROUP = 4, 5  # 20 letters are 99 bits
_CODE_LENGTH = 100  # as which no code is longer, however it is written


class Key(Struct, frozen=True):
    """A key in the database."""

    id: int
    right: Right
    label: str
    name: str | None  # of an author's, the bot's name; of an invite, that under which it was used


class Visitor(Struct, frozen=True):
    """A visitor, known by the keys that came with the request."""

    keys: tuple[Key, ...] = ()

    @property
    def operates(self) -> bool:
        """Whether it is the operator."""
        return any(key.right == "operate" for key in self.keys)

    @property
    def reads(self) -> bool:
        """Whether it may read a league that is not public: any key is enough."""
        return bool(self.keys)

    @property
    def invites(self) -> list[Key]:
        """The invites that it has."""
        return [key for key in self.keys if key.right == "submit"]

    @property
    def names(self) -> list[str]:
        """The names of bots that are its own."""
        return sorted({key.name for key in self.keys if key.name})

    def owns(self, name: str) -> bool:
        """Return whether a name is its own; the operator may see what is everybody's own."""
        return self.operates or any(same_name(name, own) for own in self.names)


ANYBODY = Visitor()


def held_right(keys: Iterable[Key]) -> Right | None:
    """Return the right of some keys that allows most, None of no keys."""
    return min((key.right for key in keys), key=RIGHTS.index, default=None)


class Invite(Struct, frozen=True):
    """An invite as the operator sees it, without its code, which nobody knows any more."""

    id: int
    label: str
    name: str | None
    at: str
    revoked: bool


def add_key(db: Database, right: Right, label: str = "", name: str | None = None) -> str:
    """Make a key and return it; this is the only time that it is known."""
    key = _new_code() if right == "submit" else secrets.token_urlsafe(24)
    db.execute(
        "INSERT INTO keys (hash, right, label, name, at) VALUES (?, ?, ?, ?, ?)",
        (_hash(key), right, label, name, now()),
    )
    return key


def new_invite(db: Database, label: str) -> str:
    """Make an invite and return its code."""
    return add_key(db, "submit", label)


def renew_invite(db: Database, invite: int) -> str:
    """Give an invite another code, and return it: the former one is void, wherever it was used.

    So is the secret link of its bot.
    """
    with db.writing():
        code = _new_code()
        db.execute("UPDATE keys SET hash = ? WHERE id = ?", (_hash(code), invite))
        db.execute("DELETE FROM sessions WHERE key = ?", (invite,))
        db.execute(
            "DELETE FROM keys WHERE right = 'author' "
            "AND name IN (SELECT name FROM names WHERE invite = ?)",
            (invite,),
        )
    return code


def spend(db: Database, key: int) -> None:
    """Make a key void for whoever would use it again; the sessions that have it go on."""
    db.execute("UPDATE keys SET hash = randomblob(32) WHERE id = ?", (key,))


def _new_code() -> str:
    groups = ["".join(secrets.choice(_LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS)]
    return "-".join(groups)


def replace_key(db: Database, right: Right, name: str | None = None) -> str:
    """Make the one key of its kind, or of its kind and name: those before are void."""
    with db.writing():
        db.execute("DELETE FROM keys WHERE right = ? AND name IS ?", (right, name))
        return add_key(db, right, name=name)


def revoke(db: Database, invite: int) -> None:
    """Make an invite void, and the author's key of its bot too; the bot itself stays."""
    with db.writing():
        db.execute("UPDATE keys SET revoked = 1 WHERE id = ? AND right = 'submit'", (invite,))
        db.execute(
            "UPDATE keys SET revoked = 1 WHERE right = 'author' "
            "AND name IN (SELECT name FROM names WHERE invite = ?)",
            (invite,),
        )


def invites(db: Database) -> list[Invite]:
    """Return all invites, oldest first."""
    rows = db.execute(
        "SELECT keys.id, label, (SELECT max(names.name) FROM names WHERE invite = keys.id), at, "
        "revoked FROM keys WHERE right = 'submit' ORDER BY keys.id"
    )
    return [
        Invite(number, label, name, at, bool(revoked)) for number, label, name, at, revoked in rows
    ]


def find_key(db: Database, key: str) -> Key | None:
    """Return the key that a text is; None if it is none, or was revoked.

    An invite code may be written in capitals, and with other signs or none between its groups.
    """
    row = db.execute(
        f"SELECT {_KEY} FROM keys WHERE hash IN (?, ?) AND NOT revoked",  # noqa: S608 - no user's text
        (_hash(key), _hash(_as_code(key))),
    ).fetchone()
    return None if row is None else Key(*row)


def _as_code(text: str) -> str:
    letters = re.sub(r"[\W_]", "", text[:_CODE_LENGTH]).lower()
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def join_session(db: Database, session: str | None, key: Key) -> str:
    """Add a key to a session and return the session's new secret; the former one is void.

    Whoever knows the former one, as it may be if he planted it in a browser, gains nothing by it.
    """
    secret = secrets.token_urlsafe(24)
    expires = int(time.time()) + SESSION_S
    with db.writing():
        db.execute("DELETE FROM sessions WHERE expires < ?", (int(time.time()),))
        if session is not None:
            former = (_hash(secret), _hash(session))
            db.execute("UPDATE sessions SET hash = ? WHERE hash = ?", former)
        db.execute(
            "INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", (_hash(secret), key.id, expires)
        )
        db.execute(
            "DELETE FROM sessions WHERE key = ?1 AND rowid NOT IN (SELECT rowid FROM sessions "
            "WHERE key = ?1 ORDER BY expires DESC, rowid DESC LIMIT ?2)",
            (key.id, _SESSIONS),
        )
    return secret


def forget_session(db: Database, session: str) -> None:
    """Forget a session."""
    db.execute("DELETE FROM sessions WHERE hash = ?", (_hash(session),))


def visitor_of(db: Database, session: str | None, sent: Key | None = None) -> Visitor:
    """Return who asks."""
    found = [] if session is None else _keys_of(db, session)
    if sent is not None and sent not in found:
        found.append(sent)
    return Visitor(tuple(found))


def still_valid(db: Database, visitor: Visitor) -> Visitor:
    """Return a visitor with those of the keys alone that hold now."""
    valid = db.execute(
        "SELECT id FROM keys WHERE NOT revoked AND id IN (SELECT value FROM json_each(?))",
        (json.dumps([key.id for key in visitor.keys]),),
    )
    found = {number for (number,) in valid}
    return Visitor(tuple(key for key in visitor.keys if key.id in found))


def _keys_of(db: Database, session: str) -> list[Key]:
    rows = db.execute(
        f"SELECT {_KEY} FROM keys JOIN sessions ON key = id "  # noqa: S608 - no user's text
        "WHERE sessions.hash = ? AND expires > ? AND NOT revoked",
        (_hash(session), int(time.time())),
    )
    return [Key(*row) for row in rows]


def _hash(secret: str) -> bytes:
    """Return what is kept of a secret: it is random and long, so that a fast hash is enough."""
    return hashlib.blake2b(
        secret.encode("utf-8", "surrogateescape"), digest_size=32, person=b"salvo key"
    ).digest()
