"""Starts what reads an archive, in the sandbox, and ends it at its limits."""

import os
import re
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

from arena.errors import BotError
from arena.isolation import Child, Level, Program, start
from arena.text import printable
from salvo.server.database.ownership import WITHDRAWN
from salvo.server.work.unpacking import archive_reader
from salvo.server.work.unpacking.entries import LIMITS, Limits, NewFile, write_entries

_LOOK_S = 0.1  # how often the limits of time are looked at, and whether the bot is still wanted
_ENDS_S = 2.0
_LAST_WORDS = 4096
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
_ARCHIVES = {".zip": "zip", ".tar.gz": "tar", ".tgz": "tar"}


def suffix_of(file: str) -> str:
    """Return the part of a file's name that says what it is, or nothing."""
    name = file.lower()
    for suffix in _ARCHIVES:
        if name.endswith(suffix):
            return suffix
    suffix = Path(name).suffix
    return suffix if _SUFFIX.fullmatch(suffix) else ""


def unpack(
    upload: Path,
    suffix: str,
    place: Path,
    limits: Limits = LIMITS,
    wanted: Callable[[], bool] = lambda: True,
) -> Path:
    """Return the file or folder that an upload is, as a bot to be copied into a league.

    ``suffix`` is what ``suffix_of`` returns; ``wanted`` is asked now and then whether to go on. An
    archive becomes the folder ``place``, and any other file gets that name and the suffix, which
    the errors of the bot then show.

    Raises:
        BotError: If it holds what it must not, takes too long, is no archive though it is called
            one, or is not wanted any more.
        OSError: If the sandbox does not start, which is no fault of the archive.
    """
    kind = _ARCHIVES.get(suffix)
    if kind is None:
        return _copy(upload, place.with_name(place.name + suffix), limits)
    most = limits.max_bytes(upload.stat().st_size)
    place.mkdir()
    child = start(Level.SANDBOX, _program(upload.resolve(), kind, limits, most))
    try:
        write_entries(_Output(child, limits, wanted).read, place, limits, most)
    finally:
        child.kill()
    return _root(place)


def _copy(upload: Path, place: Path, limits: Limits) -> Path:
    copy = NewFile(place, limits.max_bytes(), executable=place.suffix != ".py")
    try:
        with upload.open("rb") as file:
            while chunk := file.read(archive_reader.CHUNK):
                copy.write(chunk)
    finally:
        copy.close()
    return place


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


def _program(upload: Path, kind: str, limits: Limits, most: int) -> Program:
    script = str(Path(archive_reader.__file__).resolve())
    words = (script, str(upload), kind, str(limits.files), str(most))
    return Program(
        argv=(sys.executable, "-I", "-S", *words),
        folder="/",
        files=(script, str(upload)),
        memory_mb=limits.memory_mb,
        proc=False,
    )


class _Output:
    """The output of a process, as long as it keeps to its limits and is wanted."""

    def __init__(self, child: Child, limits: Limits, wanted: Callable[[], bool]) -> None:
        self._child, self._limits, self._wanted = child, limits, wanted
        self._began = time.monotonic()
        self._next_look = self._began
        self._data = bytearray()
        self._has_begun = False

    def read(self, size: int) -> bytes:
        """Return the next bytes."""
        while len(self._data) < size:
            self._look()
            if select.select([self._child.stdout], [], [], _LOOK_S)[0]:
                chunk = os.read(self._child.stdout, archive_reader.CHUNK)
                if not chunk:
                    raise self._error()
                self._has_begun = True
                self._data += chunk
        found = bytes(self._data[:size])
        del self._data[:size]
        return found

    def _look(self) -> None:
        """Raise what is to be raised if the process is not to go on."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _LOOK_S
        if not self._wanted():
            raise BotError(WITHDRAWN)
        ran_s, _ = self._child.times_s() or (0.0, 0.0)
        if ran_s > self._limits.cpu_s:
            raise _too_slow(f"{self._limits.cpu_s:g} s of processor time")
        if now - self._began > self._limits.wall_s:
            raise _too_slow(f"{self._limits.wall_s:g} s")

    def _error(self) -> Exception:
        self._child.wait(_ENDS_S)
        status = self._child.status() or "is silent"
        if not self._has_begun:
            said = os.read(self._child.stderr, _LAST_WORDS).decode("utf-8", "replace")
            return OSError(f"the reader of archives {status}: {printable(said.strip())}")
        return BotError(
            f"the file cannot be unpacked: its reader {status}; pack the folder of the bot again, "
            "as .zip or .tar.gz"
        )


def _too_slow(most: str) -> BotError:
    return BotError(
        f"the file takes more than {most} to unpack; pack the folder of the bot again, as .zip or "
        ".tar.gz"
    )
