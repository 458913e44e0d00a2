"""Reads and writes the tables that not every record has.

Each is made when it is first needed, so that records without it stay as they were.
"""

from collections.abc import Iterable
from typing import NamedTuple

import msgspec
from msgspec import Struct

from arena.checksums import checksum
from arena.origin import Origin
from arena.records import BlockRecord, Game, Shard
from arena.rules import Seat
from arena.store.game_rows import Row, to_json
from arena.store.record_file import RecordFile, transaction
from arena.store.schema import ITS_ID

_LOOKS = """
CREATE TABLE IF NOT EXISTS looks (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    pairs INTEGER NOT NULL,
    rule TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (tournament, pairs, rule)
)"""

_SOLO_LUCK = """
CREATE TABLE IF NOT EXISTS solo_luck (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    version INTEGER NOT NULL,
    turns REAL NOT NULL,
    log_e_values TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (game, version)
)"""

_SHARDS = """
CREATE TABLE IF NOT EXISTS shards (
    tournament INTEGER PRIMARY KEY REFERENCES tournaments,
    number INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    games INTEGER NOT NULL,
    layouts INTEGER NOT NULL,
    checksum BLOB NOT NULL
)"""

_ORIGINS = """
CREATE TABLE IF NOT EXISTS origins (
    block INTEGER PRIMARY KEY REFERENCES blocks ON DELETE CASCADE,
    origin TEXT NOT NULL
)"""


_OUTAGES = """
CREATE TABLE IF NOT EXISTS outages (
    tournament INTEGER NOT NULL REFERENCES tournaments,
    entrant TEXT NOT NULL,
    part BLOB NOT NULL,
    checksum BLOB NOT NULL
)"""

_REPORTED = """
CREATE TABLE IF NOT EXISTS reported (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE,
    seat TEXT NOT NULL,
    numbers TEXT NOT NULL,
    checksum BLOB NOT NULL,
    PRIMARY KEY (game, seat)
)"""


class Look(Struct, frozen=True):
    """The size of a tournament when it was rated.

    Whoever adds games until something is significant finds differences that are not there. So a
    record remembers at which sizes it was looked at.

    Attributes:
        pairs: How many pairs of games a pairing (or a bot, where bots are not all to meet) had
            been asked for.
        rule: The sequential test that ended the games, in words; empty where their number was
            fixed beforehand.
    """

    pairs: int
    rule: str = ""


class Luck(NamedTuple):
    """The luck in a solo game, kept beside it so that it is computed once.

    The record does not know what luck is: some numbers a game, and the version of what computed
    them.

    Attributes:
        turns: By how many turns it made the game longer.
        log_e_values: How far it speaks against chance: natural logarithms of e-values.
    """

    turns: float
    log_e_values: tuple[float, ...]


