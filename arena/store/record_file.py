"""Opens, checks and creates the SQLite file of a record, and writes to it in transactions."""

import contextlib
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self, TypeVar

import msgspec

from arena.errors import EmptyRecordError, RecordError
from arena.store.schema import APPLICATION_ID, SCHEMA, SCHEMA_VERSION

T = TypeVar("T")

PATIENCE_S = 30.0
"""How long to wait for another process that writes to the same file; a commit is quick."""

RETRY_S = 0.01

_ELSEWHERE = "or name another file with --db"
_FIXES = {
    sqlite3.SQLITE_FULL: "the disk is full; free some space and run the same command again",
    sqlite3.SQLITE_READONLY: (
        f"it is read-only; allow writing to it and to its folder, {_ELSEWHERE}"
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "it cannot be opened; check that its folder exists and that you may write to both, "
        f"{_ELSEWHERE}"
    ),
    sqlite3.SQLITE_BUSY: (
        f"another program has locked it for {PATIENCE_S:g} s; end that program, {_ELSEWHERE}"
    ),
    sqlite3.SQLITE_NOTADB: "the file is not a record of Salvo; name another",
    sqlite3.SQLITE_CORRUPT: (
        "the file is damaged; restore it from a copy, or play its games again into another file"
    ),
    sqlite3.SQLITE_IOERR: (
        "the system cannot read or write it; check the disk and file size limits, and run the same "
        "command again"
    ),
}

_FROM_SQLITE = (sqlite3.Error, UnicodeDecodeError)
"""The errors that SQLite raises; the second where a name in a damaged file is no text."""


