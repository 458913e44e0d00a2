"""Which part of a tournament a record was made to hold, and of how large a tournament.

The table is made when a shard is played, so that other records stay as they were.
"""

import sqlite3

from msgspec import Struct

from arena.records import Part
from arena.store.database import has_table
from arena.store.schema import ITS_ID

_TABLE = """
CREATE TABLE IF NOT EXISTS shards (
    tournament INTEGER PRIMARY KEY REFERENCES tournaments,
    number INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    games INTEGER NOT NULL,
    layouts INTEGER NOT NULL
)"""


class Commission(Struct, frozen=True):
    """What a shard was asked to play.

    Attributes:
        part: Which part of the tournament.
        games: Games per pairing of the whole tournament.
        layouts: Solo games per bot of the whole tournament.
    """

    part: Part
    games: int
    layouts: int


def insert_commission(db: sqlite3.Connection, tournament: str, asked: Commission) -> None:
    """Write down what a shard is asked to play; what it was asked for before gives way."""
    db.execute(_TABLE)
    db.execute(
        "INSERT OR REPLACE INTO shards (tournament, number, parts, games, layouts) "
        f"VALUES ({ITS_ID}, ?, ?, ?, ?)",
        (tournament, asked.part.number, asked.part.of, asked.games, asked.layouts),
    )


def select_commission(db: sqlite3.Connection, tournament: str) -> Commission | None:
    """Return what a shard was asked to play, or None if the record is not that of a shard."""
    if not has_table(db, "shards"):
        return None
    row = db.execute(
        f"SELECT number, parts, games, layouts FROM shards WHERE tournament = {ITS_ID}",
        (tournament,),
    ).fetchone()
    return None if row is None else Commission(Part(row[0], row[1]), row[2], row[3])
