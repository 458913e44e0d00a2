"""Writes the entries of an archive into a folder, as ``archive_reader`` reports them."""

import contextlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from arena.errors import BotError
from arena.text import printable
from salvo.server.work.unpacking import archive_reader

_MB = 1_000_000
_LONGEST_NAME = 100  # bytes of one part of a path
_LONGEST_REASON = 300
_PROGRAMS = (b"#!", b"\x7fELF")
_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Limits(Struct, frozen=True):
    """Limits of an archive's content, and of the work of reading it."""

    files: int = 1000
    mb: int = 64  # megabytes of all files together, unpacked
    depth: int = 8
    ratio: int = 200  # how many times larger all may be than the archive
    memory_mb: int = 256  # the memory that reading it may take, in megabytes
    cpu_s: float = 5.0  # the processor time that reading it may take, in seconds
    wall_s: float = 30.0  # the time that it may take in all, in seconds

    def max_bytes(self, packed: int | None = None) -> int:
        """Return how many bytes all files may have; fewer for an archive of so many."""
        most = self.mb * _MB
        return most if packed is None else min(most, max(_MB, self.ratio * packed))


LIMITS = Limits()


def write_entries(read: Callable[[int], bytes], place: Path, limits: Limits, most: int) -> None:
    """Write what frames tell of into an empty folder.

    ``read`` returns as many bytes as it is asked for; all files together have at most ``most``.

    Raises:
        BotError: If there is what must not be, or frames are not what they are to be.
    """
    with contextlib.closing(_Entries(place, limits, most)) as entries:
        kind, data = _frame(read)
        while kind != archive_reader.END:
            match kind:
                case archive_reader.BEGUN:
                    pass
                case archive_reader.FILE | archive_reader.PROGRAM:
                    entries.begin(_decoded(data), executable=kind == archive_reader.PROGRAM)
                case archive_reader.FOLDER:
                    entries.count(_decoded(data))
                case archive_reader.DATA:
                    entries.add(data)
                case archive_reader.OTHER:
                    raise BotError(
                        f"{_shown(_decoded(data))} in the archive is neither a file nor a folder; "
                        "put a copy in its place"
                    )
                case archive_reader.REFUSED:
                    raise BotError(printable(_decoded(data), _LONGEST_REASON))
                case _:
                    raise _broken()
            kind, data = _frame(read)


def _frame(read: Callable[[int], bytes]) -> tuple[bytes, bytes]:
    kind, size = archive_reader.HEAD.unpack(read(archive_reader.HEAD.size))
    if size > archive_reader.CHUNK:
        raise _broken()
    return kind, read(size)


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


class _Entries:
    """The files of an archive, in a folder."""

    def __init__(self, place: Path, limits: Limits, most: int) -> None:
        self._place, self._limits, self._left = place, limits, most
        self._entries = 0
        self._files: set[tuple[str, ...]] = set()
        self._folders: set[tuple[str, ...]] = set()
        self._file: NewFile | None = None

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def count(self, name: str) -> tuple[str, ...]:
        self.close()
        self._entries += 1
        if self._entries > self._limits.files:
            raise BotError(
                f"the archive has more than {self._limits.files} files and folders; leave out what "
                "the bot does not read"
            )
        return _parts(name, self._limits)

    def begin(self, name: str, *, executable: bool) -> None:
        """Begin a file."""
        parts = self.count(name)
        if not parts:
            raise _broken()
        key = tuple(part.casefold() for part in parts)
        if key in self._files:
            raise BotError(f"{_shown('/'.join(parts))} is in the archive twice; leave one out")
        above = {key[:depth] for depth in range(1, len(key))}
        if key in self._folders or above & self._files:
            raise BotError(
                "a file and a folder have the same name in the archive, at "
                f"{_shown('/'.join(parts))}; pack the folder of the bot again"
            )
        self._files.add(key)
        self._folders |= above
        target = self._place.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        self._file = NewFile(target, self._left, executable=executable)

    def add(self, data: bytes) -> None:
        if self._file is None:
            raise _broken()
        self._file.write(data)
        self._left -= len(data)


class NewFile:
    """A new file that is written within a limit of bytes."""

    def __init__(self, place: Path, most: int, *, executable: bool) -> None:
        self._file: BinaryIO = os.fdopen(os.open(place, _TO_MAKE, 0o600), "wb")
        self._left, self._executable = most, executable
        self._is_empty = True

    def write(self, data: bytes) -> None:
        """Write more.

        Raises:
            BotError: If that is too much.
        """
        if self._is_empty and data:
            self._is_empty = False
            # Archives of some systems do not say what can be executed.
            self._executable |= data.startswith(_PROGRAMS)
        self._left -= len(data)
        if self._left < 0:
            raise BotError(archive_reader.TOO_LARGE)
        self._file.write(data)

    def close(self) -> None:
        """Write the rest."""
        if self._executable:
            os.fchmod(self._file.fileno(), 0o700)
        self._file.close()


def _parts(name: str, limits: Limits) -> tuple[str, ...]:
    """Return the parts of a path in an archive."""
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    plain = (
        not name.startswith("/")
        and "\\" not in name
        and not re.match("[A-Za-z]:", name)
        and ".." not in parts
        and all(part.isprintable() and _fits(part) for part in parts)
    )
    if not plain:
        raise BotError(
            f"the archive has a file called {_shown(name)}; use plain relative names, of at most "
            f"{_LONGEST_NAME} bytes a part"
        )
    if len(parts) > limits.depth:
        raise BotError(
            f"more than {limits.depth} folders lie inside each other in the archive, as in "
            f"{_shown(name)}; pack the folder of the bot itself"
        )
    return parts


def _fits(part: str) -> bool:
    try:
        return len(part.encode()) <= _LONGEST_NAME
    except UnicodeEncodeError:
        return False


def _broken() -> BotError:
    return BotError("the file cannot be unpacked; pack the folder of the bot again")


def _shown(name: str) -> str:
    return ascii(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}...")
