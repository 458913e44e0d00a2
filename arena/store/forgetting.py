"""Forgets who entrants were: their games stay, under other names."""

import hashlib
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.json import decode
from msgspec.structs import replace

from arena.checksums import checksum, games_checksum, with_checksum
from arena.entrants import Entrant
from arena.errors import RecordError
from arena.isolation import Program
from arena.records import BlockRecord
from arena.store.block_table import BlockTable
from arena.store.checked_blocks import Head
from arena.store.game_rows import Row, to_json
from arena.store.record_file import PATIENCE_S, RETRY_S, transaction
from arena.store.row_checksums import head_checksum_of, tournament_checksum
from arena.store.schema import CHECKED_COLUMNS, FACTS, ITS_ID, Facts
from arena.store.tournament_table import Tournament, TournamentTable
from arena.text import map_texts, with_names

FORGOTTEN = "its data were deleted"
"""What stands in place of a reason that may quote a bot whose data were deleted."""


def forgotten(name: str) -> Entrant:
    """Return the entrant of which nothing but its new name is known."""
    return Entrant(name, Program((), "", ()), hashlib.sha256(name.encode()).hexdigest())


def is_forgotten(entrant: Entrant) -> bool:
    """Return whether the data of an entrant were deleted."""
    return entrant.digest == forgotten(entrant.name).digest


class ForgettingTable(TournamentTable, BlockTable):
    """The tournaments and blocks of a record, whose entrants can be forgotten."""

    def check_results(self) -> None:
        """Compare all but the moves of games with their checksums.

        Raises:
            RecordError: If anything is damaged.
        """
        self.check()
        for tournament in self.tournament_names():
            self.tournament(tournament)
            deque(self._rows_of(tournament, order="blocks.id, games.rowid"), maxlen=0)

    def forget(self, names: Mapping[str, str]) -> None:
        """Give entrants other names in all tournaments, and drop what is known of them.

        That is the hash of their content, how they were started, how they introduced themselves,
        what they wrote to stderr, reported, or may be quoted with. Results and moves stay. What is
        rewritten has been compared with its checksums; all is committed, or nothing.

        Args:
            names: The new names, by those in the record. Names that no tournament has do no harm.

        Raises:
            RecordError: If a part that would be rewritten is damaged.
        """
        with transaction(self._db):
            for tournament in self.tournament_names():
                self._forget_in(tournament, names)

    def compact(self) -> None:
        """Write the file anew, so that nothing that was deleted can be read from it any more.

        Raises:
            RecordError: If others keep it from that for half a minute.
        """
        if not compact(self._db):
            raise RecordError(
                f"record {self.path}: other programs read it all the time, and what was deleted "
                "is still in a file beside it; end them, and run the same command again"
            )

    def _forget_in(self, tournament: str, names: Mapping[str, str]) -> None:
        found = self.tournament(tournament)  # compared with its checksum
        self._rename_files(found, names)
        here = {entrant.name for entrant in found.entrants}
        for head in [
            one for one in self._heads_of(tournament) if not names.keys().isdisjoint(one.key[0])
        ]:
            self._forget_in_block(head, names)
        self._forget_in_outages(tournament, names)
        if found.gauntlet is not None and found.gauntlet in names:
            self._db.execute(
                "UPDATE tournaments SET gauntlet = ? WHERE name = ?",
                (names[found.gauntlet], tournament),
            )
        for old in sorted(here & names.keys()):
            self._rename_entrant(tournament, old, names[old], is_there=names[old] in here)
        [[identifier]] = self._db.execute(f"SELECT {ITS_ID}", (tournament,))
        self._db.execute(
            "UPDATE tournaments SET checksum = ? WHERE id = ?",
            (tournament_checksum(self._db, identifier), identifier),
        )

    def _rename_files(self, tournament: Tournament, names: Mapping[str, str]) -> None:
        """Rename the files of others, who may play a copy of what one of them submitted."""
        words = _words(names)
        for entrant in tournament.entrants:
            told = to_json(entrant.program)
            new = to_json(map_texts(decode(told), lambda text: with_names(text, words)))
            if new != told:
                self._db.execute(
                    f"UPDATE entrants SET program = ? WHERE tournament = {ITS_ID} AND name = ?",
                    (new, tournament.name, entrant.name),
                )

    def _rename_entrant(self, tournament: str, old: str, new: str, *, is_there: bool) -> None:
        which = f"WHERE tournament = {ITS_ID} AND name = ?"
        if is_there:  # by one who was told of the new name before the record was
            self._db.execute(f"DELETE FROM entrants {which}", (tournament, old))
            return
        entrant = forgotten(new)
        self._db.execute(
            f"UPDATE entrants SET name = ?, digest = ?, program = ? {which}",
            (new, entrant.digest, to_json(entrant.program), tournament, old),
        )

    def _forget_in_block(self, head: Head, names: Mapping[str, str]) -> None:
        rows = [_forgotten_row(row, names) for row in self._rows(head)]
        self._db.executemany(
            "UPDATE games SET first = ?, second = ?, reason = ?, stderr = ? WHERE id = ?",
            [(row.first, row.second, row.reason, row.stderr, row.id) for row, _ in rows],
        )
        entrants, number = head.key
        values = (
            to_json(sorted(names.get(name, name) for name in entrants)),
            number,
            head.games,
            head.isolation,
            to_json([_forgotten_void(void, names) for void in decode(head.voids)]),
            None if head.origin is None else to_json(_forgotten_origin(decode(head.origin), names)),
        )
        of_games = games_checksum([(*row, moves) for row, moves in rows])
        self._db.execute(
            "UPDATE blocks SET entrants = ?, voids = ?, games_checksum = ?, checksum = ? "
            "WHERE id = ?",
            (values[0], values[4], of_games, head_checksum_of(values, of_games), head.id),
        )
        if head.origin is not None:
            row = (values[5], head.id)
            self._db.execute("UPDATE origins SET origin = ? WHERE block = ?", row)
        if self._has_table("reported"):
            new = set(names.values())
            self._db.executemany(
                "DELETE FROM reported WHERE game = ? AND seat = ?",
                [
                    (row.id, seat)
                    for row, _ in rows
                    for seat, name in (("first", row.first), ("second", row.second))
                    if name in new
                ],
            )

    def _forget_in_outages(self, tournament: str, names: Mapping[str, str]) -> None:
        """Keep of the outages that one of them had nothing, and of others that there was one."""
        if not self._has_table("outages"):
            return
        rows = self._db.execute(
            f"SELECT rowid, entrant, part, checksum FROM outages WHERE tournament = {ITS_ID}",
            (tournament,),
        ).fetchall()
        for rowid, *row in rows:
            entrant, packed = self._row(row, "a block that was broken off")
            part = msgspec.msgpack.decode(packed, type=BlockRecord)
            if names.keys().isdisjoint(part.block.entrants):
                continue
            if entrant in names:
                self._db.execute("DELETE FROM outages WHERE rowid = ?", (rowid,))
                continue
            new = (entrant, msgspec.msgpack.encode(_without_games(part, names)))
            self._db.execute(
                "UPDATE outages SET part = ?, checksum = ? WHERE rowid = ?",
                (new[1], checksum(*new), rowid),
            )


