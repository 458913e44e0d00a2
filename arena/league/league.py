"""A league: who is in it, who enters and leaves, and what is to be played."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Entrant, keep, kept_bot, parse_entrant
from arena.errors import UserError
from arena.league.charter import Charter, read_charter, write_charter
from arena.league.register import Entry, editing, read_register
from arena.schedule import Plan
from arena.seeds import Seeds, fingerprint
from arena.store import Store, Tournament, difference

__all__ = ["Candidate", "League"]

_CHARTER = "league.toml"
_BOTS = "bots"
_HASH_CHARACTERS = 16


class Candidate(Struct, frozen=True):
    """A bot that asks to be entered.

    Attributes:
        entrant: The copy of it, under the name it asks for.
        words: The words of the copy.
        place: Where the copy lies.
        known: Its entry, if the same content was entered under this name before.
        twins: Who else was entered with the same content.
    """

    entrant: Entrant
    words: tuple[str, ...]
    place: Path
    known: Entry | None
    twins: tuple[str, ...]


class League:
    """A league in a folder.

    Args:
        folder: The folder.
        charter: What it plays if it is new; None where it must exist.

    Raises:
        UserError: If it is no league and none can be made of it.
    """

    def __init__(self, folder: Path, charter: Charter | None = None) -> None:
        self.folder = folder
        self.record = folder / "salvo.sqlite3"
        self.is_new = not (folder / _CHARTER).exists()
        if not self.is_new:
            charter = read_charter(folder / _CHARTER)
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(
                f"league {folder}: it has no {_CHARTER} and is no empty folder; "
                "name another by --league"
            )
        elif charter is None:
            raise UserError(
                f"league {folder}: there is none; `salvo submit BOT --league {folder}` begins one"
            )
        self.charter: Charter = charter

    @property
    def entries(self) -> list[Entry]:
        """Return everybody who was ever entered, oldest first."""
        return read_register(self.folder)

    @property
    def field(self) -> list[Entry]:
        """Return who plays now, oldest first."""
        return [entry for entry in self.entries if entry.state == "current"]

    @contextlib.contextmanager
    def candidate(self, text: str, bundled: Mapping[str, Path]) -> Iterator[Candidate]:
        """Copy a bot into the league, for as long as it is a candidate.

        Args:
            text: A BOT, as ``parse_entrant`` takes it.
            bundled: The paths of the bundled bots, by name.

        Raises:
            BotError: If it names nothing playable, or cannot be copied.
        """
        self._need_to_write()
        entrant = parse_entrant(text, bundled)
        entries = self.entries
        same = [entry for entry in entries if entry.digest == entrant.digest]
        known = next((entry for entry in same if entry.name == entrant.name), None)
        twins = tuple(entry.full_name for entry in same if entry.name != entrant.name)
        home = self._home(entrant.digest)
        place = home if same else home.with_name(f".{home.name}-{os.getpid()}")
        try:
            if same:
                words = same[0].words
            else:
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir(parents=True)
                words = keep(text, bundled, place)
            copy = Entrant(entrant.name, _parse(words, place).program, entrant.digest)
            yield Candidate(copy, words, place, known, twins)
        finally:
            if place != home:
                shutil.rmtree(place, ignore_errors=True)
            for folder in (home.parent, self.folder):
                with contextlib.suppress(OSError):  # there is something in it
                    folder.rmdir()

    def _need_to_write(self) -> None:
        """Make sure that the league can be changed.

        Raises:
            UserError: If it cannot.
        """
        folder = self.folder.absolute()
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not os.access(there, os.W_OK):
            raise UserError(
                f"league {self.folder}: {there} cannot be written; "
                "get the right to, or name another league by --league"
            )

    def admit(self, candidate: Candidate) -> Entry:
        """Enter a candidate: it takes the name, and whoever had it is replaced."""
        if not (self.folder / _CHARTER).exists():
            write_charter(self.charter, self.folder / _CHARTER)
        name, digest = candidate.entrant.name, candidate.entrant.digest
        home = self._home(digest)
        with editing(self.folder) as entries:
            if not home.exists():
                candidate.place.rename(home)
            for index, entry in enumerate(entries):
                if entry.name == name and entry.state == "current":
                    entries[index] = replace(entry, state="replaced")
            before = [index for index, entry in enumerate(entries) if _is(entry, name, digest)]
            if before:
                entries[before[0]] = replace(entries[before[0]], state="current")
                return entries[before[0]]
            version = 1 + max((entry.version for entry in entries if entry.name == name), default=0)
            entry = Entry(name=name, version=version, digest=digest, words=candidate.words)
            entries.append(entry)
            return entry

    def withdraw(self, name: str) -> Entry:
        """Take the current version of a name out of the field; its games stay in the record.

        Raises:
            UserError: If there is none.
        """
        self._need_to_write()
        with editing(self.folder) as entries:
            for index, entry in enumerate(entries):
                if entry.name == name and entry.state == "current":
                    entries[index] = replace(entry, state="withdrawn")
                    return entries[index]
            names = ", ".join(entry.name for entry in entries if entry.state == "current")
        raise UserError(
            f"league {self.folder}: no '{name}' plays in it; who does: {names or 'nobody'}"
        )

    def tournament(self) -> Tournament:
        """Return everybody's games as a tournament: each version is an entrant."""
        charter = self.charter
        return Tournament(
            name="league",
            kind="league",
            rules=charter.rules,
            seed=fingerprint(str(charter.seed)),
            settings=charter.times,
            # What is in the register counts, also where Salvo's own files have changed since.
            entrants=tuple(
                Entrant(entry.full_name, self._entrant(entry).program, entry.digest)
                for entry in self.entries
            ),
        )

    def plan(self) -> Plan:
        """Return what is to be played: each of the field with each, and with what it replaced."""
        field = self.field
        names = sorted(entry.full_name for entry in field)
        there = {entry.full_name for entry in self.entries}
        pairings = {(one, other) for one in names for other in names if one < other}
        for entry in field:
            former = f"{entry.name}@{entry.version - 1}"
            if former in there:
                pairings.add((min(former, entry.full_name), max(former, entry.full_name)))
        return Plan(
            tournament="league",
            seeds=Seeds(int(self.charter.seed), self.charter.rules, common_layouts=False),
            pairings=tuple(sorted(pairings)),
            soloists=tuple(names),
            pairs=self.charter.games // 2,
            layouts=self.charter.layouts,
        )

    def missing_games(self, store: Store) -> int:
        """Return how many games of the plan the record lacks."""
        played = store.played("league")
        return sum(
            len(block.fixtures)
            for block in self.plan().blocks()
            if played.get((block.entrants, block.number), 0) < len(block.fixtures)
        )

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
                    f"league {self.folder}: it was begun by an older Salvo, whose seeds were "
                    "derived in another way: it is shown and rated, but not extended; begin "
                    "another league by --league"
                )
            other = difference(replace(found, entrants=()), replace(tournament, entrants=()))
            if other is not None:
                raise UserError(
                    f"league {self.folder}: its {_CHARTER} was changed after games were played, "
                    f"by {other}; put that back, or begin another league"
                )
        store.extend(tournament)

    def changed(self) -> list[str]:
        """Return who of the field is not what was entered: its copy or Salvo's kit has changed."""
        return [entry.name for entry in self.field if self._entrant(entry).digest != entry.digest]

    def _home(self, digest: str) -> Path:
        return self.folder.resolve() / _BOTS / digest[:_HASH_CHARACTERS]

    def _entrant(self, entry: Entry) -> Entrant:
        return _parse(entry.words, self._home(entry.digest))


def _parse(words: tuple[str, ...], place: Path) -> Entrant:
    return parse_entrant(f"kept={kept_bot(words, place)}", {})


def _is(entry: Entry, name: str, digest: str) -> bool:
    return entry.name == name and entry.digest == digest
