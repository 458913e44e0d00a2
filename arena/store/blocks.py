"""Reads the blocks of a record back as they were committed."""

import sqlite3
from collections.abc import Iterable, Iterator

from arena.origin import Origin
from arena.records import Block, BlockKey, BlockRecord, Void
from arena.store.database import has_table
from arena.store.rows import from_json, to_game, to_json
from arena.store.schema import GAME_COLUMNS, ITS_ID

__all__ = ["select_blocks"]

_BLOCK = (
    "SELECT id, isolation, voids FROM blocks WHERE entrants = ? AND number = ? "  # noqa: S608 - no user's text
    f"AND tournament = {ITS_ID}"
)
_GAMES = f"SELECT {GAME_COLUMNS} FROM games WHERE block = ? ORDER BY position"  # noqa: S608 - no user's text


def select_blocks(
    db: sqlite3.Connection, tournament: str, keys: Iterable[BlockKey]
) -> Iterator[BlockRecord]:
    """Yield some blocks of a tournament; those that are not in the record are left out."""
    origins = has_table(db, "origins")
    for entrants, number in keys:
        row = db.execute(_BLOCK, (to_json(entrants), number, tournament)).fetchone()
        if row is None:
            continue
        block, isolation, voids = row
        games = tuple(map(to_game, db.execute(_GAMES, (block,))))
        yield BlockRecord(
            Block(entrants, number, tuple(game.fixture for game in games)),
            games,
            isolation,
            from_json(voids, tuple[Void, ...]),
            _origin(db, block) if origins else None,
        )


def _origin(db: sqlite3.Connection, block: int) -> Origin | None:
    row = db.execute("SELECT origin FROM origins WHERE block = ?", (block,)).fetchone()
    return None if row is None else from_json(row[0], Origin)
