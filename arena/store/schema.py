"""Defines the tables of a record file, and how older ones are upgraded."""

SCHEMA_VERSION = 5
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
    common_layouts INTEGER NOT NULL DEFAULT 0
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
    stderr TEXT NOT NULL DEFAULT ''
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
}
"""By version: the statements that upgrade a file to the next version."""

_COMMON = f"{_WERE_COMMON} AS common_layouts"
_IN_TENS = (
    f"CREATE TEMP VIEW tournaments AS SELECT *, 10 AS block_pairs, {_COMMON} FROM main.tournaments"
)

VIEWS = {
    1: (
        f"""
CREATE TEMP VIEW tournaments AS
SELECT id, name, kind, rules, CAST(seed AS TEXT) AS seed, settings, gauntlet, 1 AS derivation,
10 AS block_pairs, {_COMMON} FROM main.tournaments""",
        "CREATE TEMP VIEW blocks AS SELECT *, '[]' AS voids FROM main.blocks",
        "CREATE TEMP VIEW games AS SELECT *, 0 AS attempt, '' AS stderr FROM main.games",
    ),
    2: (_IN_TENS, "CREATE TEMP VIEW games AS SELECT *, '' AS stderr FROM main.games"),
    3: (_IN_TENS,),
    4: (f"CREATE TEMP VIEW tournaments AS SELECT *, {_COMMON} FROM main.tournaments",),
}
"""By version: views that show a file, opened for reading only, as one of the current version."""

GAME_COLUMNS = (
    "id, first, second, pair, first_seed, second_seed, result, termination, reason, forfeit, "
    "first_turns, first_shots, first_hits, second_turns, second_shots, second_hits, "
    "layouts, steps, attempt, stderr"
)

RESULT_COLUMNS = (
    *("id", "first", "second", "pair", "block", "result", "termination", "reason", "forfeit"),
    *("first_turns", "first_shots", "first_hits", "second_turns", "second_shots", "second_hits"),
    "second_seed",
)
RESULTS = ", ".join({"id": "games.id", "block": "number"}.get(one, one) for one in RESULT_COLUMNS)
"""``RESULT_COLUMNS`` as SQL says them of games and their blocks."""

LISTED_COLUMNS = (
    *("game", "first", "second", "pair", "layout", "winner", "termination", "turns", "reason"),
    "stderr",
)
LISTED = (
    "games.id, first, coalesce(second, ''), iif(second IS NULL, NULL, pair), "
    "iif(second IS NULL, pair, NULL), "
    "CASE result WHEN 'first' THEN first WHEN 'second' THEN coalesce(second, '') ELSE '' END, "
    "termination, max(first_turns, second_turns), reason, stderr"
)
"""``LISTED_COLUMNS`` as SQL says them of games."""

ITS_ID = "(SELECT id FROM tournaments WHERE name = ?)"
"""The id of the tournament of a name, as SQL says it."""

GAME_ORDER = (
    "second IS NOT NULL, min(first, coalesce(second, '')), max(first, coalesce(second, '')), "
    "pair, position"
)
"""Solo games first, then pairing by pairing, independent of the order of play."""
