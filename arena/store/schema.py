"""Defines the tables of a record file, and how older ones are upgraded."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from arena.rules import Result, Seat

SCHEMA_VERSION = 6
FIRST_WITH_CHECKSUMS = 6
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

_WERE_COMMON = "kind IN ('tournament', 'solo', 'swiss', 'adaptive')"
"""Until version 5 all bots of these kinds searched the same layouts; those of leagues never did."""

UPGRADES = {
    1: (
        "ALTER TABLE tournaments RENAME COLUMN seed TO number",
        "ALTER TABLE tournaments ADD COLUMN seed TEXT NOT NULL DEFAULT ''",
        "UPDATE tournaments SET seed = number",
        "ALTER TABLE tournaments DROP COLUMN number",
        "ALTER TABLE tournaments ADD COLUMN derivation INTEGER NOT NULL DEFAULT 1",
        "ALTER TABLE blocks ADD COLUMN voids TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE games ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0",
    ),
    # What a bot was is written down once, beside its name; games that are there keep their JSON.
    2: (
        "ALTER TABLE games DROP COLUMN first_digest",
        "ALTER TABLE games DROP COLUMN second_digest",
        "ALTER TABLE games ADD COLUMN stderr TEXT NOT NULL DEFAULT ''",
    ),
    3: ("ALTER TABLE tournaments ADD COLUMN block_pairs INTEGER NOT NULL DEFAULT 10",),
    4: (
        "ALTER TABLE tournaments ADD COLUMN common_layouts INTEGER NOT NULL DEFAULT 0",
        f"UPDATE tournaments SET common_layouts = {_WERE_COMMON}",
    ),
    # ``write_checksums`` then computes them.
    5: tuple(
        f"ALTER TABLE {column} BLOB NOT NULL DEFAULT x''"
        for column in (
            "tournaments ADD COLUMN checksum",
            "blocks ADD COLUMN games_checksum",
            "blocks ADD COLUMN checksum",
            "games ADD COLUMN checksum",
        )
    ),
}
"""By version: the statements that upgrade a file to the next version."""

_COMMON = f"*, {_WERE_COMMON} AS common_layouts"
_IN_TENS = f"{_COMMON}, 10 AS block_pairs"

_SHOWN: dict[int, dict[str, str]] = {
    1: {
        "tournaments": "id, name, kind, rules, CAST(seed AS TEXT) AS seed, settings, gauntlet, "
        f"1 AS derivation, 10 AS block_pairs, {_WERE_COMMON} AS common_layouts",
        "blocks": "*, '[]' AS voids",
        "games": "*, 0 AS attempt, '' AS stderr",
    },
    2: {"tournaments": _IN_TENS, "games": "*, '' AS stderr"},
    3: {"tournaments": _IN_TENS},
    4: {"tournaments": _COMMON},
    5: {},
}
"""By version and table: the columns that show it as one of version 5."""

WITH_CHECKSUMS = (
    "tournaments",
    "blocks",
    "games",
    "looks",
    "shards",
    "solo_luck",
    "outages",
    "reported",
)
"""The tables whose rows have checksums; the last five are made when they are first needed."""


def views(version: int, tables: Collection[str]) -> Iterator[str]:
    """Yield statements that show tables of an older version, opened to read, as of the current."""
    for table in tables:
        if version < FIRST_WITH_CHECKSUMS and table in WITH_CHECKSUMS:
            columns = _SHOWN[version].get(table, "*")
            none = "x'' AS checksum" + ", x'' AS games_checksum" * (table == "blocks")
            yield (
                f"CREATE TEMP VIEW {table} AS "
                f"SELECT rowid AS rowid, {columns}, {none} FROM main.{table}"
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
