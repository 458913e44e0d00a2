"""Keeps what came of the tournaments in a league's calendar, in its folder ``results``.

A file each: it is begun with the tournament, grows with each look at the games, and is whole when
the tournament has ended. What it says follows from the record and the charter, so that it can be
made again.
"""

import contextlib
import os
from pathlib import Path

import msgspec
from msgspec import Struct

from arena.errors import UserError
from arena.league import League, Planned
from arena.text import first_few
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.server_database import Database

FOLDER = "results"


class LookTaken(Struct, frozen=True):
    """A look at the games of a tournament.

    Attributes:
        pairs: After how many pairs a pairing.
        games: After how many games in all.
        may_win: Who may be the best, by rating: nobody who is no boss surely beats them.
        at: When, in UTC.
    """

    pairs: int
    games: int
    may_win: list[str]
    at: str

    def sentence(self) -> str:
        """Return what it says."""
        if not self.may_win:
            return "No game counts yet."
        best, *others = self.may_win
        if not others:
            return f"{best} has won: it is surely better than all others that could win."
        return (
            f"{len(self.may_win)} bots may be the best: {first_few(self.may_win)}; {best} has the "
            "highest rating."
        )


class Result(Struct, frozen=True, kw_only=True):
    """A tournament that has begun.

    Attributes:
        planned: As it was announced, with its seed.
        began: When, in UTC.
        entrants: Who takes part, by their names in the record.
        bosses: Those of them that are steps to climb, and cannot win.
        out: Those of the entrants who were banned before a look, and do not count.
        ended: When it ended; empty while it is played.
        boards: The table at the end.
    """

    planned: Planned
    began: str
    entrants: list[str]
    bosses: list[str]
    out: list[str] = []
    looks: list[LookTaken] = []
    ended: str = ""
    boards: Leaderboards | None = None

    @property
    def next_look(self) -> int:
        """The number of the look that comes next, from 1."""
        return len(self.looks) + 1


def result_path(league: Path, name: str) -> Path:
    """Return the file of a tournament."""
    return league / FOLDER / f"{name}.json"


def report_path(league: Path, name: str) -> Path:
    """Return the report of a tournament, which is there once it has ended."""
    return league / FOLDER / f"{name}.html"


def read_result(league: Path, name: str) -> Result | None:
    """Return what there is of a tournament; None before it has begun.

    Raises:
        UserError: If its file cannot be read.
    """
    path = result_path(league, name)
    try:
        return msgspec.json.decode(path.read_bytes(), type=Result)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"league file {path}: {error}; put back a copy of it") from error


def results(league: League) -> dict[str, Result]:
    """Return those tournaments of a league that have begun, by their names."""
    planned = league.charter.tournaments
    found = {one.name: read_result(league.folder, one.name) for one in planned}
    return {name: result for name, result in found.items() if result is not None}


def note_played(db: Database, planned: Planned, look: int) -> None:
    """Write down that all games which are due before a look are played, as far as they can be."""
    db.settle(f"played {planned.name}", str(look))


def looks_due(league: League, db: Database) -> list[str]:
    """Return the tournaments of which a look is due."""
    return [name for name, one in results(league).items() if not one.ended and is_look_due(db, one)]


def is_look_due(db: Database, result: Result) -> bool:
    """Return whether all games are played which are due before the next look."""
    return db.setting(f"played {result.planned.name}", "") == str(result.next_look)


def write_result(league: Path, result: Result) -> None:
    """Replace the file of a tournament, which has its seed: its owner alone may read it."""
    write_private(
        result_path(league, result.planned.name),
        msgspec.json.format(msgspec.json.encode(result)) + b"\n",
    )


def write_private(path: Path, content: bytes) -> None:
    """Replace a file that its owner alone may read, whole or not at all."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()
