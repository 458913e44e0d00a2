"""How many games of a tournament there were each time that it was rated.

Whoever adds games until something is significant finds differences that are not there. So a record
remembers at which sizes it was looked at; the table is made at the first look, so that records
without it stay as they were.
"""

import sqlite3

from msgspec import Struct

from arena.store.database import has_table
from arena.store.schema import ITS_ID

_TABLE = """
CREATE TABLE IF NOT EXISTS looks (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    pairs INTEGER NOT NULL,
    rule TEXT NOT NULL,
    PRIMARY KEY (tournament, pairs, rule)
)"""


class Look(Struct, frozen=True):
    """One look at the results of a tournament.

    Attributes:
        pairs: How many pairs of games a pairing (or a bot, where bots are not all to meet) had
            been asked for.
        rule: The sequential test that ended the games, in words; empty where their number was
            fixed beforehand.
    """

    pairs: int
    rule: str = ""


def insert_look(db: sqlite3.Connection, tournament: str, look: Look) -> None:
    """Write down a look; the same one twice is one."""
    db.execute(_TABLE)
    db.execute(
        f"INSERT OR IGNORE INTO looks (tournament, pairs, rule) VALUES ({ITS_ID}, ?, ?)",
        (tournament, look.pairs, look.rule),
    )


def select_looks(db: sqlite3.Connection, tournament: str) -> list[Look]:
    """Return the looks at a tournament, oldest first."""
    if not has_table(db, "looks"):
        return []
    rows = db.execute(
        f"SELECT pairs, rule FROM looks WHERE tournament = {ITS_ID} ORDER BY rowid",
        (tournament,),
    )
    return [Look(*row) for row in rows]
