"""Computes the checksums of rows, as they are in the file."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from msgspec.json import decode

from arena.checksums import checksum, head_checksum, moves_checksum

TOURNAMENT_COLUMNS = (
    "name, kind, rules, seed, settings, gauntlet, derivation, block_pairs, common_layouts"
)


def tournament_checksum(db: sqlite3.Connection, tournament: int) -> bytes:
    """Return the checksum of a tournament and its entrants, as they are in the file."""
    rows = db.execute(
        f"SELECT {TOURNAMENT_COLUMNS} FROM tournaments WHERE id = ?", (tournament,)
    ).fetchall()
    entrants = db.execute(
        "SELECT name, digest, program FROM entrants WHERE tournament = ? ORDER BY rowid",
        (tournament,),
    ).fetchall()
    return checksum(rows, entrants)


def head_columns(has_origins: bool) -> str:  # noqa: FBT001 - of the file
    """Return the columns of a block, those that its checksum covers beside its games."""
    origin = "(SELECT origin FROM origins WHERE block = blocks.id)" if has_origins else "NULL"
    return f"entrants, number, games, isolation, voids, {origin}"


def head_checksum_of(head: Sequence[Any], of_games: bytes) -> bytes:
    """Return the checksum of a block, given its ``head_columns`` and the checksum of its games.

    Raises:
        ValueError: If one that should hold JSON does not.
        TypeError: Likewise.
    """
    entrants, number, games, isolation, voids, origin = head
    at = None if origin is None else decode(origin)
    return head_checksum(decode(entrants), number, games, isolation, decode(voids), at, of_games)


def moves_checksum_of(game: str, layouts: str | bytes, steps: str | bytes) -> bytes:
    """Return the checksum of the moves of the game of an id, given as JSON.

    Raises:
        ValueError: If they are not.
    """
    return moves_checksum(game, decode(layouts), decode(steps))
