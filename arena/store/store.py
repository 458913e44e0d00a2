"""Reads the games of an open record file, all or the newest."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct

from arena.errors import RecordError
from arena.records import BlockKey, Game, Termination
from arena.rules import Result, Rules, Seat
from arena.store.block_table import BlockTable
from arena.store.game_rows import from_json, to_game, to_json
from arena.store.schema import GAME_COLUMNS, GAME_ORDER, ITS_ID, LISTED, RESULTS
from arena.store.tournament_table import TournamentTable

_SUMMARY = "games.id, first, second, result, termination, forfeit, first_turns, second_turns, block"
_ITS_GAMES = f"games WHERE block IN (SELECT id FROM blocks WHERE tournament = {ITS_ID})"


class Summary(Struct, frozen=True):
    """A game as a line in a list; blocks of greater numbers were finished later."""

    id: str
    first: str
    second: str | None
    result: Result
    termination: Termination
    forfeit: Seat | None
    turns: int
    block: int


class Store(TournamentTable, BlockTable):
    """An open record file; see ``RecordFile``."""

    def games(self, tournament: str) -> Iterator[Game]:
        """Yield the games of a tournament, in an order that does not depend on how it was run."""
        rows = self._db.execute(
            f"SELECT {GAME_COLUMNS} FROM {_ITS_GAMES} ORDER BY {GAME_ORDER}", (tournament,)
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

    def listed(
        self, tournament: str, *, bot: str | None = None, forfeits: bool = False
    ) -> Iterator[tuple[Any, ...]]:
        """Yield ``LISTED_COLUMNS`` of each game, for a list of games; two-player games first.

        If asked, only the games of one bot, or only forfeits.
        """
        return self._db.execute(
            f"SELECT {LISTED} FROM {_ITS_GAMES} AND (?2 IS NULL OR ?2 IN (first, second)) "
            f"AND (NOT ?3 OR forfeit IS NOT NULL) ORDER BY second IS NULL, {GAME_ORDER}",
            (tournament, bot, forfeits),
        )

    def stderr(self, tournament: str) -> dict[str, str]:
        """Return what bots had written to stderr before they forfeited, by the ids of the games."""
        rows = self._db.execute(
            f"SELECT id, stderr FROM {_ITS_GAMES} AND stderr != '' ORDER BY {GAME_ORDER}",
            (tournament,),
        )
        return dict(rows.fetchall())

    def games_without_luck(self, tournament: str, version: int) -> list[Game]:
        """Return the solo games of a tournament whose luck is not kept yet."""
        known = self.luck(tournament, version)
        return [
            game
            for game in self.games(tournament)
            if game.fixture.second is None and game.fixture.id not in known
        ]

    def newest_games(self, prefix: str, most: int) -> list[tuple[str, str, str | None]]:
        """Return id, first and second of games whose id begins with ``prefix``, newest first."""
        rows = self._db.execute(
            "SELECT id, first, second FROM games WHERE id >= ?1 AND id < ?1 || 'g' "
            "ORDER BY rowid DESC LIMIT ?2",
            (prefix, most),
        )
        return rows.fetchall()

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

    def newest_block(self) -> int:
        """Return a number that grows with every block that is committed, 0 before the first."""
        [[newest]] = self._db.execute("SELECT coalesce(max(id), 0) FROM blocks")
        return int(newest)

    def newest_blocks(self, tournament: str) -> Iterator[tuple[int, BlockKey]]:
        """Yield the number of each block of a tournament in the file, and its key, newest first."""
        rows = self._db.execute(
            f"SELECT id, entrants, number FROM blocks WHERE tournament = {ITS_ID} ORDER BY id DESC",
            (tournament,),
        )
        for block, entrants, number in rows:
            yield block, (from_json(entrants, tuple[str, ...]), number)

    def page_of_results(
        self, tournament: str, *, after: int, most: int
    ) -> tuple[int | None, list[tuple[Any, ...]]]:
        """Return ``RESULT_COLUMNS`` of the games in blocks after one, in the order of the file.

        The page ends after ``most`` blocks. Before its games it has the number of its last block,
        None if there was none left.
        """
        blocks = self._db.execute(
            # The plus keeps SQLite from sorting all blocks of the tournament for each page.
            f"SELECT id FROM blocks WHERE +tournament = {ITS_ID} AND id > ? ORDER BY id LIMIT ?",
            (tournament, after, most),
        ).fetchall()
        rows: list[tuple[Any, ...]] = []
        for block in blocks:
            rows += self._db.execute(
                f"SELECT {RESULTS} FROM games JOIN blocks ON games.block = blocks.id "
                "WHERE block = ? ORDER BY position",
                block,
            )
        return (blocks[-1][0] if blocks else None), rows

    def recent_games(
        self,
        tournament: str,
        *,
        entrants: Collection[str] | None = None,
        before: int | None = None,
        most: int,
    ) -> list[Summary]:
        """Return games of a tournament, newest first, block by whole block.

        Only blocks with one of the entrants count, and only those whose number is below ``before``.
        No further block is begun once there are ``most`` games.
        """
        found: list[Summary] = []
        for block in self._newest(tournament, entrants, before):
            rows = self._db.execute(
                f"SELECT {_SUMMARY} FROM games WHERE block = ? ORDER BY position DESC",
                (block,),
            )
            found += map(_summary, rows)
            if len(found) >= most:
                break
        return found

    def _newest(
        self, tournament: str, entrants: Collection[str] | None, before: int | None
    ) -> Iterator[int]:
        wanted = None if entrants is None else [to_json(name) for name in entrants]
        rows = self._db.execute(
            f"SELECT id, entrants FROM blocks WHERE tournament = {ITS_ID} "
            "AND (?2 IS NULL OR id < ?2) ORDER BY id DESC",
            (tournament, before),
        )
        for block, names in rows:
            # Names stand in quotes there, so that none is taken for the end of another.
            if wanted is None or any(name in names for name in wanted):
                yield block


def _summary(row: Sequence[Any]) -> Summary:
    game, first, second, result, termination, forfeit, turns, others, block = row
    longest = max(turns, others)
    return Summary(game, first, second, result, Termination(termination), forfeit, longest, block)
