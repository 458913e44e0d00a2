"""Plays what a league still lacks, by the executors and into the record of every command."""

import logging
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from arena.errors import BotError, StorageError, UserError
from arena.executors import LocalWorkers
from arena.isolation import Choice, Level
from arena.records import Block, BlockKey, BlockRecord
from arena.store import Store
from arena.tournament import copied, play_here, refuse_readers
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import banned_names, owners
from salvo.server.database.server_database import MOST_WORKERS, Database
from salvo.server.leagues import Watched, open_league, plan_of
from salvo.server.work.backoff import Backoff
from salvo.server.work.order import Order
from salvo.server.work.shares import Shares

_LOOK_S = 0.2  # how often the operator's wishes are read
_log = logging.getLogger(__name__)


class _LeaguePlay:
    """Plays blocks of a league, also between bots that were entered since it was made."""

    def __init__(self, folder: Path, isolation: Choice) -> None:
        self._folder, self._isolation = folder, isolation

    def __call__(self, block: Block) -> BlockRecord:
        league = open_league(self._folder)
        # Asked anew for each block: a version may have been packed since it last played.
        entered = {entry.full_name: entry for entry in league.entries}
        entrants = [league.entrant(entered[name]) for name in block.entrants]
        charter = league.charter
        with copied(entrants, self._isolation.level) as copies:
            return play_here(
                charter.rules, charter.times, league.seeds, copies.bots, self._isolation
            )(block)


class _Field:
    """The games to be played, and the state of the league, as of now."""

    def __init__(self, folder: Path, isolation: Choice, store: Store, db: Database) -> None:
        self._watched = Watched(folder)
        self._isolation, self._store, self._db = isolation, store, db
        self._in_play: dict[BlockKey, Block] = {}
        self._given_up: set[BlockKey] = set()
        self._put_off: set[BlockKey] = set()
        self.backoff = Backoff()
        self._looked = 0.0
        self._rated = ""
        self._boards = Leaderboards.read(db)
        self._shares = Shares(db, self._watched.league.charter.times)
        self._banned = banned_names(db)
        self._renew()

    def _renew(self) -> None:
        league = self._watched.league
        league.extend(self._store)
        self._tournament = league.tournament()
        refuse_readers(self._tournament.entrants, self._isolation.level, {"--db": self._store.path})
        uploaded = self._isolation.level is Level.SANDBOX
        owned = owners(self._db)
        self._shares.renew(owned)
        plan = plan_of(league, owned, uploaded=uploaded)
        played = self._store.played(self._tournament.name)
        self._order = Order(plan, played, self._in_play.keys() | self._given_up | self._put_off)

    def _look(self) -> None:
        if time.monotonic() < self._looked + _LOOK_S:
            return
        self._looked = time.monotonic()
        db = self._db
        self._banned = banned_names(db)
        if self._watched.changed():
            self._renew()
        rated = db.setting("rated", "")
        if rated != self._rated:
            self._rated, self._boards = rated, Leaderboards.read(db)

    def take(self) -> Block | None:
        """Return the next block; None if there is none, or the workers are to do no more."""
        self._look()
        if self._db.setting("paused", "no") == "yes":
            return None
        # Where little can be stored, one block at a time may still find room.
        most = 1 if self.backoff.is_on else int(self._db.setting("workers", "1"))
        if len(self._in_play) >= most:
            return None
        block = self._order.next(self._boards, self._shares.minutes)
        if block is None and self._put_off:
            self._put_off.clear()
            self._renew()
            block = self._order.next(self._boards, self._shares.minutes)
        if block is None or self._has_banned(block):
            return None
        self._in_play[block.key] = block
        self._shares.begin(block)
        return block

    def is_void(self, block: Block) -> bool:
        """Return whether a block in play has a bot that the operator banned; then forget it."""
        self._look()
        void = self._has_banned(block)
        if void:
            self._forget(block)
            self._db.note(f"a block of {' and '.join(block.entrants)} is void: one is banned")
        return void

    def _has_banned(self, block: Block) -> bool:
        return any(bot.rpartition("@")[0] in self._banned for bot in block.entrants)

    def _forget(self, block: Block, record: BlockRecord | None = None) -> None:
        del self._in_play[block.key]
        self._shares.end(block, record)

    def settle(self, record: BlockRecord) -> None:
        """Commit a block, unless one of its bots was banned before this."""
        block = record.block
        with self._db.writing():  # nobody is banned while it is being committed
            self._banned = banned_names(self._db)
            void = self._has_banned(block)
            if not void:
                self._store.add(self._tournament, record)
                self._db.announce("block", bots=block.entrants, games=len(record.games))
        self._forget(block, None if void else record)
        self.backoff.succeeded()

    def give_up(self) -> None:
        """Give out no more what was in play when playing it ended workers."""
        self._given_up |= self._in_play.keys()
        self._forget_all()

    def put_off(self, error: StorageError) -> None:
        """Give out what was in play again after the rest: a bot that is too large stops nobody."""
        self._put_off |= self._in_play.keys()
        self._forget_all()
        self._renew()
        if self.backoff.failed():
            self._db.note(f"games wait, and are tried again and again: {error}")
            _log.warning("games wait, and are tried again and again: %s", error)

    def _forget_all(self) -> None:
        for block in list(self._in_play.values()):
            self._forget(block)


def play_missing(folder: Path, isolation: Choice) -> Iterator[None]:
    """Play for ever; yields whenever there is nothing to play for now.

    A block that was in play when this process was killed is played again whole; what was committed
    never is.
    """
    with Store(open_league(folder).record, create=True) as store, Database(folder) as db:
        field = _Field(folder, isolation, store, db)
        while True:
            if field.backoff.rests:
                yield
                continue
            executor = LocalWorkers(MOST_WORKERS, void=field.is_void)
            try:
                with closing(executor.run(field.take, _LeaguePlay(folder, isolation))) as records:
                    for record in records:
                        field.settle(record)
            except StorageError as error:
                field.put_off(error)
            except BotError:
                raise
            except UserError as error:
                # Workers died over a block: it is left out until the server is started again.
                field.give_up()
                db.note(str(error))
                _log.warning("%s", error)
            yield
