"""The blocks of a record: written down whole, and read back as they were."""

import logging
import sqlite3
from collections.abc import Iterable, Iterator

from arena.origin import Origin
from arena.records import Block, BlockKey, BlockRecord, Tally, Void
from arena.store.database import has_table
from arena.store.origins import insert_origin
from arena.store.rows import from_json, to_game, to_json, to_row
from arena.store.schema import GAME_COLUMNS, ITS_ID

_log = logging.getLogger(__name__)

_WHICH = f"blocks WHERE tournament = {ITS_ID} AND entrants = ? AND number = ?"
_GAMES = f"SELECT {GAME_COLUMNS} FROM games WHERE block = ? ORDER BY position"


def select_blocks(
    db: sqlite3.Connection, tournament: str, keys: Iterable[BlockKey]
) -> Iterator[BlockRecord]:
    """Yield some blocks of a tournament; those that are not in the record are left out."""
    origins = has_table(db, "origins")
    for entrants, number in keys:
        row = db.execute(
            f"SELECT id, isolation, voids FROM {_WHICH}", (tournament, to_json(entrants), number)
        ).fetchone()
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


def insert_block(db: sqlite3.Connection, tournament: str, record: BlockRecord) -> None:
    """Write down a block, unless one of the same length or longer is there; a shorter one goes.

    A warning is logged where the same games had other results.
    """
    block = record.block
    where = (tournament, to_json(block.entrants), block.number)
    present = db.execute(f"SELECT id, games FROM {_WHICH}", where).fetchone()
    if present is not None:
        identifier, games = present
        if _played_otherwise(db, identifier, record):
            _log.warning(
                "a block of %s was played twice, with different results: one of them does not "
                "play the same game for the same seed",
                " and ".join(block.entrants),
            )
        if games >= len(block.fixtures):
            return
        db.execute("DELETE FROM games WHERE block = ?", (identifier,))
        db.execute("DELETE FROM blocks WHERE id = ?", (identifier,))
    inserted = db.execute(
        "INSERT INTO blocks (tournament, entrants, number, games, isolation, voids) "
        f"VALUES ({ITS_ID}, ?, ?, ?, ?, ?)",
        (*where, len(record.games), record.isolation, to_json(record.voids)),
    ).lastrowid
    assert inserted is not None
    if record.origin is not None:
        insert_origin(db, inserted, record.origin)
    rows = [(inserted, position, *to_row(game)) for position, game in enumerate(record.games)]
    marks = ", ".join("?" * len(rows[0]))
    db.executemany(f"INSERT INTO games (block, position, {GAME_COLUMNS}) VALUES ({marks})", rows)


def _played_otherwise(db: sqlite3.Connection, block: int, record: BlockRecord) -> bool:
    """Return whether a recorded block has another result of some game."""
    results = {game.fixture.id: (game.result, *game.tallies) for game in record.games}
    rows = db.execute(
        "SELECT id, result, first_turns, first_shots, first_hits, second_turns, second_shots, "
        "second_hits FROM games WHERE block = ?",
        (block,),
    )
    return any(
        game in results and results[game] != (result, Tally(*tallies[:3]), Tally(*tallies[3:]))
        for game, result, *tallies in rows
    )
