"""Keeps what a benchmark has found, so that the same command goes on where it was stopped."""

import functools
import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from arena.errors import UserError

T = TypeVar("T")

PACKAGES = ("arena", "benchmarks", "bots", "leaderboards", "salvo")


class Finding(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the file."""

    source: str  # what names the code that found it: other code may find otherwise
    words: str  # what was asked for
    found: Any


class Kept:
    """Findings by the words that say what was asked for, a line of JSON each."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one.

        Raises:
            UserError: If it is none that this wrote, or there is no folder for it.
        """
        self._path = path
        self._found: dict[str, Any] = {}
        if not path.parent.is_dir():
            raise UserError(f"{path}: there is no folder {str(path.parent)!r}; make it")
        lines = path.read_bytes().splitlines() if path.exists() else []
        for number, line in enumerate(lines, 1):
            try:
                finding = msgspec.json.decode(line, type=Finding)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                fix = "give another file, or remove that line"
                raise UserError(f"{path}, line {number}: {error}; {fix}") from error
            if finding.source == source():
                self._found[finding.words] = finding.found

    def get(self, words: str, kind: type[T]) -> T | None:
        """Return what was found, None if nothing was yet."""
        return msgspec.convert(self._found[words], kind) if words in self._found else None

    def keep(self, words: str, found: object) -> None:
        """Write down what was found."""
        self._found[words] = msgspec.to_builtins(found)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(Finding(source(), words, found)) + b"\n")


@functools.cache
def source() -> str:
    """Return what names the content of all packages."""
    hasher = hashlib.sha256()
    for package in PACKAGES:
        for path in sorted(Path(str(files(package))).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                hasher.update(path.read_bytes())
    return hasher.hexdigest()[:16]