def _forgotten_row(row: Row, names: Mapping[str, str]) -> tuple[Facts, bytes]:
    """Return a game without what is to be forgotten, and the checksum of its moves."""
    game, moves = Facts(*row[: len(FACTS)]), row[len(CHECKED_COLUMNS) - 1]
    loser = {"first": game.first, "second": game.second}.get(str(game.forfeit))
    is_own = loser in names
    return game._replace(
        first=names.get(game.first, game.first),
        second=None if game.second is None else names.get(game.second, game.second),
        reason=FORGOTTEN if is_own else with_names(game.reason, _words(names)),
        stderr="" if is_own else with_names(game.stderr, _words(names)),
    ), moves


def _forgotten_void(void: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    if void["entrant"] in names:
        return {**void, "entrant": names[void["entrant"]], "reason": FORGOTTEN}
    return {**void, "reason": with_names(void["reason"], _words(names))}


def _words(names: Mapping[str, str]) -> dict[str, str]:
    """Return the names as others would write them: without the version that a league adds."""
    return {old.partition("@")[0]: new.partition("@")[0] for old, new in names.items()}


def _forgotten_origin(origin: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    said = origin.get("introduced", {})
    return {**origin, "introduced": {name: said[name] for name in said if name not in names}}


def _without_games(part: BlockRecord, names: Mapping[str, str]) -> BlockRecord:
    entrants: Sequence[str] = sorted(names.get(name, name) for name in part.block.entrants)
    block = replace(part.block, entrants=tuple(entrants), fixtures=())
    return with_checksum(replace(part, block=block, games=(), voids=part.voids[-1:], origin=None))


def compact(db: Any) -> bool:  # noqa: ANN401 - of any class of connection
    """Write the file of a database anew, and return whether nothing of the old one is left.

    Otherwise others read it all the time, and pages of the old one stay in the file beside it.
    """
    db.execute("VACUUM")
    deadline = time.monotonic() + PATIENCE_S
    while True:
        [[busy, *_]] = db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if not busy:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(RETRY_S)
