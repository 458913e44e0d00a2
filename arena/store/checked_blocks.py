"""Reads blocks and their games, and compares them with their checksums."""

import itertools
import operator
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.checksums import games_checksum
from arena.errors import RecordError
from arena.records import BlockKey, Game
from arena.store.extra_tables import ExtraTables
from arena.store.game_rows import Row, inflated, to_game
from arena.store.row_checksums import head_checksum_of, head_columns, moves_checksum_of
from arena.store.schema import CHECKED_COLUMNS, GAME_COLUMNS, GAME_ORDER, ITS_ID

_to_entrants = msgspec.json.Decoder(tuple[str, ...]).decode
_IS_CHECKED = slice(len(CHECKED_COLUMNS))
_LAYOUTS, _STEPS = range(len(CHECKED_COLUMNS), len(GAME_COLUMNS))
_SEATS = slice(1, 3)
_block_of = operator.itemgetter(-2)


class Head(Struct, frozen=True):
    """All of a block but its games."""

    id: int
    key: BlockKey
    games: int
    isolation: str
    voids: str  # as JSON
    origin: str | None  # likewise
    games_checksum: bytes

    def __str__(self) -> str:
        entrants, number = self.key
        return f"block {number} of {' and '.join(entrants)}"


class CheckedBlocks(ExtraTables):
    """The blocks of a record, each compared with its checksum as it is read.

    All raise ``RecordError`` where one is damaged.
    """

    def _heads(self, condition: str, *parameters: object) -> Iterator[Head]:
        """Yield the blocks that meet a condition."""
        columns = head_columns(has_origins=self._has_table("origins"))
        found = self._db.execute(
            f"SELECT id, games_checksum, checksum, {columns} FROM blocks WHERE {condition}",
            parameters,
        )
        with _closed_after(found):
            yield from map(self._head, found)

    def _heads_of(self, tournament: str) -> Iterator[Head]:
        """Yield the blocks of a tournament, in the order of the file."""
        self._check_table("blocks")  # a block that is lost has no checksum that could tell
        listed = self._db.execute(
            f"SELECT name FROM entrants WHERE tournament = {ITS_ID}", (tournament,)
        )
        names = {name for (name,) in listed}
        for head in self._heads(f"tournament = {ITS_ID} ORDER BY id", tournament):
            unknown = [name for name in head.key[0] if name not in names]
            if unknown:
                raise RecordError(
                    f"record {self.path}: {head}: no bot {unknown[0]!r} is entered in tournament "
                    f"'{tournament}'; restore the file from a copy"
                )
            yield head

    def _head_at(self, block: int) -> Head:
        """Return the block in a row of the file."""
        found = next(self._heads("id = ?", block), None)
        if found is None:
            raise self._damaged("a game's block")
        return found

    def _head(self, row: Row) -> Head:
        block, of_games, checksum, *head = row
        entrants, number, games, isolation, voids, origin = head
        with self._blaming(f"a block (its number may be {number})"):
            if checksum != head_checksum_of(head, of_games):
                raise ValueError
            names = _to_entrants(entrants)
        return Head(block, (names, number), games, isolation, voids, origin, of_games)

    def _rows(self, head: Head, *, whole: bool = False) -> list[Row]:
        """Return the games of a block as ``CHECKED_COLUMNS``, or all ``GAME_COLUMNS``."""
        names = ", ".join(GAME_COLUMNS if whole else CHECKED_COLUMNS)
        rows = self._db.execute(
            f"SELECT {names} FROM games WHERE block = ? ORDER BY position", (head.id,)
        ).fetchall()
        self._check_games(head, rows)
        return rows

    def _rows_of(
        self, tournament: str, *, whole: bool = False, order: str = GAME_ORDER
    ) -> Iterator[Row]:
        """Yield the games of a tournament, as ``_rows`` does, each with its block and its number.

        A game is yielded when its block was found to be intact. The order must not mix blocks.
        """
        names = ", ".join(f"games.{name}" for name in (GAME_COLUMNS if whole else CHECKED_COLUMNS))
        found = self._db.execute(
            f"SELECT {names}, blocks.id, number FROM games JOIN blocks ON games.block = blocks.id "
            f"WHERE tournament = {ITS_ID} ORDER BY {order}",
            (tournament,),
        )
        with _closed_after(found):
            yield from self._intact(tournament, found)

    def _intact(self, tournament: str, found: Iterable[Row]) -> Iterator[Row]:
        heads = {head.id: head for head in self._heads_of(tournament)}
        for block, group in itertools.groupby(found, _block_of):
            rows, head = list(group), heads.pop(block, None)
            if head is None:
                raise self._damaged("its list of blocks")
            self._check_games(head, rows)
            yield from rows
        for head in heads.values():  # those whose games are all lost
            self._check_games(head, [])

    def _check_games(self, head: Head, rows: Sequence[Row]) -> None:
        seats = {row[_SEATS] for row in rows}
        if any({*both} - {None} != set(head.key[0]) for both in seats):
            raise self._damaged(str(head))
        checked = [row[_IS_CHECKED] for row in rows]
        if len(rows) != head.games or games_checksum(checked) != head.games_checksum:
            raise self._damaged(str(head))

    def _game(self, row: Row) -> Game:
        """Return the game in a row that begins with ``GAME_COLUMNS``."""
        checked, layouts, steps = row[_IS_CHECKED], row[_LAYOUTS], row[_STEPS]
        with self._blaming(f"game {row[0]} of {' and '.join(filter(None, row[1:3]))}"):
            layouts, steps = inflated(layouts), inflated(steps)
            if checked[-1] != moves_checksum_of(row[0], layouts, steps):
                raise ValueError
        with self._not_understanding():
            return to_game(row, layouts, steps)

    def _with_reported(self, row: Row) -> Game:
        """Return the game in a row, with the numbers that bots reported in it."""
        game = self._game(row)
        return replace(game, reported=self._reported(game.fixture.id))


@contextmanager
def _closed_after(found: sqlite3.Cursor) -> Iterator[None]:
    """Close what was selected, or the file stays open where what is found raises an error."""
    try:
        yield
    finally:
        with suppress(sqlite3.ProgrammingError):  # the file was closed before, and this with it
            found.close()
