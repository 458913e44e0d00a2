"""Keeps what a benchmark has found, so that the same command goes on where it was stopped."""

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from arena.entrants import parse_entrant
from arena.errors import UserError
from salvo.bundled import bundled_bots

T = TypeVar("T")


class Kept:
    """Findings by the words that say what was asked for, in a file of JSON.

    The words name all that a finding depends on. The file is whole whenever the program is stopped.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one.

        Raises:
            UserError: If it is none that this wrote.
        """
        self._path = path
        self._found: dict[str, Any] = {}
        try:
            if path.exists():
                self._found = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise UserError(f"{path}: {error}; give another file, or remove this one") from error

    def get(self, words: str, kind: type[T]) -> T | None:
        """Return what was found, None if nothing was yet."""
        return msgspec.convert(self._found[words], kind) if words in self._found else None

    def keep(self, words: str, found: object) -> None:
        """Write down what was found."""
        self._found[words] = found
        unfinished = self._path.with_suffix(".new")
        unfinished.write_bytes(msgspec.json.encode(self._found))
        unfinished.replace(self._path)


def content_of(bot: str) -> str:
    """Return what names the content of a bundled bot, with what it imports."""
    return f"{bot} {parse_entrant(bot, bundled_bots()).digest[:8]}"
