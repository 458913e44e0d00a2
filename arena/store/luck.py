"""The luck in solo games, kept beside them so that it is worked out once.

The record does not know what luck is: some numbers a game, and the version of what worked them out.
The table is made when the first of it is kept, so that records without it stay as they were.
"""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from arena.store.database import has_table
from arena.store.schema import ITS_ID

# An older table, `luck`, lacks the e-values: what it holds is of versions that count no more.
_TABLE = """
CREATE TABLE IF NOT EXISTS solo_luck (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    version INTEGER NOT NULL,
    turns REAL NOT NULL,
    log_e_values TEXT NOT NULL,
    PRIMARY KEY (game, version)
)"""


class Luck(NamedTuple):
    """The luck in a solo game.

    Attributes:
        turns: By how many turns it made the game longer.
        log_e_values: How far it speaks against chance: natural logarithms of e-values.
    """

    turns: float
    log_e_values: tuple[float, ...]


def insert_luck(db: sqlite3.Connection, found: Iterable[tuple[str, Luck]], version: int) -> None:
    """Write down the luck of some games; where it is there already, it stays."""
    db.execute("DROP TABLE IF EXISTS luck")
    db.execute(_TABLE)
    db.executemany(
        "INSERT OR IGNORE INTO solo_luck (game, version, turns, log_e_values) VALUES (?, ?, ?, ?)",
        [
            (game, version, luck.turns, msgspec.json.encode(luck.log_e_values).decode())
            for game, luck in found
        ],
    )


def select_luck(db: sqlite3.Connection, tournament: str, version: int) -> dict[str, Luck]:
    """Return the luck of a tournament's games, by their ids, as far as it is kept."""
    if not has_table(db, "solo_luck"):
        return {}
    rows = db.execute(
        "SELECT game, turns, log_e_values FROM solo_luck JOIN games ON game = games.id "
        f"JOIN blocks ON games.block = blocks.id WHERE version = ? AND tournament = {ITS_ID}",
        (version, tournament),
    )
    decode = msgspec.json.Decoder(tuple[float, ...]).decode
    return {game: Luck(turns, decode(log_e_values)) for game, turns, log_e_values in rows}
