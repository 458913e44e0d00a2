"""Reads an archive and writes what is in it to stdout, in frames that ``entries`` reads.

This is a program of its own. An archive is any bytes, and the libraries that read it can be made to
take hours and gigabytes: so it runs alone in the sandbox, until it is ended, and nothing that it
writes is trusted. It imports the standard library alone.
"""

import gzip
import io
import stat
import struct
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from typing import IO, cast

HEAD = struct.Struct("!cI")
"""The head of a frame: its kind, and how many bytes follow."""

CHUNK = 1 << 16
"""The most bytes that follow."""

BEGUN = b"("
"""The reader runs: whatever happens from now on is the doing of the archive."""

FILE, PROGRAM, FOLDER, OTHER = b"f", b"x", b"d", b"o"
"""An entry with its name: a file, one that can be executed, a folder, or something else."""
DATA = b"+"
"""More of the file that came last."""
REFUSED, END = b"!", b"."
"""The reason why the archive was not read to its end, or that it was."""

TOO_LARGE = "the archive is too large when it is unpacked; leave out what is not needed"

_LONGEST_NAME = 4096
_ENTRY = b"PK\x01\x02"  # what begins each entry in the list of a zip file
_Entry = tuple[bytes, str, IO[bytes] | None]


class _RefusedError(Exception):
    """The archive holds what it must not."""


def send(upload: str, kind: str, files: int, most: int, out: IO[bytes]) -> None:
    """Write frames that tell what is in an archive.

    Its ``kind`` is "zip", or "tar" for a packed tar file. It may have so many ``files`` and
    folders, of ``most`` bytes together.
    """
    _frame(out, BEGUN)
    out.flush()
    try:
        for what, name, file in _of_zip(upload, files) if kind == "zip" else _of_tar(upload, most):
            _frame(out, what, _encoded(name))
            while file is not None and (chunk := file.read(CHUNK)):
                _frame(out, DATA, chunk)
            if what == OTHER:
                break  # it is refused, so that whatever follows is not read
    except BrokenPipeError:
        raise
    # The libraries fail on what is no archive in many ways, none of which is ours.
    except Exception as error:  # noqa: BLE001
        _frame(out, REFUSED, _message(error).encode("utf-8", "replace")[:CHUNK])
    else:
        _frame(out, END)
    out.flush()


def _frame(out: IO[bytes], kind: bytes, data: bytes = b"") -> None:
    out.write(HEAD.pack(kind, len(data)) + data)


def _encoded(name: str) -> bytes:
    data = name.encode("utf-8", "surrogateescape")
    if len(data) > _LONGEST_NAME:
        raise _RefusedError(f"the archive has a name of {len(data)} bytes; use shorter names")
    return data


def _message(error: Exception) -> str:
    if isinstance(error, _RefusedError):
        return str(error)
    if isinstance(error, MemoryError):
        return "the file takes too much memory to unpack; pack the folder of the bot alone"
    # Of an error of the system the text would name files of this machine.
    told = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return (
        f"the file cannot be unpacked: {told or type(error).__name__}; pack the folder of the bot "
        "again, as .zip or .tar.gz"
    )


def _of_zip(upload: str, files: int) -> Iterator[_Entry]:
    # The list of entries is read as a whole by the library: count them before it does.
    if _count(upload, _ENTRY) > files:
        raise _RefusedError(
            f"the archive has more than {files} files and folders; leave out what the bot does "
            "not read"
        )
    with zipfile.ZipFile(upload) as archive:
        for info in archive.infolist():
            mode = info.external_attr >> 16
            kind = stat.S_IFMT(mode) if info.create_system == 3 else 0  # noqa: PLR2004 - Unix
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                yield OTHER, info.filename, None
            elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise _RefusedError("the archive is packed in an unusual way; pack it as usual zip")
            elif info.flag_bits & 1:
                raise _RefusedError("the archive is encrypted; pack it without a password")
            elif info.is_dir() or kind == stat.S_IFDIR:
                yield FOLDER, info.orig_filename, None
            else:
                with archive.open(info) as file:
                    yield PROGRAM if mode & stat.S_IXUSR else FILE, info.orig_filename, file


def _count(upload: str, sign: bytes) -> int:
    found, last = 0, b""
    with open(upload, "rb") as file:  # noqa: PTH123 - pathlib would double the time to start
        while chunk := file.read(CHUNK):
            found += (last + chunk).count(sign)
            last = chunk[1 - len(sign) :]
    return found


def _of_tar(upload: str, most: int) -> Iterator[_Entry]:
    with (
        gzip.open(upload) as unzipped,
        # Headers count too: a name or a list of attributes can be as long as it likes.
        tarfile.open(
            mode="r|", fileobj=cast("IO[bytes]", _Counted(unzipped, 2 * most + 1_000_000))
        ) as archive,
    ):
        for member in archive:
            if member.isdir():
                yield FOLDER, member.name, None
            elif not member.isreg() or member.issparse():
                yield OTHER, member.name, None
            else:
                file = archive.extractfile(member)
                yield PROGRAM if member.mode & stat.S_IXUSR else FILE, member.name, file


class _Counted(io.RawIOBase):
    """Reads a file up to a number of bytes, and refuses what has more."""

    def __init__(self, file: gzip.GzipFile, most: int) -> None:
        self._file, self._left = file, most

    def read(self, size: int = -1, /) -> bytes:
        data = self._file.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _RefusedError(TOO_LARGE)
        return data


if __name__ == "__main__":
    send(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.stdout.buffer)
