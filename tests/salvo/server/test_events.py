"""What happens is told to all who follow, each event once; and what the database keeps of it."""

import asyncio
import errno
import os
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from arena.errors import StorageError, UserError
from salvo.server.database import server_database
from salvo.server.database.analyses import Analyses
from salvo.server.database.server_database import (
    Database,
    Event,
    folder_of,
    is_served,
    stamp_of,
)
from salvo.server.web import live
from salvo.server.web.live import Live

RESET = "event: reset\ndata: {}\n\n"


def told(number: int) -> str:
    return f'id: {number}\nevent: block\ndata: {{"n":{number}}}\n\n'


@pytest.mark.parametrize(
    ("last", "first"),
    [
        (None, None),
        (7, None),
        (6, told(7)),
        (4, told(5) + told(6) + told(7)),
        (3, told(4) + told(5) + told(6) + told(7)),
        (2, f"id: 7\n{RESET}"),  # the third is forgotten
        (0, f"id: 7\n{RESET}"),
        (8, f"id: 7\n{RESET}"),  # of another database
    ],
)
def test_stream_begins_after_the_event_that_was_heard_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, last: int | None, first: str | None
) -> None:
    monkeypatch.setattr(live, "_KEPT", 4)
    monkeypatch.setattr("salvo.server.web.signals._COMMENT_S", 0.001)
    events = Live(tmp_path)
    for number in range(1, 8):
        events._take([Event(number, "block", f'{{"n":{number}}}')])

    async def heard() -> list[str]:
        stream = events.stream(last)
        found = [await anext(stream)]
        if first is not None:
            found.append(await anext(stream))
        found.append(await anext(stream))
        events._take([Event(8, "block", '{"n":8}'), Event(9, "block", '{"n":9}')])
        return [*found, await anext(stream)]

    found = asyncio.run(asyncio.wait_for(heard(), 60))
    news = [] if first is None else [first]
    assert found == ["retry: 2000\n\n", *news, ": nothing new\n\n", told(8) + told(9)]


def test_events_are_read_as_they_come_and_the_leaderboards_have_a_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(live, "_LOOK_S", 0.0)
    with Database(tmp_path) as db:
        for kind in ("board", "queue", "queue"):
            db.announce(kind)
        events = Live(tmp_path)

        async def follow() -> list[str]:
            following = asyncio.create_task(events.follow())
            await asyncio.sleep(0)
            assert (events.rated, events._last) == (3, 3)
            stream = events.stream(None)
            await anext(stream)
            db.announce("board", name="ada")
            db.announce("queue")
            found = [await anext(stream)]
            following.cancel()
            return found

        found = asyncio.run(asyncio.wait_for(follow(), 60))
    assert found == [
        'id: 4\nevent: board\ndata: {"name":"ada"}\n\nid: 5\nevent: queue\ndata: {}\n\n'
    ]
    assert events.rated == 4


def test_old_events_and_lines_of_the_log_are_forgotten_a_hundred_at_a_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(server_database, "_EVENTS_KEPT", 150)
    monkeypatch.setattr(server_database, "_LOG_KEPT", 50)
    with Database(tmp_path) as db:
        assert (db.last_event(), db.events_after(0)) == (0, [])
        with db.writing():
            for number in range(1, 300):
                db.announce("step", number=number)
                db.note(f"line {number}")
        assert [one.id for one in db.events_after(0)] == list(range(51, 300))
        assert db.events_after(298) == [Event(299, "step", '{"number":299}')]
        assert db.last_event() == 299
        assert [words for _, words in db.log(1000)] == [
            f"line {number}" for number in range(299, 150, -1)
        ]


def test_settings_and_boards_are_kept_until_others_take_their_place(tmp_path: Path) -> None:
    with Database(tmp_path) as db:
        assert (db.setting("workers", "1"), db.board("plain")) == ("1", None)
        db.settle("workers", "2")
        db.settle("workers", "3")
        db.keep_boards({"plain": [1], "boards": {}})
        db.keep_boards({"plain": {"a": None}})
    with Database(tmp_path) as db:
        assert db.setting("workers", "1") == "3"
        assert (db.board("plain"), db.board("boards")) == ({"a": None}, None)


