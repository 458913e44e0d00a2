"""Decides what a league plays, and which of its games count."""

import functools
import itertools
import shutil

from msgspec.structs import replace

from arena.errors import UserError
from arena.league.charter import CHARTER
from arena.league.membership import Membership
from arena.league.register import Pairing, locked, read_left_out, write_left_out
from arena.league.storage import Disk, size_of
from arena.schedule import Plan
from arena.seeds import Seeds, fingerprint
from arena.store import Store, Tournament, difference


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

    def tournament(self, *, to_play: bool = False) -> Tournament:
        """Return everybody's games as a tournament: each version is an entrant.

        If it is to be played, the copies of those in the plan are unpacked.
        """
        charter = self.charter
        if to_play:
            plan = self.plan()
            planned = {*plan.soloists, *itertools.chain.from_iterable(plan.pairings)}
            for entry in self.entries:
                if entry.full_name in planned:
                    self.storage.unpack(entry.digest)
        return Tournament(
            name="league",
            kind="league",
            rules=charter.rules,
            seed=fingerprint(str(charter.seed)),
            settings=charter.times,
            # What is in the register counts, also where Salvo's own files have changed since.
            entrants=tuple(map(self._recorded, self.entries)),
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
        tournament = self.tournament()
        if tournament.name in store.tournament_names():
            found = store.tournament(tournament.name)
            if found.derivation != tournament.derivation:
                raise UserError(
                    f"league folder {self.folder}: it was begun by an older Salvo, whose seeds "
                    "were derived in another way: it is shown and rated, but not extended; start "
                    "another league with --league"
                )
            now = {entrant.name: entrant for entrant in tournament.entrants}
            same = tuple(now.get(entrant.name, entrant) for entrant in found.entrants)
            other = difference(found, replace(tournament, entrants=same))
            if other is not None:
                raise UserError(
                    f"league folder {self.folder}: its {CHARTER} was changed after games were "
                    f"played, in {other}; put that back, or start another league"
                )
        store.extend(tournament)

    def changed(self) -> list[str]:
        """Return who of the field is not what was entered: its copy or Salvo's kit has changed."""
        return [entry.name for entry in self.field if self._entrant(entry).digest != entry.digest]
