"""Queues uploads, and records what came of each."""

import secrets
import shutil
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from salvo.server.database.keys import Visitor, still_valid
from salvo.server.database.ownership import WITHDRAWN, reserve_name, upload_path
from salvo.server.database.server_database import Database, folder_of, now, stamp_of
from salvo.server.errors import Refusal

MOST_WAITING = 256
MOST_OF_ADDRESS = 64
"""A class sits behind one address."""

MOST_OF_NAME = 2
_TRIES = 3
CHECK_S = 60.0
"""How long a check may take, in wall time."""

_LATELY_S = 3600

State = Literal["queued", "checking", "accepted", "refused", "failed"]
_OPEN = "('queued', 'checking')"
_COLUMNS = "number, id, name, address, file, state, entry, reason, steps, at"


class Submitted(Struct, frozen=True):
    """The id of a submission, and the secret of its name, if that was taken with it."""

    id: str
    key: str | None


class Submission(Struct, frozen=True):
    """One upload and what came of it.

    Attributes:
        number: Its place among all submissions, from 1.
        id: By which its author follows it: random.
        file: The suffix of the file that was uploaded.
        entry: Once accepted, the version that it became.
        steps: The steps of its check so far, as ``arena.conformance.Step`` has them.
    """

    number: int
    id: str
    name: str
    address: str
    file: str
    state: State
    entry: str
    reason: str
    steps: list[dict[str, Any]]
    at: str

    @property
    def is_open(self) -> bool:
        """Whether it waits or is being checked."""
        return self.state in ("queued", "checking")


def new_identifier() -> str:
    """Return an id for a submission, which nobody can guess."""
    return secrets.token_urlsafe(12)


def submit(  # noqa: PLR0913 - who submits what, from where
    db: Database,
    league: Path,
    visitor: Visitor,
    *,
    name: str,
    file: str,
    address: str,
    upload: Path,
    identifier: str = "",
) -> Submitted:
    """Put an upload into the queue, and take its name if it is new; its id is new by default.

    Raises:
        Refusal: If the visitor may not, or too many wait.
    """
    identifier = identifier or new_identifier()
    with db.writing():
        # Since it was asked for, while the upload came, a key may have become void.
        key = reserve_name(db, league, still_valid(db, visitor), name, take=True)
        [[waiting, of_address, of_name]] = db.execute(
            "SELECT count(*), coalesce(sum(address = ?), 0), coalesce(sum(name = ?), 0) "  # noqa: S608 - no user's text
            f"FROM submissions WHERE state IN {_OPEN}",
            (address, name),
        )
        if of_name >= MOST_OF_NAME:
            raise Refusal(429, f"{of_name} versions of '{name}' wait already; wait for them")
        if waiting >= MOST_WAITING or of_address >= MOST_OF_ADDRESS:
            raise Refusal(429, "too many bots wait to be checked; try again in some minutes")
        db.execute(
            "INSERT INTO submissions (id, name, address, file, at) VALUES (?, ?, ?, ?, ?)",
            (identifier, name, address, file, now()),
        )
        upload.rename(upload_path(league, identifier))
        db.announce("queue", name=name)
    return Submitted(identifier, key)


def submissions(
    db: Database, *, most: int, waiting: bool, name: str | None = None
) -> list[Submission]:
    """Return submissions, of one name or of all.

    Those that wait or are being checked come oldest first, the others newest first.
    """
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM submissions WHERE state {'' if waiting else 'NOT '}IN {_OPEN} "  # noqa: S608 - no user's text
        f"AND ?1 IN (name, '') ORDER BY number {'' if waiting else 'DESC'} LIMIT ?2",
        (name or "", most),
    )
    return list(map(_submission, rows))


def submission(db: Database, identifier: str) -> Submission | None:
    """Return a submission by its id."""
    row = db.execute(
        f"SELECT {_COLUMNS} FROM submissions WHERE id = ?",  # noqa: S608 - no user's text
        (identifier,),
    ).fetchone()
    return None if row is None else _submission(row)


def _submission(row: Sequence[Any]) -> Submission:
    values = dict(zip(_COLUMNS.split(", "), row, strict=True))
    return msgspec.convert(values | {"steps": msgspec.json.decode(values["steps"])}, Submission)


def requeue(db: Database, only: Submission | None = None) -> None:
    """Put back what was being checked when its checker ended, and throw away its steps.

    What was begun several times may be what ended it.
    """
    number = None if only is None else only.number
    which = "WHERE state = 'checking' AND ifnull(number = ?1, 1)"
    with db.writing():
        db.execute(
            f"UPDATE submissions SET state = 'failed', reason = ?2 {which} AND tries >= ?3",  # noqa: S608 - no user's text
            (number, "the server ended each time that it was checked", _TRIES),
        )
        back = f"UPDATE submissions SET state = 'queued', steps = '[]' {which}"  # noqa: S608 - the same
        db.execute(back, (number,))
        db.announce("queue")


