"""Reads the games of an open record file, all or the newest."""

import operator
from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

from arena.errors import RecordError
from arena.records import BlockKey, Game, Termination
from arena.rules import Result, Rules, Seat
from arena.store.checked_blocks import Head
from arena.store.forgetting import ForgettingTable
from arena.store.record_file import snapshot
from arena.store.schema import FACTS, GAME_ORDER, ITS_ID, RESULT_COLUMNS, Facts

_RESULT = operator.itemgetter(
    # Of rows that end with the row and the number of their block.
    *(-1 if name == "block" else FACTS.index(name) for name in RESULT_COLUMNS)
)


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


class Store(ForgettingTable):
    """An open record file; see ``RecordFile``."""

    def games(self, tournament: str) -> Iterator[Game]:
        """Yield the games of a tournament, in an order that does not depend on how it was run."""
        return map(self._game, self._rows_of(tournament, whole=True))

    def each_game(self, tournament: str) -> Iterator[Game]:
        """Yield the games of a tournament in the order of the file, without sorting them first."""
        rows = self._rows_of(tournament, whole=True, order="blocks.id, games.rowid")
        return map(self._game, rows)

    def results(self, tournament: str) -> Iterator[tuple[Any, ...]]:
        """Yield ``RESULT_COLUMNS`` of each game, for tables, in the same order as ``games``."""
        return map(_RESULT, self._rows_of(tournament))

    def listed(
        self, tournament: str, *, bot: str | None = None, forfeits: bool = False
    ) -> Iterator[tuple[Any, ...]]:
        """Yield ``LISTED_COLUMNS`` of each game, for a list of games; two-player games first.

        If asked, only the games of one bot, or only forfeits.
        """
        for row in self._rows_of(tournament, order=f"second IS NULL, {GAME_ORDER}"):
            game = Facts(*row[: len(FACTS)])
            if bot in {None, game.first, game.second} and (game.forfeit or not forfeits):
                yield _listed(game)

    def stderr(self, tournament: str) -> dict[str, str]:
        """Return what bots had written to stderr before they forfeited, by the ids of the games."""
        games = (Facts(*row[: len(FACTS)]) for row in self._rows_of(tournament))
        return {game.id: game.stderr for game in games if game.stderr}

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
        with snapshot(self._db):
            return self._game_of(prefix)

    def _game_of(self, prefix: str) -> tuple[Game, Rules]:
        found = self._db.execute(
            "SELECT id, block FROM games WHERE id >= ?1 AND id < ?1 || 'g' LIMIT 2", (prefix,)
        ).fetchall()
        if len(found) != 1:
            what = "no game has" if not found else "several games have"
            raise RecordError(
                f"record {self.path}: {what} an id that begins with '{prefix}'; "
                "`salvo games` lists them"
            )
        [(identifier, block)] = found
        head = self._head_at(block)
        row = next(row for row in self._rows(head, whole=True) if row[0] == identifier)
        names = self._db.execute(
            "SELECT name FROM tournaments WHERE id = (SELECT tournament FROM blocks WHERE id = ?)",
            (block,),
        ).fetchall()
        if not names:
            raise self._damaged(str(head))
        return self._with_reported(row), self.tournament(names[0][0]).rules

    def newest_block(self) -> int:
        """Return a number that grows with every block that is committed, 0 before the first."""
        [[newest]] = self._db.execute("SELECT coalesce(max(id), 0) FROM blocks")
        return int(newest)

    def newest_blocks(self, tournament: str) -> Iterator[tuple[int, BlockKey]]:
        """Yield the number of each block of a tournament in the file, and its key, newest first."""
        for head in self._heads(f"tournament = {ITS_ID} ORDER BY id DESC", tournament):
            yield head.id, head.key

    def page_of_results(
        self, tournament: str, *, after: int, most: int
    ) -> tuple[int | None, list[tuple[Any, ...]]]:
        """Return ``RESULT_COLUMNS`` of the games in blocks after one, in the order of the file.

        The page ends after ``most`` blocks. Before its games it has the number of its last block,
        None if there was none left.
        """
        # The plus keeps SQLite from sorting all blocks of the tournament for each page.
        condition = f"+tournament = {ITS_ID} AND id > ? ORDER BY id LIMIT ?"
        heads = list(self._heads(condition, tournament, after, most))
        rows = [_RESULT((*row, head.id, head.key[1])) for head in heads for row in self._rows(head)]
        return (heads[-1].id if heads else None), rows

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
        with snapshot(self._db):
            for head in self._newest(tournament, entrants, before):
                games = (Facts(*row[: len(FACTS)]) for row in reversed(self._rows(head)))
                found += [_summary(game, head.id) for game in games]
                if len(found) >= most:
                    break
        return found

    def _newest(
        self, tournament: str, entrants: Collection[str] | None, before: int | None
    ) -> Iterator[Head]:
        condition = f"tournament = {ITS_ID} AND (?2 IS NULL OR id < ?2) ORDER BY id DESC"
        for head in self._heads(condition, tournament, before):
            if entrants is None or not set(entrants).isdisjoint(head.key[0]):
                yield head


def _summary(game: Facts, block: int) -> Summary:
    return Summary(
        id=game.id,
        first=game.first,
        second=game.second,
        result=game.result,
        termination=Termination(game.termination),
        forfeit=game.forfeit,
        turns=max(game.first_turns, game.second_turns),
        block=block,
    )


def _listed(game: Facts) -> tuple[Any, ...]:
    alone = game.second is None
    winners = {"first": game.first, "second": game.second or ""}
    return (
        game.id,
        game.first,
        game.second or "",
        None if alone else game.pair,
        game.pair if alone else None,
        winners.get(game.result, ""),
        game.termination,
        max(game.first_turns, game.second_turns),
        game.reason,
        game.stderr,
    )
