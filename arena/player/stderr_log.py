"""Writes files of what bots write to stderr, one for each process; a silent bot has none."""

from pathlib import Path
from typing import BinaryIO, Protocol

from arena.errors import UserError

LOG_BYTES = 1_000_000
"""How much is kept of the beginning of what one process writes."""

TAIL_BYTES = 8_192
"""How much is kept of the end of what one process writes."""


class Log(Protocol):
    """Whatever takes what a bot writes to stderr."""

    def write(self, data: bytes) -> None:
        """Take some more."""

    def close(self) -> None:
        """Take note that the bot has ended."""


class LogFile:
    """One file: the beginning of what a process writes and, where that is not all, the end.

    The file and its folders are made when there is something to write.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._room = LOG_BYTES
        self._left_out = 0
        self._tail = b""

    def write(self, data: bytes) -> None:
        """Write some more.

        Raises:
            UserError: If the file cannot be written.
        """
        head, rest = data[: self._room], data[self._room :]
        self._room -= len(head)
        self._left_out += len(rest)
        self._tail = (self._tail + rest)[-TAIL_BYTES:]
        if head:
            self._append(head)

    def close(self) -> None:
        """Write the end, and close the file.

        Raises:
            UserError: If the file cannot be written.
        """
        if self._left_out:
            between = self._left_out - len(self._tail)
            self._append(f"\n[{between:,} bytes are left out here]\n".encode() + self._tail)
            self._left_out = 0
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, data: bytes) -> None:
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self._path.open("wb", buffering=0)
            self._file.write(data)
        except OSError as error:
            if self._file is not None:
                self._file.close()
            raise UserError(
                f"--log: {self._path} cannot be written: {error.strerror}; name another folder"
            ) from error


class LogFiles:
    """The files of one bot's processes: STEM.log, then STEM-2.log and so on after restarts."""

    def __init__(self, folder: Path, stem: str) -> None:
        self._folder = folder
        self._stem = stem
        self._opened = 0

    def open(self) -> LogFile:
        """Return the file of the next process."""
        self._opened += 1
        number = f"-{self._opened}" if self._opened > 1 else ""
        return LogFile(self._folder / f"{self._stem}{number}.log")
