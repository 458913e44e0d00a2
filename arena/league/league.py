"""Decides what a league plays, and which of its games count."""

import contextlib
import functools
import itertools
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Entrant
from arena.errors import BotError, EmptyRecordError, UserError
from arena.isolation import Program
from arena.league.charter import CHARTER, read_charter
from arena.league.membership import Candidate, Membership
from arena.league.planned import KIND, Planned
from arena.league.register import Entry, Pairing, locked, read_left_out, write_left_out
from arena.league.storage import Disk, size_of
from arena.schedule import Plan, round_robin
from arena.seeds import Seeds, fingerprint
from arena.store import Store, Tournament, difference


class Lineup(Struct, frozen=True):
    """Who plays in a league.

    Attributes:
        tournament: Everybody who was ever entered; who plays has a program.
        plan: What is to be played between those that can be started.
        missing: The reason for each of the others in the plan, by its name in the record.
    """

    tournament: Tournament
    plan: Plan
    missing: dict[str, str]


class League(Membership):
    """A league: who is in it, and the games that they play."""

    def disk(self) -> Disk:
        """Return what space it takes, and how much is left."""
        return Disk(
            bots=self.storage.size(),
            most_bots=self.charter.max_mb * 1_000_000,
            league=size_of(self.folder),
            free=shutil.disk_usage(self.folder).free,
        )

    @functools.cached_property
    def left_out(self) -> frozenset[Pairing]:
        """The pairings whose games do not count in the ratings."""
        return read_left_out(self.folder)

    def leave_out(self, bot: str, opponent: str, *, out: bool = True) -> str:
        """Leave the games of two bots out of the ratings, or let them count again.

        Returns in words what was done. Others who would change it at the same time wait.

        Raises:
            UserError: If either was never entered, they are one, or nothing would change.
        """
        names = {entry.name for entry in self.entries}
        for name in (bot, opponent):
            if name not in names:
                raise UserError(f"no bot of this league is called {name!a}")
        if bot == opponent:
            raise UserError(f"'{bot}' does not meet itself; name two bots")
        with locked(self.folder):
            before, pairing = read_left_out(self.folder), frozenset((bot, opponent))
            if (pairing in before) == out:
                state = "are left out already" if out else "count already"
                raise UserError(f"games between '{bot}' and '{opponent}' {state}")
            write_left_out(self.folder, before ^ {pairing})
        done = "are left out of the ratings" if out else "count again"
        return f"games between {bot} and {opponent} {done}"

    @contextlib.contextmanager
    def candidate(self, path: Path, name: str) -> Iterator[Candidate]:
        """Copy a bot into the league under a name, for as long as it is a candidate.

        Raises:
            BotError: If it cannot have the name, holds or asks for what it cannot have, or cannot
                be copied.
            UserError: If the record was played by another charter: nobody can come in.
        """
        with contextlib.suppress(EmptyRecordError):
            if self.record.exists():
                with Store(self.record, create=False) as store:
                    self._extended(store)
        with super().candidate(path, name) as found:
            yield found

    def tournament(self) -> Tournament:
        """Return everybody's games as a tournament, as the register has them: each version plays.

        Nothing is said of how they are started, and no bot is looked for.
        """
        return self._tournament(_as_recorded(entry) for entry in self.entries)

    def lineup(self) -> Lineup:
        """Return who can play of those in the plan, and the plan without the others.

        Copies of theirs that are packed are unpacked.
        """
        plan = self.plan()
        playing = {*plan.soloists, *itertools.chain.from_iterable(plan.pairings)}
        found, missing = self._startable(self.entries, playing)
        return Lineup(self._tournament(found), plan.without(missing.keys()), missing)

    def _startable(
        self, entries: Iterable[Entry], playing: Collection[str]
    ) -> tuple[list[Entrant], dict[str, str]]:
        """Return entries as they play, and of those that cannot be started the reasons."""
        found: list[Entrant] = []
        missing: dict[str, str] = {}
        for entry in entries:
            entrant = _as_recorded(entry)
            if entry.full_name in playing:
                try:
                    entrant = self.entrant(entry)
                except BotError as error:
                    missing[entry.full_name] = str(error)
            found.append(entrant)
        return found, missing

    def _tournament(
        self, entrants: Iterable[Entrant], planned: Planned | None = None
    ) -> Tournament:
        charter = self.charter
        return Tournament(
            name="league" if planned is None else planned.name,
            kind="league" if planned is None else KIND,
            rules=charter.rules,
            seed=fingerprint(str(charter.seed)) if planned is None else planned.fingerprint,
            settings=charter.times,
            entrants=tuple(entrants),
            block_pairs=charter.block_pairs,
        )

    def begin(self, planned: Planned, store: Store, late: Collection[str] = ()) -> bool:
        """Begin a tournament of the calendar with the field as it is now.

        Of those who came ``late``, by their names in the record, the version before plays, if there
        is one. Returns whether the tournament is in the calendar still, and so has begun. Who is
        submitted, withdrawn or moves it at the same time waits.
        """
        with locked(self.folder):
            if planned not in read_charter(self.folder / CHARTER).tournaments:
                return False
            entries = [one for one in self.entries if one.full_name not in late]
            field = {entry.name for entry in self.field}
            newest = {one.name: one for one in entries if one.name in field}
            newest |= {one.name: one for one in entries if one.state == "current"}
            found, _ = self._startable(newest.values(), {one.full_name for one in newest.values()})
            store.enter(self._tournament(found, planned))
            return True

    def planned_lineup(self, planned: Planned, store: Store, look: int) -> Lineup:
        """Return who can play in a tournament that has begun, and the plan up to a look.

        Who was withdrawn or replaced since it began plays on.
        """
        names = {one.name for one in store.tournament(planned.name).entrants}
        entries = [entry for entry in self.entries if entry.full_name in names]
        found, missing = self._startable(entries, names)
        plan = Plan(
            tournament=planned.name,
            seeds=self.seeds_of(planned),
            pairings=round_robin(names),
            soloists=(),
            pairs=planned.pairs_at(look, self.charter.block_pairs),
            layouts=0,
            block_pairs=self.charter.block_pairs,
        )
        return Lineup(self._tournament(found, planned), plan.without(missing.keys()), missing)

    @property
    def seeds(self) -> Seeds:
        """Return the seeds of its games."""
        return self.seeds_of(None)

    def seeds_of(self, planned: Planned | None) -> Seeds:
        """Return the seeds of the games of a tournament, or of the league itself."""
        seed = self.charter.seed if planned is None else planned.seed
        return Seeds(int(seed), self.charter.rules)

    def plan(self) -> Plan:
        """Return what is to be played: each of the field with each, and with what it replaced.

        All of them meet the anchor too, also when it has left the field: by it they are measured.
        """
        field = self.field
        names = sorted(entry.full_name for entry in field)
        there = {entry.full_name for entry in self.entries}
        meeting = {*names, *([self.anchor.full_name] if self.anchor else [])}
        pairings = {(one, other) for one in meeting for other in meeting if one < other}
        for entry in field:
            former = f"{entry.name}@{entry.version - 1}"
            if former in there:
                pairings.add((min(former, entry.full_name), max(former, entry.full_name)))
        return Plan(
            tournament="league",
            seeds=self.seeds,
            pairings=tuple(sorted(pairings)),
            soloists=tuple(names),
            pairs=self.charter.games // 2,
            layouts=self.charter.layouts,
            block_pairs=self.charter.block_pairs,
            block_layouts=self.charter.block_layouts,
        )

    def missing_games(self, store: Store) -> int:
        """Return how many games of the plan the record lacks."""
        plan = self.plan()
        return plan.most_games - plan.games_in(store.played("league"))

    def extend(self, store: Store) -> None:
        """Write down in the record who was entered since.

        Raises:
            UserError: If the record was played by another charter.
        """
        with locked(self.folder):  # or the record is given who was renamed meanwhile
            store.extend(self._extended(store))

    def _extended(self, store: Store) -> Tournament:
        """Return the tournament with those whom the record knows as it has them."""
        known: dict[str, Entrant] = {}
        if "league" in store.tournament_names():
            found = store.tournament("league")
            self._refuse_other_charter(found)
            known = {entrant.name: entrant for entrant in found.entrants}
        entrants = []
        for entry in self.entries:
            entrant = known.get(entry.full_name)
            if entrant is None or entrant.digest != entry.digest:
                entrant = _as_recorded(entry)
                with contextlib.suppress(BotError):
                    entrant = self.entrant(entry)
            entrants.append(entrant)
        return self._tournament(entrants)

    def changed(self) -> list[str]:
        """Return who of the field is not what was entered: its copy or Salvo's kit has changed."""
        return [entry.name for entry in self.field if not self._is_intact(entry)]

    def can_start(self, entry: Entry) -> bool:
        """Return whether a version can be started on this machine."""
        with contextlib.suppress(BotError):
            self.entrant(entry)
            return True
        return False

    def _is_intact(self, entry: Entry) -> bool:
        with contextlib.suppress(BotError):
            return self._entrant(entry).digest == entry.digest
        return True  # of what cannot be started more is said elsewhere

    def _refuse_other_charter(self, found: Tournament) -> None:
        tournament = self.tournament()
        if found.derivation != tournament.derivation:
            raise UserError(
                f"league folder {self.folder}: it was begun by an older Salvo, whose seeds "
                "were derived in another way: it is shown and rated, but not extended; start "
                "another league with --league"
            )
        other = difference(replace(found, entrants=()), replace(tournament, entrants=()))
        if other is not None:
            raise UserError(
                f"league folder {self.folder}: its {CHARTER} was changed after games were "
                f"played, in {other}; put that back, or start another league"
            )


def _as_recorded(entry: Entry) -> Entrant:
    return Entrant(entry.full_name, Program((), "", ()), entry.digest)
