"""Reads and changes who was entered in a league, and which pairings its ratings leave out."""

import contextlib
import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from arena.errors import UserError

_REGISTER, _LEFT_OUT = "register.json", "left-out.json"

T = TypeVar("T")

Pairing = frozenset[str]
"""The names of two bots."""

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
    return _read(folder / _REGISTER, list[Entry])


def read_left_out(folder: Path) -> frozenset[Pairing]:
    """Return the pairings of a league that its operator left out; all versions are meant.

    Raises:
        UserError: If they cannot be read.
    """
    return frozenset(map(frozenset, _read(folder / _LEFT_OUT, list[tuple[str, str]])))


def write_left_out(folder: Path, pairings: Iterable[Pairing]) -> None:
    """Replace the pairings that are left out; hold the lock meanwhile."""
    _write(folder / _LEFT_OUT, msgspec.json.encode(sorted(map(sorted, pairings))))


def _read(path: Path, kind: type[list[T]]) -> list[T]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return []
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"league file {path}: {error}; put back a copy of it") from error


def _write(path: Path, content: bytes) -> None:
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(content + b"\n")
    draft.replace(path)


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
        _write(folder / _REGISTER, msgspec.json.format(msgspec.json.encode(entries)))