def test_moment_is_written_down_in_utc() -> None:
    assert stamp_of(datetime.fromisoformat("2026-06-01T01:30:59.9+02:00")) == "2026-05-31T23:30:59Z"


def test_database_is_its_owners_alone_and_there_once_it_was_opened(tmp_path: Path) -> None:
    assert not is_served(tmp_path)
    with Database(tmp_path) as db:
        assert is_served(tmp_path)
        files = [folder_of(tmp_path) / name for name in ("book.sqlite3", "book.sqlite3-wal")]
        assert [file.stat().st_mode & 0o777 for file in files] == [0o600, 0o600]
        assert folder_of(tmp_path).stat().st_mode & 0o777 == 0o700
        assert db.execute("PRAGMA foreign_keys").fetchone() == (1,)
        assert db.execute("PRAGMA synchronous").fetchone() == (1,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with pytest.raises(sqlite3.ProgrammingError):
        db.execute("SELECT 1")


def test_database_of_another_version_is_refused(tmp_path: Path) -> None:
    with Database(tmp_path) as db:
        db.execute("PRAGMA user_version = 2")
    with pytest.raises(UserError, match="written by another version of Salvo"):
        Database(tmp_path)


def test_database_whose_maker_was_killed_is_made_whole(tmp_path: Path) -> None:
    with Database(tmp_path) as db:
        db.execute("DROP TABLE used")
        db.execute("PRAGMA user_version = 0")
        db.note("it stays")
    with Database(tmp_path) as db:
        assert [words for _, words in db.log(9)] == ["it stays"]
        assert db.execute("SELECT * FROM used").fetchall() == []


def test_what_is_done_together_is_done_whole_or_not_at_all(tmp_path: Path) -> None:
    with Database(tmp_path) as db:

        def fail() -> None:
            with db.writing():
                db.settle("workers", "2")
                raise ValueError("why")

        with pytest.raises(ValueError, match="why"):
            fail()
        assert db.setting("workers", "1") == "1"
        with Database(tmp_path) as other, db.writing():
            db.settle("workers", "3")
            assert other.setting("workers", "1") == "1"
        assert db.setting("workers", "1") == "3"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full; free some space"),
        (sqlite3.SQLITE_READONLY, "it is read-only; allow writing to it and its files"),
        (
            sqlite3.SQLITE_IOERR | 3 << 8,
            "the system cannot read or write it; check the disk and its space",
        ),
    ],
)
def test_error_of_the_disk_says_how_to_mend_it(tmp_path: Path, code: int, reason: str) -> None:
    error = sqlite3.OperationalError("why")
    error.sqlite_errorcode = code
    with pytest.raises(StorageError) as found, Database(tmp_path):
        raise error
    assert str(found.value) == f"{folder_of(tmp_path)}: {reason}"


def test_other_errors_are_bugs_and_stay_what_they_are(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("why")
    error.sqlite_errorcode = sqlite3.SQLITE_ERROR
    for one in (error, sqlite3.OperationalError("without a code"), ValueError("why")):
        with pytest.raises(type(one)) as found, Database(tmp_path):
            raise one
        assert found.value is one


def test_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(os, "open", refuse)
    path = folder_of(tmp_path) / "people_of_nobody"
    with pytest.raises(StorageError) as found:
        Database(tmp_path)
    told = f"{path.with_name('book.sqlite3')}: Read-only file system; the server has to write there"
    assert str(found.value) == told


def test_analysis_is_kept_with_what_came_of_it(tmp_path: Path) -> None:
    with Analyses(tmp_path) as analyses:
        assert analyses.ask("game a", "192.0.2.1").state == "queued"
        assert analyses.take_next() == "game a"
        analyses.finish("game a", "done", {"notes": ["one"]})
        done = analyses.ask("game a", "192.0.2.1")
        assert (done.state, done.data) == ("done", {"notes": ["one"]})
        assert analyses.take_next() is None
