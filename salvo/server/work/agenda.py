"""Says what is to be played now: the league itself, or a tournament of its calendar.

While a tournament is played, no other game is begun. It begins at its moment, once all bots that
were handed in before it are checked; who takes part is fixed by that.
"""

from pathlib import Path

from arena.isolation import Choice, Level
from arena.league import League, Planned
from arena.store import Store
from salvo.server import clock
from salvo.server.database.ownership import owners
from salvo.server.database.queue import accepted_after, waiting_since
from salvo.server.database.server_database import Database, now
from salvo.server.results import Result, read_result, write_result

_FEWEST = 2


class Agenda:
    """Decides what is to be played, and begins tournaments.

    Attributes:
        isolation: How isolated bots play here.
        store: The record of the league.
        db: The server's own database.
    """

    def __init__(self, folder: Path, isolation: Choice, store: Store, db: Database) -> None:
        self.isolation, self.store, self.db = isolation, store, db
        self._folder = folder
        self._waits_for = ""

    def result(self, planned: Planned) -> Result | None:
        """Return what there is of a tournament so far."""
        return read_result(self._folder, planned.name)

    def now(self, league: League) -> Planned | None:
        """Return the tournament that is to be played now, which has begun; None for the league."""
        begun = set(self.store.tournament_names())
        for planned in league.charter.tournaments:
            result = self.result(planned)
            if result is not None and result.ended:
                continue
            if planned.name in begun:
                if result is None:  # the server was killed when it began
                    self._note_begun(league, planned)
                # As it was announced, whatever was written into the charter since.
                return planned if result is None else result.planned
            if planned.at <= clock.now() and self._begin(league, planned):
                return planned
        return None

    def _begin(self, league: League, planned: Planned) -> bool:
        reason = self._obstacle(league, planned)
        if reason:
            if reason != self._waits_for:
                self.db.note(f"tournament {planned.name} waits: {reason}")
            self._waits_for = reason
            return False
        if not league.begin(planned, self.store, accepted_after(self.db, planned.at)):
            return False
        self._note_begun(league, planned)
        self.db.note(f"tournament {planned.name} begins")
        self.db.announce("board")
        return True

    def _obstacle(self, league: League, planned: Planned) -> str:
        """Return why a tournament whose time has come does not begin; empty if it may."""
        if waiting := waiting_since(self.db, planned.at):
            if waiting == 1:
                return "a bot that was handed in before it is still to be checked"
            return f"{waiting} bots that were handed in before it are still to be checked"
        field, owned = league.field, owners(self.db)
        if len(field) < _FEWEST:
            return "there are fewer than two bots"
        if self.isolation.level is not Level.SANDBOX and any(one.name in owned for one in field):
            return "bots that were handed in play in the sandbox alone, and there is none here"
        return ""

    def _note_begun(self, league: League, planned: Planned) -> None:
        entrants = [one.name for one in self.store.tournament(planned.name).entrants]
        owned = owners(self.db)
        names = [name.rpartition("@")[0] for name in entrants]
        authors = [name for name in names if name in owned]
        write_result(
            league.folder,
            Result(
                planned=planned,
                began=now(),
                entrants=entrants,
                # Where nobody was invited, all are rivals.
                bosses=[name for name in names if name not in owned] if authors else [],
            ),
        )
