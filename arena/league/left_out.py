"""Pairings whose games do not count in the ratings of a league, in its ``left-out.json``."""

import fcntl
import os
from pathlib import Path

import msgspec

from arena.errors import UserError

__all__ = ["FILE", "Pairing", "change_left_out", "read_left_out"]

FILE = "left-out.json"

Pairing = frozenset[str]
"""The names of two bots."""


def read_left_out(folder: Path) -> frozenset[Pairing]:
    """Return the pairings of a league that its operator left out; all versions are meant.

    Raises:
        UserError: If they cannot be read.
    """
    path = folder / FILE
    try:
        found = msgspec.json.decode(path.read_bytes(), type=list[tuple[str, str]])
    except FileNotFoundError:
        return frozenset()
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"league file {path}: {error}; put back a copy of it") from error
    return frozenset(map(frozenset, found))


def change_left_out(folder: Path, pairing: Pairing, *, out: bool) -> None:
    """Leave a pairing out, or no longer; others who would change it at the same time wait."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        before = read_left_out(folder)
        kept = before | {pairing} if out else before - {pairing}
        draft = folder / f"{FILE}.new"
        draft.write_bytes(msgspec.json.encode(sorted(map(sorted, kept))) + b"\n")
        draft.replace(folder / FILE)
    finally:
        os.close(descriptor)
