"""Computes the checksums of rows that are no blocks, and those of records that have none yet."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from msgspec.json import decode

from arena.checksums import checksum, games_checksum, head_checksum, moves_checksum
from arena.store.game_rows import inflated
from arena.store.schema import FACTS

TOURNAMENT_COLUMNS = (
    "name, kind, rules, seed, settings, gauntlet, derivation, block_pairs, common_layouts"
)

CHECKED_EXTRAS = {
    "looks": "pairs, rule",
    "shards": "number, parts, games, layouts",
    "solo_luck": "game, version, turns, log_e_values",
}
"""The columns that checksums cover of tables that not every record has."""


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


def add_extra_columns(db: sqlite3.Connection) -> None:
    """Make room for checksums in those tables that a record of an older version may have."""
    for table in CHECKED_EXTRAS.keys() & _tables(db):
        db.execute(f"ALTER TABLE {table} ADD COLUMN checksum BLOB NOT NULL DEFAULT x''")


def write_checksums(db: sqlite3.Connection) -> None:
    """Give every row of a record the checksum of what it holds.

    Raises:
        ValueError: If a row cannot be decoded.
        TypeError: Likewise.
        zlib.error: Likewise.
    """
    for (tournament,) in db.execute("SELECT id FROM tournaments").fetchall():
        row = (tournament_checksum(db, tournament), tournament)
        db.execute("UPDATE tournaments SET checksum = ? WHERE id = ?", row)
    tables = _tables(db)
    columns = head_columns(has_origins="origins" in tables)
    for block, *head in db.execute(f"SELECT id, {columns} FROM blocks").fetchall():
        _write_block(db, block, head)
    for table in CHECKED_EXTRAS.keys() & tables:
        rows = db.execute(f"SELECT rowid, {CHECKED_EXTRAS[table]} FROM {table}").fetchall()
        db.executemany(
            f"UPDATE {table} SET checksum = ? WHERE rowid = ?",
            [(checksum(*values), row) for row, *values in rows],
        )


def _tables(db: sqlite3.Connection) -> set[str]:
    return {name for (name,) in db.execute("SELECT name FROM sqlite_master")}


def head_columns(has_origins: bool) -> str:  # noqa: FBT001 - of the file
    """Return the columns of a block, those that its checksum covers beside its games."""
    origin = "(SELECT origin FROM origins WHERE block = blocks.id)" if has_origins else "NULL"
    return f"entrants, number, games, isolation, voids, {origin}"


def _write_block(db: sqlite3.Connection, block: int, head: Sequence[Any]) -> None:
    rows = db.execute(
        f"SELECT {', '.join(FACTS)}, layouts, steps FROM games WHERE block = ? ORDER BY position",
        (block,),
    )
    games = [
        (*found, moves_checksum_of(found[0], inflated(layouts), inflated(steps)))
        for *found, layouts, steps in rows.fetchall()
    ]
    db.executemany(
        "UPDATE games SET checksum = ? WHERE id = ?", [(game[-1], game[0]) for game in games]
    )
    of_games = games_checksum(games)
    db.execute(
        "UPDATE blocks SET games_checksum = ?, checksum = ? WHERE id = ?",
        (of_games, head_checksum_of(head, of_games), block),
    )


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
