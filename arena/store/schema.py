"""The tables of a record file."""

__all__ = [
    "APPLICATION_ID",
    "GAME_COLUMNS",
    "GAME_ORDER",
    "RESULT_COLUMNS",
    "SCHEMA",
    "SCHEMA_VERSION",
]

SCHEMA_VERSION = 1
APPLICATION_ID = 0x53414C56  # "SALV"

SCHEMA = (
    """
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    rules TEXT NOT NULL,
    seed INTEGER NOT NULL,
    settings TEXT NOT NULL,
    gauntlet TEXT
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
    first_digest TEXT NOT NULL,
    second_digest TEXT,
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
    layouts TEXT NOT NULL,
    steps TEXT NOT NULL
)""",
    "CREATE INDEX games_of_block ON games (block)",
)

GAME_COLUMNS = (
    "id, first, second, pair, first_seed, second_seed, result, termination, reason, forfeit, "
    "first_turns, first_shots, first_hits, second_turns, second_shots, second_hits, "
    "layouts, steps"
)

RESULT_COLUMNS = (
    "id",
    "first",
    "second",
    "pair",
    "result",
    "termination",
    "reason",
    "forfeit",
    "first_turns",
    "first_shots",
    "first_hits",
    "second_turns",
    "second_shots",
    "second_hits",
)

GAME_ORDER = (
    "second IS NOT NULL, min(first, coalesce(second, '')), max(first, coalesce(second, '')), "
    "pair, position"
)
"""Solo games first, then pairing by pairing: an order that does not depend on the run."""
