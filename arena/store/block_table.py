"""Reads and writes the blocks of a record: committed whole, and read back as they were."""

import logging
import operator
from collections.abc import Iterable, Iterator

from arena.checksums import facts, games_checksum, head_checksum, with_checksum
from arena.errors import RecordError
from arena.origin import Origin
from arena.records import Block, BlockKey, BlockRecord, Outcome, Termination, Void
from arena.store.checked_blocks import CheckedBlocks, Head
from arena.store.game_rows import to_json, to_row
from arena.store.record_file import transaction
from arena.store.schema import CHECKED_COLUMNS, FACTS, GAME_COLUMNS, ITS_ID
from arena.store.tournament_table import Tournament

_log = logging.getLogger(__name__)

_OUTCOME = tuple(map(FACTS.index, ("first", "second", "pair", "result")))
_course = operator.itemgetter(
    FACTS.index("result"), slice(FACTS.index("first_turns"), FACTS.index("second_hits") + 1)
)
_WHICH = f"tournament = {ITS_ID} AND entrants = ? AND number = ?"


class BlockTable(CheckedBlocks):
    """The blocks of the tournaments of a record."""

    def played(self, tournament: str) -> dict[BlockKey, int]:
        """Return the number of recorded games of each block."""
        return {head.key: head.games for head in self._heads_of(tournament)}

    def outcomes(self, tournament: str, key: BlockKey) -> list[Outcome]:
        """Return the outcomes of a block's recorded games, in the order of the block."""
        return [
            Outcome(*map(row.__getitem__, _OUTCOME))
            for head in self._heads_at(tournament, key)
            for row in self._rows(head)
        ]

    def voids(self, tournament: str) -> list[Void]:
        """Return the void games of a tournament, one for each attempt that was broken off."""
        return [void for head in self._heads_of(tournament) for void in self._voids(head)]

    def isolation_levels(self, tournament: str) -> list[str]:
        """Return the distinct isolation levels, as JSON, recorded for a tournament's blocks."""
        return sorted({head.isolation for head in self._heads_of(tournament)})

    def origins(self, tournament: str) -> list[Origin]:
        """Return where the blocks of a tournament come from; older records do not say."""
        found = map(self._origin, self._heads_of(tournament))
        return [origin for origin in found if origin is not None]

    def origins_of_timeouts(self, tournament: str) -> list[Origin]:
        """Return where each game comes from that was lost by time."""
        rows = self._db.execute(
            "SELECT games.block FROM games JOIN blocks ON games.block = blocks.id "
            f"WHERE tournament = {ITS_ID} AND termination = ?",
            (tournament, Termination.TIMEOUT),
        )
        found = [self._origin(self._head_at(block)) for (block,) in rows]
        return [origin for origin in found if origin is not None]

    def blocks(self, tournament: str, keys: Iterable[BlockKey]) -> Iterator[BlockRecord]:
        """Yield some blocks of a tournament as they were committed, those that are there."""
        for key in keys:
            for head in self._heads_at(tournament, key):
                games = tuple(map(self._with_reported, self._rows(head, whole=True)))
                yield with_checksum(
                    BlockRecord(
                        Block(*head.key, tuple(game.fixture for game in games)),
                        games,
                        head.isolation,
                        self._voids(head),
                        self._origin(head),
                    )
                )

    def _heads_at(self, tournament: str, key: BlockKey) -> Iterator[Head]:
        """Yield the block of a key, if it is there."""
        return self._heads(_WHICH, tournament, to_json(key[0]), key[1])

    def _voids(self, head: Head) -> tuple[Void, ...]:
        return self._from_json(head.voids, tuple[Void, ...])

    def _origin(self, head: Head) -> Origin | None:
        return None if head.origin is None else self._from_json(head.origin, Origin)

    def add(self, tournament: Tournament, record: BlockRecord) -> None:
        """Commit a block; once this returns, it is safe on disk.

        It replaces a shorter record of the same block, which holds the first of its games. One of
        the same length or longer stays, so that two runs may play the same tournament at once. A
        warning is logged where the same games had other results.
        """
        self.add_all(tournament, [record])

    def add_all(self, tournament: Tournament, records: Iterable[BlockRecord]) -> None:
        """Commit blocks, all of them or none; see ``add``."""
        with transaction(self._db):
            for record in records:
                self._insert(tournament.name, record)

    def _refuse_unknown(self, tournament: str, block: Block) -> None:
        for name in block.entrants:
            known = self._db.execute(
                f"SELECT 1 FROM entrants WHERE tournament = {ITS_ID} AND name = ?",
                (tournament, name),
            )
            if known.fetchone() is None:
                raise RecordError(
                    f"record {self.path}: {block} is not kept: '{name}' is not entered in "
                    f"tournament '{tournament}', perhaps no longer; run the same command again"
                )

    def _insert(self, tournament: str, record: BlockRecord) -> None:
        block = record.block
        self._refuse_unknown(tournament, block)
        present = next(self._heads_at(tournament, block.key), None)
        if present is not None:
            if self._differs(present, record):
                _log.warning(
                    "a block of %s was played twice, with different results: one of them does not "
                    "play the same game for the same seed",
                    " and ".join(block.entrants),
                )
            if present.games >= len(block.fixtures):
                return
            self._db.execute("DELETE FROM games WHERE block = ?", (present.id,))
            self._db.execute("DELETE FROM blocks WHERE id = ?", (present.id,))
        rows = list(map(to_row, record.games))
        of_games = games_checksum([row[: len(CHECKED_COLUMNS)] for row in rows])
        checksum = head_checksum(
            block.entrants,
            block.number,
            len(rows),
            record.isolation,
            record.voids,
            record.origin,
            of_games,
        )
        if record.checksum not in (b"", checksum):
            raise RecordError(
                f"record {self.path}: {block} did not arrive as it was played, and is not kept; "
                "run the same command again"
            )
        inserted = self._db.execute(
            "INSERT INTO blocks (tournament, entrants, number, games, isolation, voids, "
            f"games_checksum, checksum) VALUES ({ITS_ID}, ?, ?, ?, ?, ?, ?, ?)",
            (
                tournament,
                to_json(block.entrants),
                block.number,
                len(rows),
                record.isolation,
                to_json(record.voids),
                of_games,
                checksum,
            ),
        ).lastrowid
        assert inserted is not None
        if record.origin is not None:
            self._insert_origin(inserted, record.origin)
        columns = ("block", "position", *GAME_COLUMNS)
        self._db.executemany(
            f"INSERT INTO games ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            [(inserted, position, *row) for position, row in enumerate(rows)],
        )
        if any(game.reported for game in record.games):
            self._insert_reported(record.games)

    def _differs(self, present: Head, record: BlockRecord) -> bool:
        found = {game.fixture.id: _course(facts(game)) for game in record.games}
        return any(row[0] in found and found[row[0]] != _course(row) for row in self._rows(present))