class RecordFile:
    """An open record file. Use it in a ``with`` statement.

    Args:
        create: Whether to open it for writing and create it if missing; otherwise it is only read
            and must exist.
        file: The file to open, if it is to have the name of ``path`` only once it is whole.

    Raises:
        RecordError: If it cannot be opened, is not a record, or has an unknown schema version;
            inside the ``with`` statement also if it cannot be read or written. What was committed
            is safe.
    """

    def __init__(self, path: Path, *, create: bool, file: Path | None = None) -> None:
        self.path = path
        self._db = _make_or_open(path, file or path) if create else _open_to_read(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._db.close()
        if isinstance(error, _FROM_SQLITE):
            raise _with_fix(self.path, error) from error

    def check(self) -> None:
        """Raise ``RecordError`` if the file as a whole is not as SQLite wrote it."""
        check_integrity(self._db, self.path)

    def together(self) -> contextlib.AbstractContextManager[None]:
        """Commit everything that is done inside, or nothing."""
        return transaction(self._db)

    def flush(self) -> None:
        """Write all that was committed into the file itself, so that it can be renamed."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _has_table(self, name: str) -> bool:
        """Return whether the file has a table: some are made when they are first needed."""
        found = self._db.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)
        )
        return found.fetchone() is not None

    def _check_table(self, name: str) -> None:
        """Raise ``RecordError`` if a table and its indexes do not agree."""
        check_integrity(self._db, self.path, name)

    def _damaged(self, what: str) -> RecordError:
        """Return the error that a part of the record is not what was written."""
        return _damaged(self.path, what)

    def _blaming(self, what: str) -> contextlib.AbstractContextManager[None]:
        """Raise what shows that a part of the record is not what was written as ``_damaged``."""
        return _blaming(self.path, what)

    @contextlib.contextmanager
    def _not_understanding(self) -> Iterator[None]:
        """Raise that values which are as they were written are not known to this Salvo."""
        try:
            yield
        except ValueError as error:
            raise RecordError(
                f"record {self.path}: it contains something this Salvo cannot read ({error}); use "
                "the Salvo that wrote it, or start a new record with --db"
            ) from error

    def _from_json(self, text: str | bytes, kind: type[T]) -> T:
        """Return the value of a column that holds JSON.

        Raises:
            RecordError: If it does not hold a value of that kind.
        """
        with self._not_understanding():
            return msgspec.json.decode(text, type=kind)


@contextlib.contextmanager
def _blaming(path: Path, what: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError, zlib.error) as error:
        raise _damaged(path, what) from error


def _damaged(path: Path, what: str) -> RecordError:
    return RecordError(
        f"record {path}: {what} is damaged; restore the file from a copy, or play its games again "
        "into another file"
    )


def check_integrity(db: sqlite3.Connection, path: Path, table: str | None = None) -> None:
    """Let SQLite check a whole file, or a table with its indexes.

    Raises:
        RecordError: If something is wrong with it.
    """
    only = "" if table is None else f"({table})"
    [[found], *_] = db.execute(f"PRAGMA main.integrity_check{only}").fetchall()
    stray = table is None and db.execute("PRAGMA main.foreign_key_check").fetchall()
    if found != "ok" or stray:
        raise RecordError(f"record {path}: {_FIXES[sqlite3.SQLITE_CORRUPT]}")


def _with_fix(path: Path, error: Exception) -> RecordError:
    # The lowest byte is the primary error code, the rest details it.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code == sqlite3.SQLITE_ERROR:  # all that is asked is there in every version
        code = sqlite3.SQLITE_CORRUPT
    fix = _FIXES.get(code, f"{error}; {_ELSEWHERE.removeprefix('or ')}")
    is_safe = code not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT) and path.is_file()
    return RecordError(f"record {path}: {fix}{'. What was committed is safe' * is_safe}")


def _make_or_open(path: Path, file: Path) -> sqlite3.Connection:
    if path.is_dir():
        raise RecordError(f"record {path}: it is a folder; name a file in it with --db")
    with _closing_on_error(path, str(file), uri=False) as db:
        patiently(lambda: _prepare(db, path))
        return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    if _is_empty(db, path):
        db.execute("PRAGMA journal_mode = WAL")
    with transaction(db):
        if _is_empty(db, path):  # else another process was faster
            for statement in SCHEMA:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        # Written each time, so that a read-only file is noticed before anything is played.
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")


def patiently(prepare: Callable[[], None]) -> None:
    """Retry while others prepare the same file: SQLite does not wait at every step."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return prepare()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(RETRY_S)


def _open_to_read(path: Path) -> sqlite3.Connection:
    if not path.is_file():
        raise RecordError(
            f"record {path}: there is no such file; "
            "`salvo tournament` creates one, --db names another"
        )
    name = path.absolute().as_uri()
    try:
        with _closing_on_error(path, f"{name}?mode=rw") as db:
            is_empty = _is_empty(db, path)
    except RecordError as error:
        # In WAL mode readers need an index beside the file. If that cannot be created, nobody can
        # write to the record either, so it can be opened as immutable.
        cause = error.__cause__
        if not isinstance(cause, sqlite3.OperationalError) or Path(f"{path}-wal").exists():
            raise
        with _closing_on_error(path, f"{name}?immutable=1") as db:
            is_empty = _is_empty(db, path)
    if is_empty:
        db.close()
        raise EmptyRecordError(f"record {path}: it is empty; `salvo tournament` plays into it")
    return db


@contextlib.contextmanager
def _closing_on_error(path: Path, name: str, *, uri: bool = True) -> Iterator[sqlite3.Connection]:
    """Connect; on an error close the connection, and raise SQLite's errors as ``RecordError``."""
    try:
        db = sqlite3.connect(name, timeout=PATIENCE_S, isolation_level=None, uri=uri)
    except sqlite3.Error as error:
        raise _with_fix(path, error) from error
    try:
        yield db
    except _FROM_SQLITE as error:
        db.close()
        raise _with_fix(path, error) from error
    except BaseException:
        db.close()
        raise


def _is_empty(db: sqlite3.Connection, path: Path) -> bool:
    """Return whether nothing was written into a file yet; raise if it is no record of 1.0."""
    # One statement, so that all are consistent.
    [[version, application, tables, pages]] = db.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master), "
        "page_count - freelist_count "
        "FROM pragma_user_version, pragma_application_id, pragma_page_count, "
        "pragma_freelist_count"
    )
    if not tables and pages <= 1:
        return True
    if application != APPLICATION_ID:
        raise RecordError(f"record {path}: the file is not a record of Salvo; name another")
    if version != SCHEMA_VERSION:
        raise RecordError(
            f"record {path}: its schema has version {version}, this Salvo reads {SCHEMA_VERSION}; "
            "use the Salvo that wrote it, or start a new file with --db"
        )
    if not tables:
        raise RecordError(f"record {path}: {_FIXES[sqlite3.SQLITE_CORRUPT]}")
    return False


@contextlib.contextmanager
def snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Read all that is read inside as it was at one moment, whatever others write meanwhile.

    Else a checksum may be that of before, and what it covers that of after.
    """
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        with contextlib.suppress(sqlite3.Error):  # the error inside says more
            db.execute("ROLLBACK")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit everything that is done inside, or nothing; inside another, that one does."""
    is_part = db.in_transaction
    try:
        if not is_part:
            db.execute("BEGIN IMMEDIATE")
        yield
        if not is_part:
            db.execute("COMMIT")
    except BaseException:
        if not is_part and db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
        raise
