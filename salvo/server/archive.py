"""Opens what was uploaded: a file, or a folder as ``.zip`` or ``.tar.gz``, within limits.

Nothing here trusts what an archive says of itself: bytes are counted as they come out, names are
taken apart and put together again, and all that is neither a file nor a folder is refused.
"""

import gzip
import io
import os
import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from msgspec import Struct

from arena.errors import BotError

__all__ = ["LIMITS", "Limits", "suffix_of", "unpack"]

_MB = 1_000_000
_CHUNK = 1 << 16
_LONGEST_NAME = 100
"""Bytes of one part of a path."""

_ENTRY = b"PK\x01\x02"
"""What begins each entry in the list of a zip file."""

_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
_ARCHIVES = {".zip": "zip", ".tar.gz": "tar", ".tgz": "tar"}
_PROGRAMS = (b"#!", b"\x7fELF")
_TO_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Limits(Struct, frozen=True):
    """What an archive may hold.

    Attributes:
        files: Files and folders.
        mb: Megabytes of all files together, unpacked.
        depth: Folders inside each other.
        ratio: How many times larger all may be than the archive.
    """

    files: int = 1000
    mb: int = 64
    depth: int = 8
    ratio: int = 200


LIMITS = Limits()


class _Item(Struct, frozen=True):
    """A file in an archive."""

    parts: tuple[str, ...]
    executable: bool
    file: IO[bytes]


def suffix_of(file: str) -> str:
    """Return the part of a file's name that says what it is, or nothing."""
    name = file.lower()
    for suffix in _ARCHIVES:
        if name.endswith(suffix):
            return suffix
    suffix = Path(name).suffix
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def unpack(upload: Path, suffix: str, folder: Path, limits: Limits = LIMITS) -> Path:
    """Return the file or folder that an upload is, as a bot to be copied into a league.

    Args:
        upload: The bytes that came.
        suffix: What they are called, as ``suffix_of`` returns it.
        folder: An empty folder of our own.
        limits: What an archive may hold.

    Raises:
        BotError: If it holds what it must not, or is no archive though it is called one.
    """
    kind = _ARCHIVES.get(suffix)
    if kind is None:
        place = folder / f"bot{suffix}"
        with upload.open("rb") as file:
            _write(place, file, limits.mb * _MB, executable=suffix != ".py")
        return place
    place = folder / "bot"
    place.mkdir()
    most = min(limits.mb * _MB, max(_MB, limits.ratio * upload.stat().st_size))
    try:
        items = _of_zip(upload, limits) if kind == "zip" else _of_tar(upload, limits, most)
        _lay_out(items, place, most)
    except BotError:
        raise
    # An archive is any bytes, and the libraries fail on them in many ways, none of which is ours.
    except Exception as error:
        # Of an error of the system the text would name files of this machine.
        told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise BotError(
            f"the file cannot be unpacked: {told or type(error).__name__}; pack the folder "
            "of the bot again, as .zip or .tar.gz"
        ) from error
    return _root(place)


def _root(place: Path) -> Path:
    """Return the bot in what was unpacked: often that is one folder, or one file, in another."""
    inner = place
    while True:
        found = sorted(inner.iterdir())
        if not found:
            raise BotError("the archive has no file in it; pack the folder of the bot")
        if any(path.name in ("bot.py", "bot.toml") for path in found) or len(found) > 1:
            return inner
        [inner] = found
        if inner.is_file():
            return inner


def _of_zip(upload: Path, limits: Limits) -> Iterator[_Item]:
    # The list of entries is read as a whole by the library: count them before it does.
    if upload.read_bytes().count(_ENTRY) > limits.files:
        raise _too_many(limits)
    with zipfile.ZipFile(upload) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind = stat.S_IFMT(mode) if info.create_system == 3 else 0  # noqa: PLR2004 - Unix
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise _no_file(info.filename)
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise BotError("the archive is packed in an unusual way; pack it as usual zip")
            if info.flag_bits & 1:
                raise BotError("the archive is encrypted; pack it without a password")
            parts = _parts(info.orig_filename, limits)
            if info.is_dir() or kind == stat.S_IFDIR or not parts:
                continue
            with archive.open(info) as file:
                yield _Item(parts, bool(mode & stat.S_IXUSR), file)


def _of_tar(upload: Path, limits: Limits, most: int) -> Iterator[_Item]:
    with (
        gzip.open(upload) as unzipped,
        # Headers count too: a name or a list of attributes can be as long as it likes.
        tarfile.open(
            mode="r|", fileobj=cast("IO[bytes]", _Counted(unzipped, 2 * most + _MB))
        ) as archive,
    ):
        for number, member in enumerate(archive, 1):
            if number > limits.files:
                raise _too_many(limits)
            if not (member.isreg() or member.isdir()) or member.issparse():
                raise _no_file(member.name)
            parts = _parts(member.name, limits)
            if member.isdir() or not parts:
                continue
            file = archive.extractfile(member)
            assert file is not None
            yield _Item(parts, bool(member.mode & stat.S_IXUSR), file)


class _Counted(io.RawIOBase):
    """Reads a file up to a number of bytes, and refuses what has more."""

    def __init__(self, file: gzip.GzipFile, most: int) -> None:
        self._file, self._left = file, most

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes.

        Raises:
            BotError: If there are more than may be.
        """
        data = self._file.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _too_large()
        return data


def _lay_out(items: Iterator[_Item], place: Path, most: int) -> None:
    left = most
    seen: set[tuple[str, ...]] = set()
    folders: set[tuple[str, ...]] = set()
    for item in items:
        key = tuple(part.casefold() for part in item.parts)
        if key in seen:
            raise BotError(f"{_shown('/'.join(item.parts))} is in the archive twice; leave one out")
        above = {key[:depth] for depth in range(1, len(key))}
        if key in folders or above & seen:
            raise BotError(
                "a file and a folder have the same name in the archive, at "
                f"{_shown('/'.join(item.parts))}; pack the folder of the bot again"
            )
        seen.add(key)
        folders |= above
        target = place.joinpath(*item.parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        left -= _write(target, item.file, left, executable=item.executable)


def _write(place: Path, file: IO[bytes], most: int, *, executable: bool) -> int:
    """Write a file, and return how many bytes it has."""
    size, first = 0, b""
    with os.fdopen(os.open(place, _TO_MAKE, 0o600), "wb") as copy:
        while chunk := file.read(_CHUNK):
            first = first or chunk[:4]
            size += len(chunk)
            if size > most:
                raise _too_large()
            copy.write(chunk)
        # Archives of some systems do not say what can be executed.
        if executable or first.startswith(_PROGRAMS):
            os.fchmod(copy.fileno(), 0o700)
    return size


def _parts(name: str, limits: Limits) -> tuple[str, ...]:
    """Return the parts of a path in an archive.

    Raises:
        BotError: If it is no plain path that leads downwards.
    """
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


def _too_many(limits: Limits) -> BotError:
    return BotError(
        f"the archive has more than {limits.files} files and folders; leave out what the bot does "
        "not read"
    )


def _too_large() -> BotError:
    return BotError("the archive is too large when it is unpacked; leave out what is not needed")


def _no_file(name: str) -> BotError:
    return BotError(
        f"{_shown(name)} in the archive is neither a file nor a folder; put a copy in its place"
    )


def _shown(name: str) -> str:
    return ascii(name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}...")
