"""Writes down what is to be deleted, so that the same can be done again if it is killed."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from arena.entrants import same_name
from arena.errors import UserError
from arena.league import League
from arena.league.register import Entry, read_register
from arena.store import Store, forgotten
from arena.text import with_names
from salvo.bundled import bundled_bots
from salvo.server.database.keys import invites
from salvo.server.database.ownership import owners
from salvo.server.database.server_database import Database, folder_of

_PLAN = "forgetting.json"
_NO_INVITE = 0

Who = str | int
"""A person: by the name of their bot, or the number of their invite."""


class Forgetting(Struct, frozen=True):
    """What is to be deleted from a league.

    Attributes:
        names: The neutral name of each name that is to be forgotten, all of one person.
        invite: The number of their invite, 0 where there is none.
        digests: The hashes of the content of all versions.
    """

    names: dict[str, str]
    invite: int
    digests: list[str]

    @property
    def words(self) -> str:
        """Return what `salvo operate forget` is told to do the same again."""
        return next(iter(self.names), f"--invite {self.invite}")

    def is_of(self, who: Who) -> bool:
        """Return whether it is about a person."""
        if isinstance(who, int):
            return who == self.invite
        return any(same_name(who, name) for name in self.names)

    def renamed(self, text: str) -> str:
        """Return text with the neutral names."""
        return with_names(text, self.names)

    def full_name(self, name: str) -> str | None:
        """Return the new name for one in a record, with its version; None where it stays."""
        bare, at, version = name.partition("@")
        return f"{self.names[bare]}{at}{version}" if bare in self.names else None


def read_plan(league: Path) -> Forgetting | None:
    """Return what is still to be deleted; None if nothing is."""
    try:
        return msgspec.json.decode((folder_of(league) / _PLAN).read_bytes(), type=Forgetting)
    except FileNotFoundError:
        return None


def write_plan(league: Path, plan: Forgetting) -> None:
    """Write down what is to be deleted."""
    draft = _draft(league)
    draft.write_bytes(msgspec.json.encode(plan))
    draft.replace(folder_of(league) / _PLAN)


def remove_plan(league: Path) -> None:
    """Remove what was written down: all of it is done."""
    _draft(league).unlink(missing_ok=True)
    (folder_of(league) / _PLAN).unlink()


def _draft(league: Path) -> Path:
    return folder_of(league) / f"{_PLAN}.new"


def make_plan(db: Database, league: Path, who: Who) -> Forgetting:
    """Return what is to be deleted so that nothing is known of a person any more.

    Raises:
        UserError: If there is no such bot or invite, or it is the operator's own and others are
            measured by it; or if the record is damaged.
    """
    entries, owned = read_register(league), owners(db)
    submitted = {one for (one,) in db.execute("SELECT DISTINCT name FROM submissions")}
    known = {entry.name for entry in entries} | owned.keys() | submitted
    own: set[str] = set()
    if isinstance(who, int):
        invite = who
        if all(one.id != invite for one in invites(db)):
            raise UserError(f"there is no invite {invite}")
    else:
        name = next((one for one in sorted(known) if same_name(one, who)), "")
        if not name:
            raise UserError(f"no bot of this league is called {who!a}")
        if name not in owned and name not in submitted:
            _refuse_nobodys(league, name, entries)
        own, invite = {name}, owned.get(name, _NO_INVITE)
    own |= {one for one, other in owned.items() if other == invite}
    neutral = _neutral_names(league, known)
    return Forgetting(
        {one: next(neutral) for one in sorted(own)},
        invite,
        sorted({entry.digest for entry in entries if entry.name in own}),
    )


def _refuse_nobodys(league: Path, name: str, entries: list[Entry]) -> None:
    mine = [entry for entry in entries if entry.name == name]
    if all(entry.digest == forgotten(entry.full_name).digest for entry in mine):
        raise UserError(f"{name}: its data were deleted already")
    anchor = League(league).anchor
    if anchor is not None and anchor.name == name:
        raise UserError(
            f"{name} is the anchor of the league, by which all are measured, and no author's"
        )
    if name in bundled_bots():
        raise UserError(f"{name} is a bundled bot, and no author's; withdraw it instead")


def _neutral_names(league: Path, known: set[str]) -> Iterator[str]:
    """Yield names that nobody has or had; nothing of a record that is damaged is changed."""
    taken = {one.casefold() for one in known}
    record = League(league).record
    if record.exists():
        with Store(record, create=True) as store:
            store.check_results()
            for tournament in store.tournament_names():
                for entrant in store.tournament(tournament).entrants:
                    taken.add(entrant.name.partition("@")[0].casefold())
    names = (f"deleted-{number}" for number in itertools.count(1))
    return (name for name in names if name not in taken)
