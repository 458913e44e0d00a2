"""Defines the tables of a record file."""

from typing import NamedTuple

from arena.rules import Result, Seat

SCHEMA_VERSION = 6
"""Of Salvo 1.0; what was never released had those before. No number is used twice."""

APPLICATION_ID = 0x53414C56  # "SALV"

SCHEMA = (
    """
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    rules TEXT NOT NULL,
    seed TEXT NOT NULL,
    settings TEXT NOT NULL,
    gauntlet TEXT,
    derivation INTEGER NOT NULL DEFAULT 1,
    block_pairs INTEGER NOT NULL DEFAULT 10,
    common_layouts INTEGER NOT NULL DEFAULT 0,
    checksum BLOB NOT NULL
)""",
    """
CREATE TABLE entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    program TEXT NOT NULL,
    PRIMARY KEY (tournament, name)
)""",
    """
CREATE TABLE blocks (
    id INTEGER PRIMARY KEY,
    tournament INTEGER NOT NULL REFERENCES tournaments,
    entrants TEXT NOT NULL,
    number INTEGER NOT NULL,
    games INTEGER NOT NULL,
    isolation TEXT NOT NULL,
    voids TEXT NOT NULL DEFAULT '[]',
    games_checksum BLOB NOT NULL,
    checksum BLOB NOT NULL,
    UNIQUE (tournament, entrants, number)
)""",
    """
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    block INTEGER NOT NULL REFERENCES blocks,
    position INTEGER NOT NULL,
    first TEXT NOT NULL,
    second TEXT,
    pair INTEGER NOT NULL,
    first_seed INTEGER NOT NULL,
    second_seed INTEGER NOT NULL,
    result TEXT NOT NULL,
    termination TEXT NOT NULL,
    reason TEXT NOT NULL,
    forfeit TEXT,
    first_turns INTEGER NOT NULL,
    first_shots INTEGER NOT NULL,
    first_hits INTEGER NOT NULL,
    second_turns INTEGER NOT NULL,
    second_shots INTEGER NOT NULL,
    second_hits INTEGER NOT NULL,
    layouts BLOB NOT NULL,
    steps BLOB NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    stderr TEXT NOT NULL DEFAULT '',
    checksum BLOB NOT NULL
)""",
    "CREATE INDEX games_of_block ON games (block)",
)


class Facts(NamedTuple):
    """The columns of ``arena.checksums.facts``: a game without its layouts and moves."""

    id: str
    first: str
    second: str | None
    pair: int
    first_seed: int
    second_seed: int
    attempt: int
    result: Result
    termination: str
    reason: str
    forfeit: Seat | None
    first_turns: int
    first_shots: int
    first_hits: int
    second_turns: int
    second_shots: int
    second_hits: int
    stderr: str


FACTS = Facts._fields

CHECKED_COLUMNS = (*FACTS, "checksum")
"""The columns of games of which a block has a checksum."""

GAME_COLUMNS = (*CHECKED_COLUMNS, "layouts", "steps")

RESULT_COLUMNS = (
    *("id", "first", "second", "pair", "block", "result", "termination", "reason", "forfeit"),
    *("first_turns", "first_shots", "first_hits", "second_turns", "second_shots", "second_hits"),
    "second_seed",
)

LISTED_COLUMNS = (
    *("game", "first", "second", "pair", "layout", "winner", "termination", "turns", "reason"),
    "stderr",
)

ITS_ID = "(SELECT id FROM tournaments WHERE name = ?)"
"""The id of the tournament of a name, as SQL says it."""

GAME_ORDER = (
    "second IS NOT NULL, min(first, coalesce(second, '')), max(first, coalesce(second, '')), "
    "number, position"
)
"""Solo games first, then pairing by pairing, block by block, independent of the order of play."""
