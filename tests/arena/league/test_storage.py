"""Copies of bots in a league, in folders and in archives."""

import os
import re
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.league import Storage
from arena.league.storage import size_of

DIGEST = "0123456789abcdef" * 4
HOME, ARCHIVE = "0123456789abcdef", "0123456789abcdef.tar.gz"


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """Return a storage of one copy, with a program, a folder that is empty and a link."""
    storage = Storage(tmp_path / "bots")
    home = storage.home(DIGEST)
    (home / "data").mkdir(parents=True)
    (home / "empty").mkdir()
    (home / "bot.py").write_bytes(b"# one\n")
    (home / "run").write_bytes(b"")
    (home / "run").chmod(0o755)
    (home / "data" / "zeros").write_bytes(bytes(300_000))
    (home / "link").symlink_to("data")
    return storage


def there(storage: Storage) -> list[str]:
    return sorted(path.name for path in storage.folder.iterdir())


def content(folder: Path) -> dict[str, object]:
    """Return what is in a folder: of files their content and whether they can be started."""

    def of(path: Path) -> object:
        if path.is_symlink():
            return str(path.readlink())
        return None if path.is_dir() else (path.read_bytes(), os.access(path, os.X_OK))

    return {str(path.relative_to(folder)): of(path) for path in folder.rglob("*")}


def test_copy_is_packed_and_stays_until_it_is_dropped(storage: Storage) -> None:
    home = storage.home(DIGEST)
    before = content(home)
    storage.drop(DIGEST)  # there is no archive of it yet
    assert there(storage) == [HOME]
    storage.pack(DIGEST)
    assert there(storage) == [HOME, ARCHIVE]
    assert not storage.is_packed(DIGEST)
    storage.drop(DIGEST)
    assert there(storage) == [ARCHIVE]
    assert storage.is_packed(DIGEST)
    assert storage.size() < 10_000
    storage.drop(DIGEST)
    storage.unpack(DIGEST)
    assert there(storage) == [HOME, ARCHIVE]
    assert not storage.is_packed(DIGEST)
    assert content(home) == before


def test_what_is_done_already_is_not_done_again(storage: Storage) -> None:
    home, archive = storage.home(DIGEST), storage.folder / ARCHIVE
    storage.unpack(DIGEST)
    storage.pack("f" * 64)
    assert there(storage) == [HOME]
    storage.pack(DIGEST)
    packed = archive.read_bytes()
    (home / "bot.py").write_bytes(b"# two\n")
    storage.pack(DIGEST)
    assert archive.read_bytes() == packed
    storage.unpack(DIGEST)
    assert (home / "bot.py").read_bytes() == b"# two\n"
    assert not storage.is_packed("f" * 64)


def test_copy_is_removed_with_its_archive(storage: Storage) -> None:
    storage.pack(DIGEST)
    storage.remove(DIGEST)
    assert there(storage) == []
    storage.remove(DIGEST)


def test_files_get_other_names_and_no_archive_has_the_old_ones(storage: Storage) -> None:
    storage.pack(DIGEST)
    storage.drop(DIGEST)
    storage.rename(DIGEST, lambda name: name.replace("bot", "mine"))
    assert there(storage) == [HOME]
    names = sorted(path.name for path in storage.home(DIGEST).iterdir())
    assert names == ["data", "empty", "link", "mine.py", "run"]


def test_bytes_are_those_of_all_files(storage: Storage) -> None:
    assert storage.size() == len(b"# one\n") + 300_000
    assert size_of(storage.folder / "nowhere") == 0


def test_archive_that_is_damaged_is_named_with_the_fix(storage: Storage) -> None:
    storage.pack(DIGEST)
    storage.drop(DIGEST)
    archive = storage.folder / ARCHIVE
    for damaged in (archive.read_bytes()[:50], b"", b"words"):
        archive.write_bytes(damaged)
        told = f"^league file {re.escape(str(archive))}: it cannot be unpacked: .*; put back a copy"
        with pytest.raises(UserError, match=told):
            storage.unpack(DIGEST)
        assert there(storage) == [ARCHIVE]


def test_copy_that_cannot_be_packed_is_named_and_left(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    home = storage.home(DIGEST)
    with pytest.raises(UserError, match=f"^league folder {re.escape(str(home))}: .* packed: no$"):
        storage.pack(DIGEST)
    assert there(storage) == [HOME]
