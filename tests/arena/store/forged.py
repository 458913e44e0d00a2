"""Forges records: gives what was changed in one the checksums of what it now holds."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from arena.checksums import checksum, games_checksum
from arena.store.game_rows import inflated
from arena.store.row_checksums import (
    head_checksum_of,
    head_columns,
    moves_checksum_of,
    tournament_checksum,
)
from arena.store.schema import FACTS

CHECKED_EXTRAS = {
    "looks": "pairs, rule",
    "shards": "number, parts, games, layouts",
    "solo_luck": "game, version, turns, log_e_values",
}
"""The columns that checksums cover of tables that not every record has."""


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
