"""Opens the server's own database, ``serve/book.sqlite3`` in the league's folder.

It holds what the league itself does not know: who may do what, which uploads wait, what happened
and is to be shown at once, and the leaderboards as they were last computed. Every process of the
server opens it for itself; what is secret lies in it as a hash alone.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from msgspec import Struct

from arena.errors import StorageError, UserError
from arena.store import patiently
from salvo.server import clock

_FOLDER = "serve"
_FILE = "book.sqlite3"
_PATIENCE_S = 30.0
_EVENTS_KEPT = 5000
_LOG_KEPT = 2000
_VERSION = 1

MOST_WORKERS = 64
"""Blocks played at once, at most: of the setting "workers"."""

_TABLES = """
CREATE TABLE IF NOT EXISTS keys (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    right TEXT NOT NULL,
    label TEXT NOT NULL DEFAULT '',
    name TEXT,
    at TEXT NOT NULL,
    revoked INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS sessions (
    hash BLOB NOT NULL,
    key INTEGER NOT NULL REFERENCES keys ON DELETE CASCADE,
    expires INTEGER NOT NULL,
    PRIMARY KEY (hash, key)
);
CREATE TABLE IF NOT EXISTS names (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    invite INTEGER NOT NULL REFERENCES keys,
    banned INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS submissions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    file TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    entry TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    steps TEXT NOT NULL DEFAULT '[]',
    at TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS submissions_by_state ON submissions (state);
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS spent (
    invite INTEGER NOT NULL REFERENCES keys ON DELETE CASCADE,
    at INTEGER NOT NULL,
    seconds REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS used (invite INTEGER PRIMARY KEY, seconds REAL NOT NULL);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS boards (name TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, at TEXT NOT NULL, words TEXT NOT NULL);
"""


_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space",
    sqlite3.SQLITE_READONLY: "it is read-only; allow writing to it and its files",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; allow reading and writing it and its files",
    sqlite3.SQLITE_IOERR: "the system cannot read or write it; check the disk and its space",
}


class Event(Struct, frozen=True):
    """Something that happened ("block", "board", "queue" or "step"), and more about it as JSON."""

    id: int
    kind: str
    data: str


def folder_of(league: Path) -> Path:
    """Return the server's own folder in that of a league."""
    return league / _FOLDER


def is_served(league: Path) -> bool:
    """Return whether a league was ever served, so that bots of it may wait in the database."""
    return (folder_of(league) / _FILE).exists()


def now() -> str:
    """Return the time, in UTC, as the record has it."""
    return stamp_of(clock.now())


def stamp_of(at: datetime) -> str:
    """Return a moment as the record has it."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


class Database(sqlite3.Connection):
    """The database of a league, opened. Use it in a ``with`` statement, which closes it.

    Raises:
        UserError: If it was written by another version.
        StorageError: If it cannot be read or made.
    """

    file, tables, last_table = _FILE, _TABLES, "used"

    def __init__(self, league: Path) -> None:
        self._league = league
        with self._explained():
            self._open(league)

    def _open(self, league: Path) -> None:
        folder = folder_of(league)
        path = folder / self.file
        if not path.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            # SQLite gives the files that it makes beside it the same mode.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        super().__init__(path, timeout=_PATIENCE_S, isolation_level=None)
        [[version]] = self.execute("PRAGMA user_version")
        if version not in (0, _VERSION):
            self.close()
            raise UserError(
                f"{path}: it was written by another version of Salvo; use that, or move the folder "
                f"{folder} away: invites and secret links are then void, bots and games stay"
            )
        if not self._is_whole():  # also where whoever made the file was killed before it made these
            patiently(self._make_tables)  # two that turn to WAL at once fail, without waiting
        self.execute("PRAGMA synchronous = NORMAL")
        self.execute("PRAGMA foreign_keys = ON")

    def _is_whole(self) -> bool:
        named = "SELECT count(*) FROM sqlite_master WHERE name = ?"
        [[count]] = self.execute(named, (self.last_table,))
        return bool(count)

    def _make_tables(self) -> None:
        self.execute("PRAGMA journal_mode = WAL")
        made = f"BEGIN IMMEDIATE; {self.tables}; PRAGMA user_version = {_VERSION}; COMMIT"
        self.executescript(made)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        self.close()
        if isinstance(error, sqlite3.Error):
            with self._explained():
                raise error
        return False

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Raise errors of the disk as ones that say how to fix it, and bugs as they are."""
        try:
            yield
        except OSError as error:
            raise StorageError(
                f"{error.filename}: {error.strerror}; the server has to write there"
            ) from error
        except sqlite3.Error as error:
            reason = _REASONS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF)
            if reason is None:
                raise
            raise StorageError(f"{folder_of(self._league)}: {reason}") from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Commit everything that is done inside, or nothing; others who write wait."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise

    def setting(self, name: str, default: str) -> str:
        """Return what the operator chose, or the default."""
        row = self.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return default if row is None else str(row[0])

    def settle(self, name: str, value: str) -> None:
        """Write down what the operator chose."""
        self.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def announce(self, kind: str, **data: object) -> None:
        """Write down an event, and forget those that nobody can be waiting for any more."""
        text = msgspec.json.encode(data).decode()
        cursor = self.execute("INSERT INTO events (kind, data) VALUES (?, ?)", (kind, text))
        self._forget("events", cursor, _EVENTS_KEPT)

    def _forget(self, table: str, cursor: sqlite3.Cursor, kept: int) -> None:
        last = cursor.lastrowid or 0
        if last % 100 == 0:
            self.execute(f"DELETE FROM {table} WHERE id <= ?", (last - kept,))  # noqa: S608 - no user's text

    def last_event(self) -> int:
        """Return the number of the newest event, 0 before the first."""
        [[last]] = self.execute("SELECT coalesce(max(id), 0) FROM events")
        return int(last)

    def events_after(self, last: int) -> list[Event]:
        """Return the events after one, oldest first."""
        rows = self.execute("SELECT id, kind, data FROM events WHERE id > ? ORDER BY id", (last,))
        return [Event(*row) for row in rows]

    def note(self, words: str) -> None:
        """Write a line into the log that the operator reads."""
        cursor = self.execute("INSERT INTO log (at, words) VALUES (?, ?)", (now(), words))
        self._forget("log", cursor, _LOG_KEPT)

    def log(self, most: int) -> list[tuple[str, str]]:
        """Return the newest lines of the log, each with its time, newest first."""
        rows = self.execute("SELECT at, words FROM log ORDER BY id DESC LIMIT ?", (most,))
        return rows.fetchall()

    def board(self, name: str) -> Any:  # noqa: ANN401 - JSON has any shape
        """Return what was computed under a name; None if nothing was."""
        row = self.execute("SELECT data FROM boards WHERE name = ?", (name,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0])

    def keep_boards(self, boards: dict[str, object]) -> None:
        """Replace all that was computed."""
        with self.writing():
            self.execute("DELETE FROM boards")
            self.executemany(
                "INSERT INTO boards VALUES (?, ?)",
                [(name, msgspec.json.encode(data)) for name, data in boards.items()],
            )