def put_off(db: Database, one: Submission) -> None:
    """Put back what this machine could not check for now, which does not count as a try.

    Others go first, in case it is too large for it.
    """
    note_spent(db, one, CHECK_S)
    with db.writing():
        db.execute(
            "UPDATE submissions SET state = 'queued', steps = '[]', tries = tries - 1 "
            "WHERE number = ? AND state = 'checking'",
            (one.number,),
        )
        db.announce("queue")


def take_next(db: Database) -> Submission | None:
    """Return the next submission, which from now on is being checked.

    That is one of the author whose bots took the least time to check lately, and of those the
    oldest. Of one author, no two are checked at the same time: whoever submits bots that are slow
    to check keeps nobody waiting but themselves.
    """
    with db.writing():
        row = db.execute(
            f"SELECT {_COLUMNS} FROM submissions LEFT JOIN names USING (name) "  # noqa: S608 - no user's text
            "WHERE state = 'queued' AND NOT EXISTS (SELECT 1 FROM submissions AS other "
            "JOIN names AS taken USING (name) WHERE other.state = 'checking' "
            "AND taken.invite = names.invite) "
            "ORDER BY (SELECT coalesce(sum(seconds), 0) FROM spent "
            "WHERE spent.invite = names.invite AND spent.at > ?), number LIMIT 1",
            (int(time.time()) - _LATELY_S,),
        ).fetchone()
        if row is None:
            return None
        db.execute(
            "UPDATE submissions SET state = 'checking', tries = tries + 1 WHERE number = ?",
            (row[0],),
        )
        db.announce("queue", name=row[2])
        return _submission(row)


def note_spent(db: Database, one: Submission, seconds: float) -> None:
    """Write down how long the check of a submission took, for the one whose bot it is."""
    at = int(time.time())
    with db.writing():
        db.execute("DELETE FROM spent WHERE at <= ?", (at - _LATELY_S,))
        db.execute(
            "INSERT INTO spent SELECT invite, ?, ? FROM names WHERE name = ?",
            (at, seconds, one.name),
        )


def was_begun_before(db: Database, one: Submission) -> bool:
    """Return whether a checker that was killed had begun with a submission."""
    row = db.execute("SELECT tries FROM submissions WHERE number = ?", (one.number,))
    return bool(row.fetchone()[0] > 1)


def add_step(db: Database, one: Submission, step: dict[str, Any]) -> None:
    """Write down a step of the check of a submission; of what it says, everybody sees the title."""
    with db.writing():
        db.execute(
            "UPDATE submissions SET steps = json_insert(steps, '$[#]', json(?)) WHERE number = ?",
            (msgspec.json.encode(step).decode(), one.number),
        )
        db.announce("step", name=one.name, number=step["number"], verdict=step["verdict"])


def is_wanted(db: Database, one: Submission) -> bool:
    """Return whether a submission is still being checked, and its name somebody's."""
    row = db.execute(
        "SELECT 1 FROM submissions JOIN names USING (name) "
        "WHERE number = ? AND state = 'checking' AND NOT banned",
        (one.number,),
    )
    return row.fetchone() is not None


def has_verdict(db: Database, one: Submission) -> bool:
    """Return whether the check of a submission came to its end, and nobody withdrew it."""
    row = db.execute(
        "SELECT 1 FROM submissions WHERE number = ? "  # noqa: S608 - no user's text
        f"AND state NOT IN {_OPEN} AND reason != ?",
        (one.number, WITHDRAWN),
    )
    return row.fetchone() is not None


def finish(
    db: Database, one: Submission, state: State, *, entry: str = "", reason: str = ""
) -> None:
    """Write down what came of a submission, unless it was withdrawn."""
    with db.writing():
        done = db.execute(
            "UPDATE submissions SET state = ?, entry = ?, reason = ? "
            "WHERE number = ? AND state = 'checking'",
            (state, entry, reason, one.number),
        )
        if not done.rowcount:
            return
        db.announce("queue", name=one.name)
        told = f"{entry} is accepted" if entry else f"{one.name} is {state}: {reason}"
        db.note(told[:400])


def waiting_since(db: Database, at: datetime) -> int:
    """Return how many bots that were handed in up to a moment are still to be checked."""
    rows = db.execute(
        f"SELECT count(*) FROM submissions WHERE state IN {_OPEN} AND at <= ?",  # noqa: S608 - no user's text
        (stamp_of(at),),
    )
    return int(rows.fetchone()[0])


def accepted_after(db: Database, at: datetime) -> set[str]:
    """Return the versions that came of bots which were handed in after a moment."""
    rows = db.execute(
        "SELECT entry FROM submissions WHERE state = 'accepted' AND at > ?", (stamp_of(at),)
    )
    return {entry for (entry,) in rows}


def clear_leftovers(league: Path) -> None:
    """Remove what an earlier run of the server left of uploads that it did not finish."""
    with Database(league) as db:
        rows = db.execute(f"SELECT id FROM submissions WHERE state IN {_OPEN}")  # noqa: S608 - no user's text
        wanted = {identifier for (identifier,) in rows}
    folder = folder_of(league)
    (folder / "uploads").mkdir(mode=0o700, exist_ok=True)
    for path in (folder / "uploads").iterdir():
        if path.name not in wanted:
            path.unlink()
    shutil.rmtree(folder / "unpacked", ignore_errors=True)
