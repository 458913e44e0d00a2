"""Where the blocks of a record come from, kept beside them.

The table is made when the first block with an origin is committed: records without it stay as they
were, and are read all the same.
"""

import sqlite3

from arena.origin import Origin
from arena.records import Termination
from arena.store.database import has_table
from arena.store.rows import from_json, to_json
from arena.store.schema import ITS_ID

_TABLE = """
CREATE TABLE IF NOT EXISTS origins (
    block INTEGER PRIMARY KEY REFERENCES blocks ON DELETE CASCADE,
    origin TEXT NOT NULL
)"""


def insert_origin(db: sqlite3.Connection, block: int, origin: Origin) -> None:
    """Write down where a block comes from."""
    db.execute(_TABLE)
    db.execute("INSERT INTO origins (block, origin) VALUES (?, ?)", (block, to_json(origin)))


def origins_of(db: sqlite3.Connection, tournament: str) -> list[Origin]:
    """Return where the blocks of a tournament come from, as far as that was written down."""
    if not has_table(db, "origins"):
        return []
    rows = db.execute(
        "SELECT origin FROM origins JOIN blocks ON block = blocks.id "
        f"WHERE tournament = {ITS_ID} ORDER BY block",
        (tournament,),
    )
    return [from_json(text, Origin) for (text,) in rows]


def origins_of_timeouts(db: sqlite3.Connection, tournament: str) -> list[Origin]:
    """Return where each game comes from that a tournament's bots lost by time."""
    if not has_table(db, "origins"):
        return []
    rows = db.execute(
        "SELECT origin FROM games JOIN blocks ON games.block = blocks.id "
        "JOIN origins ON origins.block = blocks.id WHERE termination = ? "
        f"AND tournament = {ITS_ID}",
        (Termination.TIMEOUT, tournament),
    )
    return [from_json(text, Origin) for (text,) in rows]
