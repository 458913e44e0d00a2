"""Stores the copies of bots in a league: a folder each, an archive once they play no more."""

import contextlib
import os
import shutil
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from arena.entrants import write
from arena.errors import UserError

_HASH_CHARACTERS = 16
_ARCHIVE = ".tar.gz"
_CHUNK = 1 << 20
_LEVEL = 6
"""Of compression: beyond this, some content takes minutes."""


class Disk(Struct, frozen=True):
    """The disk space of a league, in bytes: of its bots, of all in its folder, and what is free."""

    bots: int
    most_bots: int
    league: int
    free: int


class Storage(Struct, frozen=True):
    """The folder ``bots`` of a league, as a whole path."""

    folder: Path

    def home(self, name: str) -> Path:
        """Return the folder of a copy, by the hash of its content."""
        return self.folder / name[:_HASH_CHARACTERS]

    def _archive(self, digest: str) -> Path:
        home = self.home(digest)
        return home.with_name(home.name + _ARCHIVE)

    def is_packed(self, digest: str) -> bool:
        """Return whether there is an archive of a copy alone."""
        return not self.home(digest).exists() and self._archive(digest).exists()

    def pack(self, digest: str) -> None:
        """Put a copy into an archive, and leave it where it is.

        Raises:
            UserError: If the archive cannot be written.
        """
        home, archive = self.home(digest), self._archive(digest)
        if not home.exists() or archive.exists():
            return
        draft = self.folder / f".{os.getpid()}{_ARCHIVE}"
        try:
            with tarfile.open(draft, "w:gz", compresslevel=_LEVEL) as file:
                for path in sorted(home.iterdir()):
                    file.add(path, path.name)
            draft.replace(archive)
        except OSError as error:
            raise UserError(f"league folder {home}: it cannot be packed: {error}") from error
        finally:
            draft.unlink(missing_ok=True)

    def drop(self, digest: str) -> None:
        """Remove a copy of which there is an archive."""
        if not self._archive(digest).exists():
            return
        # Renamed first, so that it is there whole or not at all.
        gone = self.folder / f".{os.getpid()}.packed"
        with contextlib.suppress(FileNotFoundError):
            self.home(digest).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def remove(self, digest: str) -> None:
        """Remove a copy and its archive.

        Raises:
            UserError: If it cannot be removed.
        """
        try:
            self._archive(digest).unlink(missing_ok=True)
            if self.home(digest).exists():
                shutil.rmtree(self.home(digest))
        except OSError as error:
            raise UserError(
                f"league folder {self.home(digest)}: it cannot be removed: {error.strerror}"
            ) from error

    def rename(self, digest: str, renamed: Callable[[str], str]) -> None:
        """Give the files of a copy other names, and remove its archive, which has the old ones.

        Raises:
            UserError: If it cannot be read or written.
        """
        self.unpack(digest)
        try:
            for path in list(self.home(digest).iterdir()):
                path.rename(path.with_name(renamed(path.name)))
            self._archive(digest).unlink(missing_ok=True)
        except OSError as error:
            raise UserError(
                f"league folder {self.home(digest)}: its files cannot be renamed: {error.strerror}"
            ) from error

    def unpack(self, digest: str) -> None:
        """Make a folder of an archive again, which stays.

        Raises:
            UserError: If it cannot be read or written.
        """
        home, archive = self.home(digest), self._archive(digest)
        if not self.is_packed(digest):
            return
        draft = self.folder / f".{os.getpid()}.unpacked"
        shutil.rmtree(draft, ignore_errors=True)
        try:
            with tarfile.open(archive, "r:gz") as file:
                for member in file:
                    data = file.extractfile(member) if member.isreg() else None
                    if data is not None:
                        executable = bool(member.mode & 0o100)
                        chunks = iter(partial(data.read, _CHUNK), b"")
                        write(draft / member.name, chunks, executable=executable)
                    elif member.issym():
                        write(draft / member.name, (), link=member.linkname)
                    else:
                        (draft / member.name).mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # another process was faster
                draft.rename(home)
        except (OSError, tarfile.TarError, EOFError) as error:
            raise UserError(
                f"league file {archive}: it cannot be unpacked: {error}; put back a copy of it"
            ) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def size(self) -> int:
        """Return how many bytes all copies have, packed and not."""
        return size_of(self.folder)


def size_of(folder: Path) -> int:
    """Return how many bytes the files in a folder have, of those that stay there meanwhile."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                found += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - of many files
    return found
