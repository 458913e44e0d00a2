"""An open record file."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from msgspec.structs import replace

from arena.errors import RecordError
from arena.origin import Origin
from arena.records import BlockKey, BlockRecord, Game, Outcome, Void
from arena.rules import Rules
from arena.store.blocks import insert_block, select_blocks
from arena.store.database import make_or_open, open_to_read, transaction, trouble
from arena.store.identity import Tournament, difference
from arena.store.looks import Look, insert_look, select_looks
from arena.store.luck import Luck, insert_luck, select_luck
from arena.store.origins import origins_of, origins_of_timeouts
from arena.store.parts import Commission, insert_commission, select_commission
from arena.store.recent import (
    Summary,
    newest_block,
    newest_blocks,
    page_of_results,
    recent_games,
)
from arena.store.rows import from_json, to_game, to_json
from arena.store.schema import GAME_COLUMNS, GAME_ORDER, ITS_ID, RESULTS
from arena.store.tournaments import (
    insert_entrants,
    insert_tournament,
    select_names,
    select_tournament,
)

_ITS_GAMES = f"games WHERE block IN (SELECT id FROM blocks WHERE tournament = {ITS_ID})"


class Store:
    """An open record file. Use it in a ``with`` statement.

    Args:
        path: The file.
        create: Whether to open it for writing and create it if missing; otherwise it is only read
            and must exist.

    Raises:
        RecordError: If it cannot be opened, is not a record, or has an unknown schema version;
            inside the ``with`` statement also if it cannot be read or written. What was committed
            is safe.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        self.path = path
        self._db = make_or_open(path) if create else open_to_read(path)

    def __enter__(self) -> Self:
        """Return the store itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file; an SQLite error becomes a ``RecordError``."""
        self._db.close()
        if isinstance(error, sqlite3.Error):
            raise trouble(self.path, error) from error

    def tournament_names(self) -> list[str]:
        """Return the names of the tournaments in the file, oldest first."""
        return select_names(self._db)

    def enter(self, tournament: Tournament) -> None:
        """Record a tournament, or check that the one of the same name is identical.

        Raises:
            RecordError: If the file has another tournament of that name; the message says what
                differs.
        """
        with transaction(self._db):
            if tournament.name not in self.tournament_names():
                insert_tournament(self._db, tournament)
        self._refuse_another(tournament)

    def resumed(self, tournament: Tournament) -> Tournament:
        """Return a tournament with the size of blocks that it has in the file, if it is there."""
        if tournament.name not in self.tournament_names():
            return tournament
        return replace(tournament, block_pairs=self.tournament(tournament.name).block_pairs)

    def extend(self, tournament: Tournament) -> None:
        """Record a tournament that entrants join one by one, adding the new ones.

        Raises:
            RecordError: If the file has another tournament of that name; the message says what
                differs.
        """
        with transaction(self._db):
            if tournament.name not in self.tournament_names():
                insert_tournament(self._db, tournament)
            there = self.tournament(tournament.name).entrants
            present = {entrant.name for entrant in there}
            new = [entrant for entrant in tournament.entrants if entrant.name not in present]
            insert_entrants(self._db, tournament.name, new)
            named = {entrant.name for entrant in tournament.entrants}
            absent = tuple(entrant for entrant in there if entrant.name not in named)
            self._refuse_another(replace(tournament, entrants=(*tournament.entrants, *absent)))

    def _refuse_another(self, tournament: Tournament) -> None:
        found = self.tournament(tournament.name)
        if found.derivation != tournament.derivation:
            raise RecordError(
                f"record {self.path}: tournament '{tournament.name}' was played by an older "
                "Salvo that derived seeds differently: it can be shown and rated, but not "
                "extended; give this one another name with --tournament"
            )
        other = difference(found, tournament)
        if other is not None:
            raise RecordError(
                f"record {self.path}: its tournament '{tournament.name}' differs in {other}; "
                "give this one another name with --tournament"
            )

    def tournament(self, name: str | None = None) -> Tournament:
        """Return the tournament of a name, or the newest; games of people only if it has no other.

        Raises:
            RecordError: If there is none.
        """
        found = select_tournament(self._db, name)
        if found is None:
            known = ", ".join(self.tournament_names()) or "none"
            raise RecordError(
                f"record {self.path}: no tournament '{name}'; the file has: {known}"
                if name is not None
                else f"record {self.path}: no tournament was played yet; run `salvo tournament`"
            )
        return found

    def played(self, tournament: str) -> dict[tuple[tuple[str, ...], int], int]:
        """Return the number of recorded games of each block, by entrants and number."""
        rows = self._db.execute(
            f"SELECT entrants, number, games FROM blocks WHERE tournament = {ITS_ID}",
            (tournament,),
        )
        return {
            (from_json(entrants, tuple[str, ...]), number): games
            for entrants, number, games in rows
        }

    def outcomes(self, tournament: str, key: BlockKey) -> list[Outcome]:
        """Return the outcomes of a block's recorded games, in the order of the block."""
        rows = self._db.execute(
            "SELECT first, second, pair, result FROM games WHERE block = (SELECT id FROM blocks "
            f"WHERE tournament = {ITS_ID} AND entrants = ? AND number = ?) ORDER BY position",
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

    def origins(self, tournament: str) -> list[Origin]:
        """Return where the blocks of a tournament come from; older records do not say."""
        return origins_of(self._db, tournament)

    def origins_of_timeouts(self, tournament: str) -> list[Origin]:
        """Return where each game comes from that was lost by time."""
        return origins_of_timeouts(self._db, tournament)

    def blocks(self, tournament: str, keys: Iterable[BlockKey]) -> Iterator[BlockRecord]:
        """Yield some blocks of a tournament as they were committed, those that are there."""
        return select_blocks(self._db, tournament, keys)

    def commission(self, tournament: str) -> Commission | None:
        """Return what a shard was asked to play, or None if this is no record of a shard."""
        return select_commission(self._db, tournament)

    def note_commission(self, tournament: str, asked: Commission) -> None:
        """Commit what a shard is asked to play."""
        with transaction(self._db):
            insert_commission(self._db, tournament, asked)

    def isolation_levels(self, tournament: str) -> list[str]:
        """Return the distinct isolation levels, as JSON, recorded for a tournament's blocks."""
        rows = self._db.execute(
            f"SELECT DISTINCT isolation FROM blocks WHERE tournament = {ITS_ID} ORDER BY isolation",
            (tournament,),
        )
        return [level for (level,) in rows]

    def add(self, tournament: Tournament, record: BlockRecord) -> None:
        """Commit a block; once this returns, it is safe on disk.

        It replaces a shorter record of the same block, which holds the first of its games. One of
        the same length or longer stays, so that two runs may play the same tournament at once.
        """
        self.add_all(tournament, [record])

    def add_all(self, tournament: Tournament, records: Iterable[BlockRecord]) -> None:
        """Commit blocks, all of them or none; see ``add``."""
        with transaction(self._db):
            for record in records:
                insert_block(self._db, tournament.name, record)

    def games(self, tournament: str) -> Iterator[Game]:
        """Yield the games of a tournament, in an order that does not depend on how it was run."""
        rows = self._db.execute(
            f"SELECT {GAME_COLUMNS} FROM {_ITS_GAMES} ORDER BY {GAME_ORDER}",
            (tournament,),
        )
        return map(to_game, rows)

    def each_game(self, tournament: str) -> Iterator[Game]:
        """Yield the games of a tournament in the order of the file, without sorting them first."""
        rows = self._db.execute(f"SELECT {GAME_COLUMNS} FROM {_ITS_GAMES}", (tournament,))
        return map(to_game, rows)

    def results(self, tournament: str) -> Iterator[tuple[Any, ...]]:
        """Yield ``RESULT_COLUMNS`` of each game, for tables, in the same order as ``games``."""
        return self._db.execute(
            f"SELECT {RESULTS} FROM games JOIN blocks ON games.block = blocks.id "
            f"WHERE tournament = {ITS_ID} ORDER BY {GAME_ORDER}",
            (tournament,),
        )

    def stderr(self, tournament: str) -> dict[str, str]:
        """Return what bots had written to stderr before they forfeited, by the ids of the games."""
        rows = self._db.execute(
            f"SELECT id, stderr FROM {_ITS_GAMES} AND stderr != '' ORDER BY {GAME_ORDER}",
            (tournament,),
        )
        return dict(rows.fetchall())

    def looks(self, tournament: str) -> list[Look]:
        """Return at which sizes a tournament was rated, oldest first."""
        return select_looks(self._db, tournament)

    def note_look(self, tournament: str, look: Look) -> None:
        """Commit that a tournament was rated."""
        with transaction(self._db):
            insert_look(self._db, tournament, look)

    def luck(self, tournament: str, version: int) -> dict[str, Luck]:
        """Return the luck of the solo games of a tournament, by their ids, as far as it is kept."""
        return select_luck(self._db, tournament, version)

    def games_without_luck(self, tournament: str, version: int) -> list[Game]:
        """Return the solo games of a tournament whose luck is not kept yet."""
        known = self.luck(tournament, version)
        return [
            game
            for game in self.games(tournament)
            if game.fixture.second is None and game.fixture.id not in known
        ]

    def keep_luck(self, found: Iterable[tuple[str, Luck]], version: int) -> None:
        """Commit the luck of some games.

        Args:
            found: The id of each game, and its luck.
            version: Of what worked it out.
        """
        with transaction(self._db):
            insert_luck(self._db, found, version)

    def newest_games(self, prefix: str, most: int) -> list[tuple[str, str, str | None]]:
        """Return id, first and second of games whose id begins with ``prefix``, newest first."""
        rows = self._db.execute(
            "SELECT id, first, second FROM games WHERE id >= ?1 AND id < ?1 || 'g' "
            "ORDER BY rowid DESC LIMIT ?2",
            (prefix, most),
        )
        return rows.fetchall()

    def newest_block(self) -> int:
        """Return a number that grows with every block that is committed, 0 before the first."""
        return newest_block(self._db)

    def newest_blocks(self, tournament: str) -> Iterator[tuple[int, BlockKey]]:
        """Yield the blocks of a tournament, newest first; see ``arena.store.recent``."""
        return newest_blocks(self._db, tournament)

    def page_of_results(
        self, tournament: str, *, after: int, most: int
    ) -> tuple[int | None, list[tuple[Any, ...]]]:
        """Return the results of some blocks after one; see ``arena.store.recent``."""
        return page_of_results(self._db, tournament, after=after, most=most)

    def recent_games(
        self,
        tournament: str,
        *,
        entrants: Collection[str] | None = None,
        before: int | None = None,
        most: int,
    ) -> list[Summary]:
        """Return games of a tournament, newest first; see ``arena.store.recent``."""
        return recent_games(self._db, tournament, entrants=entrants, before=before, most=most)

    def game(self, prefix: str) -> tuple[Game, Rules]:
        """Return the game whose id begins with ``prefix``, and its rules.

        Raises:
            RecordError: If no game has such an id, or several have.
        """
        rows = self._db.execute(
            f"SELECT {GAME_COLUMNS}, block FROM games WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2",
            (prefix,),
        ).fetchall()
        if len(rows) != 1:
            what = "no game has" if not rows else "several games have"
            raise RecordError(
                f"record {self.path}: {what} an id that begins with '{prefix}'; "
                "`salvo games` lists them"
            )
        *row, block = rows[0]
        [[rules]] = self._db.execute(
            "SELECT rules FROM tournaments WHERE id = (SELECT tournament FROM blocks WHERE id = ?)",
            (block,),
        )
        return to_game(row), from_json(rules, Rules)
