"""The luck in solo games, kept beside them so that it is worked out once.

The record does not know what luck is: a number a game, and the version of what worked it out. The
table is made when the first of it is kept, so that records without it stay as they were.
"""

import sqlite3
from collections.abc import Iterable

from arena.store.database import has_table
from arena.store.schema import ITS_ID

__all__ = ["insert_luck", "select_luck"]

_TABLE = """
CREATE TABLE IF NOT EXISTS luck (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    version INTEGER NOT NULL,
    turns REAL NOT NULL,
    PRIMARY KEY (game, version)
)"""


def insert_luck(db: sqlite3.Connection, found: Iterable[tuple[str, float]], version: int) -> None:
    """Write down the luck of some games; where it is there already, it stays."""
    db.execute(_TABLE)
    db.executemany(
        "INSERT OR IGNORE INTO luck (game, version, turns) VALUES (?, ?, ?)",
        [(game, version, turns) for game, turns in found],
    )


def select_luck(db: sqlite3.Connection, tournament: str, version: int) -> dict[str, float]:
    """Return the luck of a tournament's games, by their ids, as far as it is kept."""
    if not has_table(db, "luck"):
        return {}
    rows = db.execute(
        "SELECT game, turns FROM luck JOIN games ON game = games.id "
        f"JOIN blocks ON games.block = blocks.id WHERE version = ? AND tournament = {ITS_ID}",
        (version, tournament),
    )
    return dict(rows.fetchall())
