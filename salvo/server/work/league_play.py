"""Plays what a league still lacks, by the executors and into the record of every command."""

import logging
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from arena.errors import BotError, StorageError, UserError
from arena.executors import LocalWorkers
from arena.isolation import Choice, Level
from arena.league import Planned
from arena.records import Block, BlockKey, BlockRecord, Void
from arena.store import Store
from arena.tournament import Outages, copied, play_here, refuse_readers, waiting
from salvo.server.database.leaderboard_rows import Leaderboards
from salvo.server.database.ownership import banned_names, owners
from salvo.server.database.server_database import MOST_WORKERS, Database
from salvo.server.database.unstartable import set_unstartable
from salvo.server.in_play import Publisher
from salvo.server.leagues import Watched, open_league, plan_of, without_place
from salvo.server.results import note_played
from salvo.server.work.agenda import Agenda
from salvo.server.work.backoff import OUTAGE_S, Backoff
from salvo.server.work.order import Order
from salvo.server.work.resting import must_rest
from salvo.server.work.shares import Shares

_LOOK_S = 0.2  # how often the operator's wishes are read
_TRY_AGAIN_S = 15.0  # how often it is tried whether a bot can be started again
_log = logging.getLogger(__name__)


class _LeaguePlay:
    """Plays blocks of a league, also between bots that were entered since it was made."""

    def __init__(self, folder: Path, planned: Planned | None, isolation: Choice) -> None:
        self._folder, self._planned, self._isolation = folder, planned, isolation
        self._publisher: Publisher | None = None  # of the worker process, where blocks are played

    def __call__(self, block: Block) -> BlockRecord:
        league = open_league(self._folder)
        # Asked anew for each block: a version may have been packed since it last played.
        entered = {entry.full_name: entry for entry in league.entries}
        entrants = [league.entrant(entered[name]) for name in block.entrants]
        charter = league.charter
        with copied(entrants, self._isolation.level) as copies:
            seeds = league.seeds_of(self._planned)
            if self._publisher is None:
                self._publisher = Publisher(self._folder)
            self._publisher.hides_fleets = bool(waiting(entrants))
            play = play_here(
                charter.rules,
                charter.times,
                seeds,
                copies.bots,
                self._isolation,
                observer=self._publisher,
            )
            return play(block)


