"""Reads the games of an open record file."""

from collections.abc import Iterator
from typing import Any

from arena.errors import RecordError
from arena.records import Game
from arena.rules import Rules
from arena.store.block_table import BlockTable
from arena.store.game_rows import from_json, to_game
from arena.store.recent import RecentGames
from arena.store.schema import GAME_COLUMNS, GAME_ORDER, ITS_ID, RESULTS
from arena.store.tournament_table import TournamentTable

_ITS_GAMES = f"games WHERE block IN (SELECT id FROM blocks WHERE tournament = {ITS_ID})"


class Store(TournamentTable, BlockTable, RecentGames):
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
