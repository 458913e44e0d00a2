"""Copies a league while it is served: the copy is a league too."""

import contextlib
import os
import shutil
import sqlite3
from pathlib import Path

from arena.errors import StorageError, UserError
from arena.league import League
from arena.league.register import locked
from salvo.server.database.server_database import Database, folder_of
from salvo.server.forgetting.deleting import refuse_unfinished
from salvo.server.results import FOLDER
from salvo.server.work.resting import beside_workers

_DRAFT = ".salvo-backup"


def back_up(db: Database, league: League, target: Path) -> None:
    """Copy a league into a new folder, which only its owner may read: it holds the seed.

    The folder has its name once it is whole. Meanwhile games are played and bots submitted: what
    comes in after the record is copied is played again if the copy is served, on the same seeds.

    Raises:
        UserError: If the folder is there, or lies in that of the league; or the league still has
            data that are to be deleted.
        StorageError: If the league cannot be read, or the copy not be written.
    """
    if os.path.lexists(target):
        raise UserError(f"{target}: it is there already; name a folder that is not")
    if target.resolve().is_relative_to(league.folder.resolve()):
        raise UserError(f"{target}: it lies in the league's own folder; name another place")
    draft = target.with_name(f"{_DRAFT}.{os.getpid()}")
    try:
        with beside_workers(league.folder):
            refuse_unfinished(league.folder)
            draft.mkdir(mode=0o700)
            _copy(db, league, draft)
            draft.rename(target)
    except (OSError, shutil.Error, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise StorageError(f"{target}: the league cannot be copied there: {reason}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _copy(db: Database, league: League, draft: Path) -> None:
    # The record first: who plays in it is then in the register too, which is copied later.
    if league.record.exists():
        _copy_database(league.record, draft / league.record.name)
    _copy_bots(league, draft)
    # In the order in which the server takes them.
    with db.writing(), locked(league.folder):
        _copy_bots(league, draft)  # those that came in meanwhile
        for path in league.folder.glob("*.*"):
            if path.suffix in (".json", ".md", ".toml"):
                shutil.copy2(path, draft)
        if (league.folder / FOLDER).is_dir():
            shutil.copytree(league.folder / FOLDER, draft / FOLDER)
        _copy_served(folder_of(league.folder), folder_of(draft))


def _copy_bots(league: League, draft: Path) -> None:
    source, copies = league.storage.folder, draft / league.storage.folder.name
    copies.mkdir(exist_ok=True)
    for path in source.iterdir():
        copy = copies / path.name
        if path.name.startswith(".") or copy.exists():  # a draft, or copied before
            continue
        try:
            if path.is_dir():
                shutil.copytree(path, copy, symlinks=True)
            else:
                shutil.copy2(path, copy)
        except (FileNotFoundError, shutil.Error):
            if path.exists():
                raise
            shutil.rmtree(copy, ignore_errors=True)  # packed meanwhile: it comes as an archive


def _copy_served(source: Path, copy: Path) -> None:
    copy.mkdir(mode=0o700)
    for path in source.glob("*.sqlite3"):
        _copy_database(path, copy / path.name)
    if (source / "uploads").is_dir():
        _copy_uploads(source / "uploads", copy / "uploads")


def _copy_uploads(source: Path, copies: Path) -> None:
    """Copy the uploads that wait; those of checks that have ended are being removed meanwhile."""
    copies.mkdir(mode=0o700)
    for path in source.iterdir():
        if not path.name.startswith("."):  # one that still comes in is in no queue
            with contextlib.suppress(FileNotFoundError):
                shutil.copy2(path, copies)


def _copy_database(path: Path, copy: Path) -> None:
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    with (
        contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as old,
        contextlib.closing(sqlite3.connect(copy)) as new,
    ):
        old.backup(new)
