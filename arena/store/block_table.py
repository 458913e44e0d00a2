"""Reads and writes the blocks of a record: committed whole, and read back as they were."""

import logging
from collections.abc import Iterable, Iterator

from arena.records import Block, BlockKey, BlockRecord, Outcome, Tally, Void
from arena.store.extra_tables import ExtraTables
from arena.store.game_rows import from_json, to_game, to_json, to_row
from arena.store.record_file import transaction
from arena.store.schema import GAME_COLUMNS, ITS_ID
from arena.store.tournament_table import Tournament

_log = logging.getLogger(__name__)

_WHICH = f"blocks WHERE tournament = {ITS_ID} AND entrants = ? AND number = ?"
_GAMES = f"SELECT {GAME_COLUMNS} FROM games WHERE block = ? ORDER BY position"


class BlockTable(ExtraTables):
    """The blocks of the tournaments of a record."""

    def played(self, tournament: str) -> dict[BlockKey, int]:
        """Return the number of recorded games of each block."""
        rows = self._db.execute(
            f"SELECT entrants, number, games FROM blocks WHERE tournament = {ITS_ID}", (tournament,)
        )
        return {
            (from_json(entrants, tuple[str, ...]), number): games
            for entrants, number, games in rows
        }

    def outcomes(self, tournament: str, key: BlockKey) -> list[Outcome]:
        """Return the outcomes of a block's recorded games, in the order of the block."""
        rows = self._db.execute(
            "SELECT first, second, pair, result FROM games "
            f"WHERE block = (SELECT id FROM {_WHICH}) ORDER BY position",
            (tournament, to_json(key[0]), key[1]),
        )
        return [Outcome(*row) for row in rows]

    def voids(self, tournament: str) -> list[Void]:
        """Return the void games of a tournament, one for each attempt that was broken off."""
        rows = self._db.execute(
            f"SELECT voids FROM blocks WHERE tournament = {ITS_ID} AND voids != '[]' ORDER BY id",
            (tournament,),
        )
        return [void for (voids,) in rows for void in from_json(voids, list[Void])]

    def isolation_levels(self, tournament: str) -> list[str]:
        """Return the distinct isolation levels, as JSON, recorded for a tournament's blocks."""
        rows = self._db.execute(
            f"SELECT DISTINCT isolation FROM blocks WHERE tournament = {ITS_ID} ORDER BY isolation",
            (tournament,),
        )
        return [level for (level,) in rows]

    def blocks(self, tournament: str, keys: Iterable[BlockKey]) -> Iterator[BlockRecord]:
        """Yield some blocks of a tournament as they were committed, those that are there."""
        for entrants, number in keys:
            row = self._db.execute(
                f"SELECT id, isolation, voids FROM {_WHICH}",
                (tournament, to_json(entrants), number),
            ).fetchone()
            if row is None:
                continue
            block, isolation, voids = row
            games = tuple(map(to_game, self._db.execute(_GAMES, (block,))))
            yield BlockRecord(
                Block(entrants, number, tuple(game.fixture for game in games)),
                games,
                isolation,
                from_json(voids, tuple[Void, ...]),
                self._origin_of(block),
            )

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

    def _insert(self, tournament: str, record: BlockRecord) -> None:
        block = record.block
        where = (tournament, to_json(block.entrants), block.number)
        present = self._db.execute(f"SELECT id, games FROM {_WHICH}", where).fetchone()
        if present is not None:
            identifier, games = present
            if self._differs(identifier, record):
                _log.warning(
                    "a block of %s was played twice, with different results: one of them does not "
                    "play the same game for the same seed",
                    " and ".join(block.entrants),
                )
            if games >= len(block.fixtures):
                return
            self._db.execute("DELETE FROM games WHERE block = ?", (identifier,))
            self._db.execute("DELETE FROM blocks WHERE id = ?", (identifier,))
        inserted = self._db.execute(
            "INSERT INTO blocks (tournament, entrants, number, games, isolation, voids) "
            f"VALUES ({ITS_ID}, ?, ?, ?, ?, ?)",
            (*where, len(record.games), record.isolation, to_json(record.voids)),
        ).lastrowid
        assert inserted is not None
        if record.origin is not None:
            self._insert_origin(inserted, record.origin)
        rows = [(inserted, position, *to_row(game)) for position, game in enumerate(record.games)]
        marks = ", ".join("?" * len(rows[0]))
        self._db.executemany(
            f"INSERT INTO games (block, position, {GAME_COLUMNS}) VALUES ({marks})", rows
        )

    def _differs(self, block: int, record: BlockRecord) -> bool:
        results = {game.fixture.id: (game.result, *game.tallies) for game in record.games}
        rows = self._db.execute(
            "SELECT id, result, first_turns, first_shots, first_hits, second_turns, second_shots, "
            "second_hits FROM games WHERE block = ?",
            (block,),
        )
        return any(
            game in results and results[game] != (result, Tally(*tallies[:3]), Tally(*tallies[3:]))
            for game, result, *tallies in rows
        )
