"""Reads games of a record from the newest on, or a page of them, without reading all."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct

from arena.records import BlockKey, Termination
from arena.rules import Result, Seat
from arena.store.game_rows import from_json, to_json
from arena.store.record_file import RecordFile
from arena.store.schema import ITS_ID, RESULTS

_COLUMNS = "games.id, first, second, result, termination, forfeit, first_turns, second_turns, block"


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


class RecentGames(RecordFile):
    """The newest games of a record, and pages of all."""

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
                f"SELECT {_COLUMNS} FROM games WHERE block = ? ORDER BY position DESC", (block,)
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