class ExtraTables(RecordFile):
    """The tables of a record that are made when they are first needed."""

    def looks(self, tournament: str) -> list[Look]:
        """Return at which sizes a tournament was rated, oldest first."""
        if not self._has_table("looks"):
            return []
        self._check_table("looks")
        rows = self._db.execute(
            f"SELECT pairs, rule, checksum FROM looks WHERE tournament = {ITS_ID} ORDER BY rowid",
            (tournament,),
        )
        return [Look(*self._row(row, "the list of looks at it")) for row in rows]

    def note_look(self, tournament: str, look: Look) -> None:
        """Commit that a tournament was rated; the same look twice is one."""
        with transaction(self._db):
            self._db.execute(_LOOKS)
            self._db.execute(
                "INSERT OR IGNORE INTO looks (tournament, pairs, rule, checksum) "
                f"VALUES ({ITS_ID}, ?, ?, ?)",
                (tournament, look.pairs, look.rule, checksum(look.pairs, look.rule)),
            )

    def luck(self, tournament: str, version: int) -> dict[str, Luck]:
        """Return the luck of the solo games of a tournament, by their ids, as far as it is kept."""
        if not self._has_table("solo_luck"):
            return {}
        rows = self._db.execute(
            "SELECT game, version, turns, log_e_values, solo_luck.checksum "
            "FROM solo_luck JOIN games ON game = games.id "
            f"JOIN blocks ON games.block = blocks.id WHERE version = ? AND tournament = {ITS_ID}",
            (version, tournament),
        )
        decode = msgspec.json.Decoder(tuple[float, ...]).decode
        found = {}
        for row in rows:
            game, _, turns, log_e_values = self._row(row, "the luck of a game")
            found[game] = Luck(turns, decode(log_e_values))
        return found

    def keep_luck(self, found: Iterable[tuple[str, Luck]], version: int) -> None:
        """Commit the luck of games, by id, with the version of what computed it.

        Where it is there already, it stays.
        """
        with transaction(self._db):
            self._db.execute(_SOLO_LUCK)
            rows = [(game, version, one.turns, to_json(one.log_e_values)) for game, one in found]
            self._db.executemany(
                "INSERT OR IGNORE INTO solo_luck (game, version, turns, log_e_values, checksum) "
                "VALUES (?, ?, ?, ?, ?)",
                [(*row, checksum(*row)) for row in rows],
            )

    def shard(self, tournament: str) -> Shard | None:
        """Return which shard of a tournament the record holds, or None if it holds no shard."""
        if not self._has_table("shards"):
            return None
        row = self._db.execute(
            "SELECT number, parts, games, layouts, checksum FROM shards "
            f"WHERE tournament = {ITS_ID}",
            (tournament,),
        ).fetchone()
        return None if row is None else Shard(*self._row(row, "the note which shard it holds"))

    def note_shard(self, tournament: str, shard: Shard) -> None:
        """Commit which shard the record is to hold, in place of what it said before."""
        row = (shard.number, shard.of, shard.games, shard.layouts)
        with transaction(self._db):
            self._db.execute(_SHARDS)
            self._db.execute(
                "INSERT OR REPLACE INTO shards (tournament, number, parts, games, layouts, "
                f"checksum) VALUES ({ITS_ID}, ?, ?, ?, ?, ?)",
                (tournament, *row, checksum(*row)),
            )

    def outages(self, tournament: str) -> list[BlockRecord]:
        """Return the blocks that outages broke off, as far as they had come, oldest first.

        The last void game of each says whose outage it was.
        """
        if not self._has_table("outages"):
            return []
        rows = self._db.execute(
            "SELECT entrant, part, checksum FROM outages "
            f"WHERE tournament = {ITS_ID} ORDER BY rowid",
            (tournament,),
        )
        parts = [self._row(row, "a block that was broken off")[1] for row in rows]
        return [msgspec.msgpack.decode(part, type=BlockRecord) for part in parts]

    def note_outage(self, tournament: str, part: BlockRecord) -> None:
        """Commit what there is of a block that an outage broke off."""
        row = (part.voids[-1].entrant, msgspec.msgpack.encode(part))
        with transaction(self._db):
            self._db.execute(_OUTAGES)
            self._db.execute(
                "INSERT INTO outages (tournament, entrant, part, checksum) "
                f"VALUES ({ITS_ID}, ?, ?, ?)",
                (tournament, *row, checksum(*row)),
            )

    def reported(self, tournament: str) -> list[tuple[str, dict[str, float]]]:
        """Return the numbers that bots reported of themselves, of each game with the bot's name."""
        if not self._has_table("reported"):
            return []
        rows = self._db.execute(
            "SELECT iif(seat = 'first', first, second), game, seat, numbers, reported.checksum "
            "FROM reported JOIN games ON game = games.id JOIN blocks ON games.block = blocks.id "
            f"WHERE tournament = {ITS_ID} ORDER BY game, seat",
            (tournament,),
        )
        return [(bot, self._numbers(row)[1]) for bot, *row in rows]

    def _reported(self, game: str) -> dict[Seat, dict[str, float]]:
        """Return the numbers that bots reported of themselves in a game, by seat."""
        if not self._has_table("reported"):
            return {}
        rows = self._db.execute(
            "SELECT game, seat, numbers, checksum FROM reported WHERE game = ? ORDER BY seat",
            (game,),
        )
        return dict(map(self._numbers, rows))

    def _numbers(self, row: Row) -> tuple[Seat, dict[str, float]]:
        _, seat, numbers = self._row(row, "the numbers that a bot reported")
        return seat, self._from_json(numbers, dict[str, float])

    def _insert_reported(self, games: Iterable[Game]) -> None:
        self._db.execute(_REPORTED)
        rows = [
            (game.fixture.id, seat, to_json(numbers))
            for game in games
            for seat, numbers in game.reported.items()
        ]
        self._db.executemany(
            "INSERT OR REPLACE INTO reported (game, seat, numbers, checksum) VALUES (?, ?, ?, ?)",
            [(*row, checksum(*row)) for row in rows],
        )

    def _row(self, row: Row, what: str) -> Row:
        """Return a row without its checksum, with which it was compared."""
        *values, found = row
        if found != checksum(*values):
            raise self._damaged(what)
        return values

    def _insert_origin(self, block: int, origin: Origin) -> None:
        self._db.execute(_ORIGINS)
        self._db.execute(
            "INSERT INTO origins (block, origin) VALUES (?, ?)", (block, to_json(origin))
        )
