"""Who was entered in a league, in its ``register.json``."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from arena.errors import UserError

_FILE = "register.json"

State = Literal["current", "replaced", "withdrawn"]


class Entry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One version of a bot in a league.

    Attributes:
        version: Which version of the name it is, from 1.
        words: The file or folder of its copy, as ``{bot}/NAME``; in leagues of older versions
            also the words of a command, with options.
        state: Whether it plays for its name, a later one does, or nobody.
    """

    name: str
    version: int
    digest: str
    words: tuple[str, ...]
    state: State = "current"

    @property
    def full_name(self) -> str:
        """Return its name in the record."""
        return f"{self.name}@{self.version}"


def read_register(folder: Path) -> list[Entry]:
    """Return the entries of a league, oldest first.

    Raises:
        UserError: If they cannot be read.
    """
    path = folder / _FILE
    if not path.exists():
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Entry])
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"league file {path}: {error}; put back a copy of it") from error


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep others from changing who is in a league; they wait."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def editing(folder: Path) -> Iterator[list[Entry]]:
    """Yield the entries to be changed, and write them back whole if that goes well.

    Others who would change them at the same time wait.
    """
    with locked(folder):
        entries = read_register(folder)
        yield entries
        draft = folder / f"{_FILE}.new"
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(entries)) + b"\n")
        draft.replace(folder / _FILE)
