"""Opens a record to which everything is written, or nothing."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import RecordError
from arena.store.store import Store

_DRAFT = ".merging"
_BESIDE = ("-wal", "-shm", "-journal")


@contextmanager
def open_whole(path: Path) -> Iterator[Store]:
    """Open a record for writing that has all that is done inside, or is left as it was.

    A new one is written under a name of its own, beside the other, and renamed at the end. What a
    killed process left of one is replaced. Where two write in a folder, one waits for the other.

    Raises:
        RecordError: As ``Store`` does.
    """
    with _locked(path.resolve().parent):
        if _has_content(path):
            with Store(path, create=True) as store, store.together():
                yield store
            return
        target = path.resolve()
        draft = target.with_name(target.name + _DRAFT)
        _remove(draft)
        try:
            with Store(path, create=True, file=draft) as store:
                with store.together():
                    yield store
                store.flush()
            if _has_content(path):
                raise RecordError(
                    f"record {path}: another program has made it in the meantime; name another "
                    "file with --db"
                )
            # SQLite would take what is left beside a record that was deleted for a part of this.
            _remove(target)
            draft.rename(target)
        finally:
            _remove(draft)


def _has_content(path: Path) -> bool:
    return path.exists() and not (path.is_file() and path.stat().st_size == 0)


def _remove(path: Path) -> None:
    for name in (path, *(Path(f"{path}{end}") for end in _BESIDE)):
        name.unlink(missing_ok=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    descriptor = None
    with suppress(
        OSError
    ):  # not every file system has locks, and ``Store`` says what else is wrong
        descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
