"""Says when a league takes bots, by the dates in its charter."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from arena.league import FINAL, Charter
from arena.league.charter import CHARTER, read_charter
from salvo.server import clock
from salvo.server.database.server_database import Database

Phase = Literal["before", "open", "closed"]


class Upcoming(Struct, frozen=True):
    """A tournament that is still to come."""

    name: str
    at: datetime


class Dates(Struct, frozen=True):
    """The dates of a league, None where there is none, and what they say now.

    Attributes:
        upcoming: The tournament that comes next, and the final if that comes later.
        planned: Whether there is any tournament, also one that has begun.
    """

    opens: datetime | None
    closes: datetime | None
    phase: Phase
    upcoming: tuple[Upcoming, ...] = ()
    planned: bool = False

    @property
    def refusal(self) -> str:
        """The reason why no bot can be submitted now; empty if one can."""
        if self.phase == "before":
            return f"bots come in from {moment(self.opens)} on"
        if self.phase == "closed":
            return f"bots came in until {moment(self.closes)}, and versions are frozen"
        return ""


def dates_of(charter: Charter, at: datetime | None = None) -> Dates:
    """Return the dates in a charter, and what they say at a moment, by default now."""
    at = at or clock.now()
    opens, closes = charter.opens, charter.closes
    phase: Phase = "open"
    if opens is not None and at < opens:
        phase = "before"
    elif closes is not None and at >= closes:
        phase = "closed"
    ahead = [Upcoming(one.name, one.at) for one in charter.tournaments if one.at > at]
    upcoming = (*ahead[:1], *(one for one in ahead[1:] if one.name == FINAL))
    return Dates(opens, closes, phase, upcoming, bool(charter.tournaments))


def moment(at: datetime | None) -> str:
    """Return a moment in words, in UTC."""
    return "" if at is None else f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


class DatesOf:
    """The dates of the league in a folder, read again whenever its charter was changed."""

    def __init__(self, league: Path) -> None:
        self._path = league / CHARTER
        self._kept: tuple[int, Charter] | None = None

    def __call__(self) -> Dates:
        """Return the dates, and what they say now."""
        stamp = self._path.stat().st_mtime_ns
        if self._kept is None or self._kept[0] != stamp:
            self._kept = stamp, read_charter(self._path)
        return dates_of(self._kept[1])


def allow_late(db: Database, invite: int, *, allowed: bool) -> None:
    """Let an invite submit although the league has closed, or no longer."""
    db.settle(_late(invite), "yes" if allowed else "no")


def is_late_allowed(db: Database, invite: int) -> bool:
    """Return whether an invite may submit although the league has closed."""
    return db.setting(_late(invite), "no") == "yes"


def _late(invite: int) -> str:
    return f"late {invite}"
