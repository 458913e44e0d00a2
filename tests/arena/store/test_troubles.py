"""Files that cannot be read or written: one line that says what to do, and the record whole."""

import contextlib
import multiprocessing
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records import BlockRecord
from arena.store import SCHEMA_VERSION, Look, Store, Tournament, record_file
from arena.store.row_checksums import tournament_checksum

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]


@pytest.fixture
def cup(make_tournament: MakeTournament) -> Tournament:
    return make_tournament()


@pytest.fixture
def filled(path: Path, cup: Tournament, make_blocks: MakeBlocks) -> Path:
    """Return the file of a record with one block."""
    with Store(path, create=True) as store:
        store.enter(cup)
        [record] = make_blocks(cup, games=20)
        store.add(cup, record)
    return path


def check_one_line(error: RecordError, path: Path, *fixes: str, safe: bool = False) -> None:
    text = str(error)
    assert text.endswith(". What was committed is safe") is safe
    assert "\n" not in text
    assert text.startswith(f"record {path}: ")
    for fix in fixes:
        assert fix in text


def check_whole(path: Path, games: int) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("SELECT count(*) FROM games").fetchone() == (games,)


def test_file_that_is_not_there_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(RecordError) as refusal:
        Store(path, create=False)
    check_one_line(refusal.value, path, "there is no such file", "`salvo tournament` creates one")
    assert not path.exists()


@pytest.mark.parametrize("create", [True, False])
def test_folder_in_place_of_the_file_is_refused(tmp_path: Path, *, create: bool) -> None:
    with pytest.raises(RecordError) as refusal:
        Store(tmp_path, create=create)
    check_one_line(refusal.value, tmp_path, "--db")


def test_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no" / "such" / "record.sqlite3"
    with pytest.raises(RecordError) as refusal:
        Store(path, create=True)
    check_one_line(refusal.value, path, "check that its folder exists", "--db")


@pytest.mark.parametrize("create", [True, False])
def test_text_file_is_refused_and_left_as_it_is(path: Path, *, create: bool) -> None:
    path.write_text("Dear diary, " * 500, encoding="utf-8")
    with pytest.raises(RecordError) as refusal:
        Store(path, create=create)
    check_one_line(refusal.value, path, "not a record of Salvo; name another")
    assert path.read_text(encoding="utf-8") == "Dear diary, " * 500


@pytest.mark.parametrize("create", [True, False])
def test_database_of_another_program_is_refused(path: Path, *, create: bool) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE recipes (name)")
    with pytest.raises(RecordError) as refusal:
        Store(path, create=create)
    check_one_line(refusal.value, path, "not a record of Salvo; name another")


@pytest.mark.parametrize("version", [*range(SCHEMA_VERSION), SCHEMA_VERSION + 1])
@pytest.mark.parametrize("create", [True, False])
def test_another_version_of_the_schema_is_refused_with_the_fix(
    filled: Path, version: int, *, create: bool
) -> None:
    with contextlib.closing(sqlite3.connect(filled)) as db:
        db.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(RecordError) as refusal:
        Store(filled, create=create)
    fix = "use the Salvo that wrote it, or start a new file with --db"
    check_one_line(refusal.value, filled, f"version {version}", fix)


def test_empty_file_is_taken_for_a_new_record_but_has_nothing_to_read(path: Path) -> None:
    path.touch()
    with pytest.raises(RecordError) as refusal:
        Store(path, create=False)
    check_one_line(refusal.value, path, "it is empty; `salvo tournament` plays into it")
    with Store(path, create=True) as store:
        assert store.tournament_names() == []


