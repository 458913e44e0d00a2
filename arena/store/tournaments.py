"""The tournaments of a record, and who takes part in them."""

import sqlite3
from collections.abc import Iterable

from arena.entrants import Entrant
from arena.store.identity import Tournament
from arena.store.rows import to_json, to_tournament
from arena.store.schema import ITS_ID


def select_names(db: sqlite3.Connection) -> list[str]:
    """Return the names of the tournaments, oldest first."""
    return [name for (name,) in db.execute("SELECT name FROM tournaments ORDER BY id")]


def select_tournament(db: sqlite3.Connection, name: str | None) -> Tournament | None:
    """Return the tournament of a name, or the newest; games of people only if it has no other."""
    row = db.execute(
        "SELECT id, name, kind, rules, seed, settings, gauntlet, derivation, block_pairs, "
        "common_layouts FROM tournaments WHERE name = ?1 OR ?1 IS NULL "
        "ORDER BY kind = 'play', id DESC LIMIT 1",
        (name,),
    ).fetchone()
    if row is None:
        return None
    entrants = db.execute(
        "SELECT name, program, digest FROM entrants WHERE tournament = ? ORDER BY rowid", row[:1]
    )
    return to_tournament(row[1:], entrants.fetchall())


def insert_tournament(db: sqlite3.Connection, tournament: Tournament) -> None:
    """Write down a tournament and its entrants."""
    db.execute(
        "INSERT INTO tournaments (name, kind, rules, seed, settings, gauntlet, derivation, "
        "block_pairs, common_layouts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            tournament.name,
            tournament.kind,
            to_json(tournament.rules),
            tournament.seed,
            to_json(tournament.settings),
            tournament.gauntlet,
            tournament.derivation,
            tournament.block_pairs,
            tournament.common_layouts,
        ),
    )
    insert_entrants(db, tournament.name, tournament.entrants)


def insert_entrants(db: sqlite3.Connection, tournament: str, entrants: Iterable[Entrant]) -> None:
    """Write down who takes part in a tournament, beside those that do already."""
    db.executemany(
        f"INSERT INTO entrants (tournament, name, digest, program) VALUES ({ITS_ID}, ?, ?, ?)",
        [
            (tournament, entrant.name, entrant.digest, to_json(entrant.program))
            for entrant in entrants
        ],
    )
