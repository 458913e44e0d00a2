"""Decides what a league plays, and which of its games count."""

import contextlib
import functools
import itertools
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Entrant
from arena.errors import BotError, EmptyRecordError, UserError
from arena.isolation import Program
from arena.league.charter import CHARTER
from arena.league.membership import Candidate, Membership
from arena.league.register import Entry, Pairing, locked, read_left_out, write_left_out
from arena.league.storage import Disk, size_of
from arena.schedule import Plan
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
        planned = {*plan.soloists, *itertools.chain.from_iterable(plan.pairings)}
        found: list[Entrant] = []
        missing: dict[str, str] = {}
        for entry in self.entries:
            entrant = _as_recorded(entry)
            if entry.full_name in planned:
                try:
                    entrant = self.entrant(entry)
                except BotError as error:
                    missing[entry.full_name] = str(error)
            found.append(entrant)
        return Lineup(self._tournament(found), plan.without(missing.keys()), missing)

    def _tournament(self, entrants: Iterable[Entrant]) -> Tournament:
        charter = self.charter
        return Tournament(
            name="league",
            kind="league",
            rules=charter.rules,
            seed=fingerprint(str(charter.seed)),
            settings=charter.times,
            entrants=tuple(entrants),
            block_pairs=charter.block_pairs,
        )

    @property
    def seeds(self) -> Seeds:
        """Return the seeds of its games."""
        return Seeds(int(self.charter.seed), self.charter.rules)

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