class _Field:
    """The games to be played of the league, or of one of its tournaments, as of now."""

    def __init__(
        self, watched: Watched, agenda: Agenda, shares: Shares, planned: Planned | None
    ) -> None:
        self._watched, self._agenda, self._shares = watched, agenda, shares
        self._planned = planned
        self._isolation, self._store, self._db = agenda.isolation, agenda.store, agenda.db
        self._in_play: dict[BlockKey, Block] = {}
        self._given_up: set[BlockKey] = set()
        self._put_off: set[BlockKey] = set()
        self.backoff = Backoff()
        self._outages: Outages | None = None
        self._rests: defaultdict[str, Backoff] = defaultdict(lambda: Backoff(*OUTAGE_S))
        self._resting: set[str] = set()
        self._looked = self._tried = 0.0
        self._unstartable: dict[str, str] = {}
        self._rated = ""
        self._boards = Leaderboards.read(self._db)
        self._banned = banned_names(self._db)
        self._next_look = 0
        self._is_on, self._must_rest = True, False
        self.renew()

    def renew(self) -> None:
        """Find out anew what is to be played."""
        league, planned = self._watched.league, self._planned
        self._is_on = True
        if planned is None:
            league.extend(self._store)
            lineup = league.lineup()
        else:
            result = self._agenda.result(planned)
            self._next_look = 1 if result is None else min(result.next_look, planned.looks)
            lineup = league.planned_lineup(planned, self._store, self._next_look)
        self._note_unstartable(lineup.missing)
        self._tournament = lineup.tournament
        refuse_readers(self._tournament.entrants, self._isolation.level, {"--db": self._store.path})
        uploaded = self._isolation.level is Level.SANDBOX
        owned = owners(self._db)
        self._shares.renew(owned)
        names = waiting(self._tournament.entrants)
        if self._outages is None:
            name = self._tournament.name
            self._outages = Outages(self._store, name, league.seeds_of(planned), names)
        self._outages.names = names
        self._resting = {name for name, rest in self._rests.items() if rest.rests}
        plan = lineup.plan if planned else plan_of(league, owned, uploaded=uploaded)
        banned = {one.name for one in self._tournament.entrants if self._is_banned(one.name)}
        plan = plan.without(lineup.missing.keys() | self._resting | banned)
        played = self._store.played(self._tournament.name)
        self._order = Order(plan, played, self._in_play.keys() | self._given_up | self._put_off)

    def _note_unstartable(self, found: dict[str, str]) -> None:
        for name in found.keys() - self._unstartable.keys():
            told = without_place(found[name], self._watched.folder)
            self._db.note(f"{name} cannot be started, plays no more and keeps its rating: {told}")
        for name in self._unstartable.keys() - found.keys():
            self._db.note(f"{name} can be started again, or is not to be played any more")
        if found.keys() != self._unstartable.keys() or not self._tried:
            set_unstartable(self._db, found)
        self._unstartable, self._tried = found, time.monotonic()

    def _is_mended(self) -> bool:
        """Return whether one that could not be started can be now; it is tried now and then."""
        if not self._unstartable or time.monotonic() < self._tried + _TRY_AGAIN_S:
            return False
        self._tried = time.monotonic()
        league = self._watched.league
        return any(
            league.can_start(entry)
            for entry in league.entries
            if entry.full_name in self._unstartable
        )

    def _look(self) -> None:
        if time.monotonic() < self._looked + _LOOK_S:
            return
        self._looked = time.monotonic()
        rested, self._must_rest = self._must_rest, must_rest(self._watched.folder)
        if self._must_rest:
            return
        db = self._db
        banned = banned_names(db)
        rested |= banned != self._banned
        self._banned = banned
        rested |= any(not self._rests[name].rests for name in self._resting)
        if self._watched.changed() or self._is_mended() or self._was_looked_at() or rested:
            self.renew()
        self._is_on = self._agenda.now(self._watched.league) == self._planned
        rated = db.setting("rated", "")
        if rated != self._rated:
            self._rated, self._boards = rated, Leaderboards.read(db)

    def _was_looked_at(self) -> bool:
        """Return whether a look was taken since what is to be played was found out."""
        if self._planned is None:
            return False
        result = self._agenda.result(self._planned)
        return result is not None and min(result.next_look, self._planned.looks) != self._next_look

    def take(self) -> Block | None:
        """Return the next block; None if there is none, or the workers are to do no more."""
        self._look()
        paused = self._db.setting("paused", "no") == "yes"
        if self._must_rest or paused or not self._is_on:
            return None
        # Where little can be stored, one block at a time may still find room.
        most = 1 if self.backoff.is_on else int(self._db.setting("workers", "1"))
        if len(self._in_play) >= most:
            return None
        block = self._order.next(self._boards, self._shares.minutes)
        if block is None and self._put_off:
            self._put_off.clear()
            self.renew()
            block = self._order.next(self._boards, self._shares.minutes)
        if block is None and self._planned and self._is_played():
            note_played(self._db, self._planned, self._next_look)
        if block is None or self._has_banned(block):
            return None
        assert self._outages is not None
        if not self._outages.may_begin(block):
            self._put_off.add(block.key)
            return None
        self._in_play[block.key] = block
        self._shares.begin(block)
        return self._outages.begin(block)

    def _is_played(self) -> bool:
        """Return whether all games due before the next look are played, as far as they can be."""
        return self._order.has_pairings and not self._in_play and not self._resting

    def is_void(self, block: Block) -> bool:
        """Return whether a block in play has a bot that the operator banned; then forget it.

        So it is while this process is to rest, and then the block is played again.
        """
        self._look()
        if self._must_rest:
            self._forget(block)
            return True
        void = self._has_banned(block)
        if void:
            self._forget(block)
            self._db.note(f"a block of {' and '.join(block.entrants)} is void: one is banned")
        return void

    def _has_banned(self, block: Block) -> bool:
        return any(map(self._is_banned, block.entrants))

    def _is_banned(self, bot: str) -> bool:
        return bot.rpartition("@")[0] in self._banned

    def _forget(self, block: Block, record: BlockRecord | None = None) -> None:
        assert self._outages is not None
        del self._in_play[block.key]
        self._outages.drop(block)
        self._shares.end(block, record)

    def settle(self, record: BlockRecord) -> None:
        """Commit a block, unless one of its bots was banned before this, or had an outage."""
        assert self._outages is not None
        whole = self._outages.settle(record)
        if whole.broken_off is not None:
            self._forget(record.block, record)
            self._rest(whole.broken_off)
            return
        played, record = record, whole
        block = record.block
        with self._db.writing():  # nobody is banned while it is being committed
            self._banned = banned_names(self._db)
            void = self._has_banned(block)
            if not void:
                self._store.add(self._tournament, record)
                self._db.announce("block", bots=block.entrants, games=len(record.games))
        self._forget(block, None if void else played)
        self.backoff.succeeded()
        for name in block.entrants:
            if name in self._rests:
                del self._rests[name]

    def _rest(self, outage: Void) -> None:
        """Give out no block of a bot that says there is an outage, for a while."""
        name = outage.entrant
        if self._rests[name].failed():
            self._db.note(
                f"games of {name} wait, and are tried again and again: it {outage.reason}"
            )
        self.renew()

    def give_up(self) -> None:
        """Give out no more what was in play when playing it ended workers."""
        self._given_up |= self._in_play.keys()
        self._forget_all()

    def put_off(self, error: UserError) -> None:
        """Give out what was in play again after the rest.

        So neither a bot that is too large stops the others, nor one whose files were removed.
        """
        self._put_off |= self._in_play.keys()
        self._forget_all()
        self.renew()
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
        watched = Watched(folder)
        agenda = Agenda(folder, isolation, store, db)
        shares = Shares(db, watched.league.charter.times)
        fields: dict[str, _Field] = {}
        field: _Field | None = None
        while True:
            planned = agenda.now(watched.league)
            name = "league" if planned is None else planned.name
            former, field = field, fields.get(name)
            if field is None:
                field = fields[name] = _Field(watched, agenda, shares, planned)
            elif field is not former:
                field.renew()
            if field.backoff.rests:
                yield
                continue
            executor = LocalWorkers(MOST_WORKERS, void=field.is_void)
            play = _LeaguePlay(folder, planned, isolation)
            try:
                with closing(executor.run(field.take, play)) as records:
                    for record in records:
                        field.settle(record)
            except (StorageError, BotError) as error:
                field.put_off(error)
            except UserError as error:
                # Workers died over a block: it is left out until the server is started again.
                field.give_up()
                db.note(str(error))
                _log.warning("%s", error)
            yield