def test_damaged_file_is_reported_as_such(filled: Path, cup: Tournament) -> None:
    data = bytearray(filled.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    filled.write_bytes(data)
    with pytest.raises(RecordError) as refusal, Store(filled, create=True) as store:
        list(store.games(cup.name))
    check_one_line(
        refusal.value, filled, "damaged; restore it from a copy, or play its games again"
    )


@pytest.mark.parametrize("create", [True, False])
def test_record_without_its_tables_is_damaged(filled: Path, *, create: bool) -> None:
    with contextlib.closing(sqlite3.connect(filled)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("DELETE FROM sqlite_master")
        db.commit()
    with pytest.raises(RecordError) as refusal:
        Store(filled, create=create)
    check_one_line(refusal.value, filled, "the file is damaged; restore it from a copy")


def test_record_that_lacks_a_table_is_damaged(filled: Path, cup: Tournament) -> None:
    with contextlib.closing(sqlite3.connect(filled)) as db:
        db.execute("DROP TABLE games")
    with pytest.raises(RecordError) as refusal, Store(filled, create=False) as store:
        list(store.games(cup.name))
    check_one_line(refusal.value, filled, "the file is damaged; restore it from a copy")


def test_games_without_their_block_are_found_where_the_whole_file_is_checked(
    filled: Path, cup: Tournament
) -> None:
    with Store(filled, create=True) as store:
        store.note_look(cup.name, Look(10))
        store.check()
    with contextlib.closing(sqlite3.connect(filled)) as db:
        db.execute("DELETE FROM blocks")
        db.commit()
    with Store(filled, create=False) as store:
        assert store.looks(cup.name) == [Look(10)]
        with pytest.raises(RecordError) as refusal:
            store.check()
    check_one_line(refusal.value, filled, "the file is damaged; restore it from a copy")


def test_file_that_was_only_begun_is_taken_for_a_new_record(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size > 0
    with pytest.raises(RecordError, match="it is empty"):
        Store(path, create=False)
    with Store(path, create=True) as store:
        assert store.tournament_names() == []


def note_and_fail(store: Store, cup: Tournament) -> None:
    with store.together():
        store.note_look(cup.name, Look(2))
        raise ZeroDivisionError


def test_what_is_together_is_committed_together(path: Path, cup: Tournament) -> None:
    with Store(path, create=True) as store, Store(path, create=False) as other:
        with store.together():
            store.enter(cup)
            store.note_look(cup.name, Look(1))
            assert other.tournament_names() == []
        assert other.looks(cup.name) == [Look(1)]
        with pytest.raises(ZeroDivisionError):
            note_and_fail(store, cup)
        assert store.looks(cup.name) == [Look(1)]
        store.note_look(cup.name, Look(3))


def test_text_in_the_record_that_this_version_cannot_read_is_reported_with_the_fix(
    filled: Path,
) -> None:
    with contextlib.closing(sqlite3.connect(filled)) as db:
        db.execute("UPDATE tournaments SET rules = replace(rules, 'rows', 'layers')")
        db.execute("UPDATE tournaments SET checksum = ?", (tournament_checksum(db, 1),))
        db.commit()
    with (
        Store(filled, create=True) as store,
        pytest.raises(RecordError, match="use the Salvo that wrote it"),
    ):
        store.tournament()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the file grow no further: SQLite then reports what it does of a full disk."""
    prepare = record_file._prepare

    def limited(db: sqlite3.Connection, path: Path) -> None:
        prepare(db, path)
        db.execute("PRAGMA max_page_count = 1")

    monkeypatch.setattr(record_file, "_prepare", limited)


def test_full_disk_ends_the_run_and_keeps_what_was_committed(
    filled: Path, full_disk: None, cup: Tournament, make_blocks: MakeBlocks
) -> None:
    del full_disk
    records = make_blocks(cup, games=400)
    with pytest.raises(RecordError) as refusal:
        _play_all(filled, cup, records)
    fix = "the disk is full; free some space and run the same command again"
    check_one_line(refusal.value, filled, fix, safe=True)
    with Store(filled, create=False) as store:
        kept = store.played(cup.name)
        assert len(list(store.results(cup.name))) == sum(kept.values())
    assert kept[("a", "b"), 0] == 20
    check_whole(filled, 20 * len(kept))


@pytest.mark.usefixtures("as_nobody")
def test_file_that_must_not_be_written_is_refused_for_play(filled: Path) -> None:
    filled.chmod(0o444)
    with pytest.raises(RecordError) as refusal:
        Store(filled, create=True)
    check_one_line(refusal.value, filled, "it is read-only; allow writing", "--db", safe=True)
    check_whole(filled, 20)


@pytest.fixture
def read_only_folder(filled: Path) -> Iterator[Path]:
    """Return a record whose folder must not be written to."""
    filled.chmod(0o444)
    filled.parent.chmod(0o555)
    yield filled
    filled.parent.chmod(0o755)


@pytest.mark.usefixtures("as_nobody")
def test_read_only_folder_is_refused_for_play(tmp_path: Path, path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(RecordError) as refusal:
        Store(path, create=True)
    tmp_path.chmod(0o755)
    check_one_line(refusal.value, path, "that you may write to both", "--db")


@pytest.mark.usefixtures("as_nobody")
def test_record_in_a_read_only_folder_can_be_read(read_only_folder: Path, cup: Tournament) -> None:
    with Store(read_only_folder, create=False) as store:
        assert len(list(store.games(cup.name))) == 20


@pytest.mark.usefixtures("as_nobody")
def test_record_in_a_read_only_folder_that_is_written_to_is_not_read_without_its_newest_games(
    filled: Path, tmp_path: Path, cup: Tournament
) -> None:
    folder = tmp_path / "copied"
    folder.mkdir()
    copy = folder / filled.name
    # The name of a tournament that is in the log of the writer alone.
    with contextlib.closing(sqlite3.connect(filled, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("UPDATE tournaments SET name = ?", (f"{cup.name} 2",))
        shutil.copy(filled, copy)
        shutil.copy(f"{filled}-wal", f"{copy}-wal")
    folder.chmod(0o555)
    try:
        with pytest.raises(RecordError) as refusal:
            Store(copy, create=False)
    finally:
        folder.chmod(0o755)
    check_one_line(refusal.value, copy, "--db", safe=True)
    with Store(copy, create=False) as store:
        assert store.tournament_names() == [f"{cup.name} 2"]


def test_record_that_another_program_keeps_locked_is_reported_as_such(
    filled: Path, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_file, "PATIENCE_S", 0.1)
    with contextlib.closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordError) as refusal, Store(filled, create=True) as store:
            store.enter(cup)
    fix = "another program has locked it for 30 s; end that program"
    check_one_line(refusal.value, filled, fix, safe=True)


@pytest.mark.parametrize(
    ("code", "patience_s", "tries"),
    [
        (sqlite3.SQLITE_BUSY, 20.0, 3),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, 20.0, 3),
        (sqlite3.SQLITE_BUSY, -1.0, 1),
        (sqlite3.SQLITE_LOCKED, 20.0, 1),
        (sqlite3.SQLITE_READONLY, 20.0, 1),
    ],
)
def test_what_another_program_hinders_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, code: int, patience_s: float, tries: int
) -> None:
    monkeypatch.setattr(record_file, "PATIENCE_S", patience_s)
    monkeypatch.setattr(record_file, "RETRY_S", 0.0)
    tried = []

    def prepare() -> None:
        tried.append(code)
        if len(tried) < 3:
            error = sqlite3.OperationalError("hindered")
            error.sqlite_errorcode = code
            raise error

    with contextlib.nullcontext() if tries == 3 else pytest.raises(sqlite3.OperationalError):
        record_file.patiently(prepare)
    assert len(tried) == tries


def test_writer_waits_for_another_one_to_commit(filled: Path, cup: Tournament) -> None:
    with contextlib.closing(
        sqlite3.connect(filled, isolation_level=None, check_same_thread=False)
    ) as other:
        other.execute("BEGIN IMMEDIATE")
        commit = threading.Timer(0.2, other.execute, ["COMMIT"])
        commit.start()
        with Store(filled, create=True) as store:
            store.enter(cup)
        commit.join()


def _play_all(path: Path, cup: Tournament, records: list[BlockRecord]) -> None:
    with Store(path, create=True) as store:
        store.enter(cup)
        for record in records:
            store.add(cup, record)


def test_runs_that_make_and_fill_the_same_file_at_once_all_work(
    path: Path, cup: Tournament, make_blocks: MakeBlocks
) -> None:
    records = make_blocks(cup, games=200)
    context = multiprocessing.get_context("fork")
    runs = [context.Process(target=_play_all, args=(path, cup, records)) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
    assert [run.exitcode for run in runs] == [0, 0, 0, 0]
    with Store(path, create=False) as store:
        assert len(list(store.results(cup.name))) == 200
    check_whole(path, 200)
