"""Manages who is in a league: copies candidates, admits and withdraws bots, packs their copies."""

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import (
    MAX_MEMORY_MB,
    NAME,
    Entrant,
    Terms,
    enter,
    keep,
    refuse_name,
    same_name,
)
from arena.errors import BotError, UserError
from arena.isolation import granted, readable
from arena.league.charter import (
    CHARTER,
    Anchor,
    Charter,
    games_a_block,
    read_charter,
    write_charter,
)
from arena.league.register import Entry, editing, locked, read_register
from arena.league.storage import Storage

_BOTS = "bots"
_HERE = "{bot}/"
"""The prefix of words that name a file of the copy, wherever that lies."""
_ALL = Terms(max_memory_mb=MAX_MEMORY_MB, processes=True, max_temporary_mb=MAX_MEMORY_MB)


class Candidate(Struct, frozen=True):
    """A bot that asks to be entered, and its copy."""

    entrant: Entrant
    words: tuple[str, ...]
    place: Path
    known: Entry | None  # its entry, if the same content was entered under this name before
    twins: tuple[str, ...]  # who else was entered with the same content


class Membership:
    """The members of a league, which is a folder.

    Args:
        charter: What it plays if it is new; None where it must exist.
        bundled: The paths of the bundled bots, by name; every bot may import the packages that
            these are modules of.

    Raises:
        UserError: If it is not a league and cannot become one.
    """

    def __init__(
        self,
        folder: Path,
        charter: Charter | None = None,
        bundled: Mapping[str, Path] | None = None,
    ) -> None:
        self.folder = folder
        self._bundled = bundled or {}
        self.record = folder / "salvo.sqlite3"
        self.storage = Storage(folder.resolve() / _BOTS)
        self.is_new = not (folder / CHARTER).exists()
        if not self.is_new:
            charter = read_charter(folder / CHARTER)
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(
                f"league folder {folder}: it has no {CHARTER} and is not an empty folder; "
                "name another with --league"
            )
        elif charter is None:
            raise UserError(
                f"league folder {folder}: there is no league here; "
                f"`salvo submit BOT --league {folder}` starts one"
            )
        elif charter.block_games is None:
            charter = replace(charter, block_games=games_a_block(charter.times))
        self.charter: Charter = charter

    @property
    def entries(self) -> list[Entry]:
        """Return everybody who was ever entered, oldest first."""
        return read_register(self.folder)

    @property
    def field(self) -> list[Entry]:
        """Return who plays now, oldest first."""
        return [entry for entry in self.entries if entry.state == "current"]

    @property
    def anchor(self) -> Entry | None:
        """Return the bot whose Elo is fixed; None where there is none, or it is not entered yet."""
        fixed = self.charter.anchor
        return next((one for one in self.entries if fixed and one.full_name == fixed.bot), None)

    @contextlib.contextmanager
    def candidate(self, path: Path, name: str) -> Iterator[Candidate]:
        """Copy a bot into the league under a name, for as long as it is a candidate.

        Raises:
            BotError: If it cannot have the name, holds or asks for what it cannot have, or cannot
                be copied.
        """
        self._need_to_write()
        refuse_name(name, f"bot {str(path)!r}")
        self._refuse_alike(name, self.entries)
        place = self.storage.home(f".{os.getpid()}")
        try:
            shutil.rmtree(place, ignore_errors=True)
            self._make(place)
            installed = path in self._bundled.values()
            terms = replace(self.charter.terms, grants=self._grants)
            copy = keep(path, place, terms, linked=installed)
            # The copy is what plays: of the original nothing is read again.
            entrant = enter(name, [str(copy)], self._bundled, terms)
            self._refuse_reader(entrant)
            self._refuse_excess(entrant, self.entries)
            words: tuple[str, ...] = (f"{_HERE}{copy.name}",)
            same = [entry for entry in self.entries if entry.digest == entrant.digest]
            if same:
                self.storage.unpack(entrant.digest)
                words = same[0].words
                entrant = self._entrant(same[0], name)
            known = next((entry for entry in same if entry.name == name), None)
            twins = tuple(entry.full_name for entry in same if entry.name != name)
            yield Candidate(entrant, words, place, known, twins)
        finally:
            shutil.rmtree(place, ignore_errors=True)
            for folder in (place.parent, self.folder):
                with contextlib.suppress(OSError):  # there is something in it
                    folder.rmdir()

    def _make(self, place: Path) -> None:
        try:
            place.mkdir(parents=True)
        except OSError as error:
            raise UserError(
                f"league {self.folder}: the folder cannot be made: {error.strerror}; "
                "name another with --league"
            ) from error

    def _need_to_write(self) -> None:
        folder = self.folder.absolute()
        there = next(place for place in (folder, *folder.parents) if place.exists())
        if not os.access(there, os.W_OK):
            raise UserError(
                f"league folder {self.folder}: {there} cannot be written; "
                "get write permission, or name another league with --league"
            )

    def admit(self, candidate: Candidate) -> Entry:
        """Enter a candidate: it takes the name, and whoever had it is replaced.

        Raises:
            BotError: If the name, or the place for its copy, was taken since it was a candidate.
        """
        name, digest = candidate.entrant.name, candidate.entrant.digest
        if not (self.folder / CHARTER).exists():
            if self.charter.anchor is None:
                self.charter = replace(self.charter, anchor=Anchor(bot=f"{name}@1"))
            write_charter(self.charter, self.folder / CHARTER)
        home = self.storage.home(digest)
        with editing(self.folder) as entries:
            self._refuse_alike(name, entries)
            # Others may have come in since the candidate was copied, also with its content.
            at_home = [entry for entry in entries if self.storage.home(entry.digest) == home]
            if any(entry.digest != digest for entry in at_home):
                raise BotError(
                    f"league folder {self.folder}: the hash of '{name}' begins like that of "
                    f"{at_home[0].full_name}; change the bot"
                )
            self._refuse_excess(candidate.entrant, entries)
            if at_home:
                self.storage.unpack(digest)
            else:
                shutil.rmtree(home, ignore_errors=True)  # left by one that was killed here
                candidate.place.rename(home)
            for index, entry in enumerate(entries):
                if entry.name == name and entry.state == "current":
                    entries[index] = replace(entry, state="replaced")
            for index, entry in enumerate(entries):
                if (entry.name, entry.digest) == (name, digest):
                    entries[index] = replace(entry, state="current")
                    return entries[index]
            version = 1 + max((entry.version for entry in entries if entry.name == name), default=0)
            words = at_home[0].words if at_home else candidate.words
            entry = Entry(name=name, version=version, digest=digest, words=words)
            entries.append(entry)
            return entry

    def pack_idle(self) -> None:
        """Pack the copies of those who play no more: they are unpacked where one is needed.

        That may take seconds, in which others may enter and withdraw bots.

        Raises:
            UserError: If an archive cannot be written.
        """
        for digest in self._idle(self.entries):
            self.storage.pack(digest)
            with locked(self.folder):
                if digest in self._idle(self.entries):
                    self.storage.drop(digest)

    def _idle(self, entries: list[Entry]) -> set[str]:
        newest = {entry.name: entry.version for entry in entries}
        fixed = self.charter.anchor
        # The newest two too, since blocks of whoever was just replaced may still be in play.
        playing = {
            f"{entry.name}@{version}"
            for entry in entries
            for last in (newest[entry.name], entry.version if entry.state == "current" else 0)
            for version in (last, last - 1)
        } | ({fixed.bot} if fixed else set())
        kept = {entry.digest for entry in entries if entry.full_name in playing}
        return {one.digest for one in entries if not self.storage.is_packed(one.digest)} - kept

    def withdraw(self, name: str) -> Entry:
        """Take the current version of a name out of the field; its games stay in the record.

        Raises:
            UserError: If there is none.
        """
        self._need_to_write()
        with editing(self.folder) as entries:
            for index, entry in enumerate(entries):
                if same_name(entry.name, name) and entry.state == "current":
                    entries[index] = replace(entry, state="withdrawn")
                    return entries[index]
            names = ", ".join(entry.name for entry in entries if entry.state == "current")
        raise UserError(
            f"league folder {self.folder}: no '{name}' plays in it; its bots are "
            f"{names or 'nobody'}"
        )

    def entrant(self, entry: Entry) -> Entrant:
        """Return a version as it plays: its copy, under its name in the record.

        Raises:
            BotError: If it cannot be started here: what it needs, or its copy, is gone or damaged.
        """
        home = self.storage.home(entry.digest)
        if not self.storage.is_packed(entry.digest) and not home.exists():
            raise BotError(f"its copy is gone: there is no {home}; submit the bot again")
        try:
            self.storage.unpack(entry.digest)
            entrant = self._entrant(entry)
            granted(entrant.program)
        except BotError:
            raise
        except (OSError, UserError) as error:
            raise BotError(f"it cannot be started here: {error}") from error
        # What is in the register counts, also where Salvo's own files have changed since.
        return replace(entrant, name=entry.full_name, digest=entry.digest)

    @property
    def _grants(self) -> tuple[str, ...]:
        """The grants of the charter that are there: who needs none of the others plays on."""
        return tuple(grant for grant in self.charter.terms.grants if Path(grant).exists())

    def _entrant(self, entry: Entry, name: str = "") -> Entrant:
        home = self.storage.home(entry.digest)
        words = [
            str(home / word.removeprefix(_HERE)) if word.startswith(_HERE) else word
            for word in entry.words
        ]
        # Who was admitted keeps what was granted then, whatever the charter says now: all but what
        # is outside it, which the operator may take back.
        now = self.charter.terms
        terms = replace(_ALL, grants=self._grants, network=now.network, secrets=now.secrets)
        name = name or entry.name
        # Older versions let in names that are none now.
        return enter(name if NAME.fullmatch(name) else "kept", words, self._bundled, terms)

    def _refuse_reader(self, entrant: Entrant) -> None:
        """Refuse a bot that could read the league: its seed, its record, or another bot."""
        place = readable(entrant.program, self.folder)
        if place is not None:
            raise BotError(
                f"league folder {self.folder}: '{entrant.name}' could read it, since it may read "
                f"{place!r}; move the league elsewhere, or take that out of the bot's TOML"
            )

    def _refuse_alike(self, name: str, entries: Sequence[Entry]) -> None:
        """Refuse a name that differs from another by capital letters alone."""
        for entry in entries:
            if same_name(entry.name, name) and entry.name != name:
                raise BotError(
                    f"league folder {self.folder}: '{name}' could be taken for '{entry.name}', "
                    "which is in it; submit the bot under that name, or another"
                )

    def _refuse_excess(self, entrant: Entrant, entries: Sequence[Entry]) -> None:
        """Refuse a new version where the league has as many as it may, or as many bytes."""
        versions = [entry for entry in entries if entry.name == entrant.name]
        if any(entry.digest == entrant.digest for entry in versions):
            return
        most, most_mb = self.charter.max_versions, self.charter.max_mb
        if len(versions) >= most:
            raise BotError(
                f"league folder {self.folder}: '{entrant.name}' has {len(versions)} versions, "
                f"and at most {most} are kept of a name; submit one of them again, or raise "
                f"max_versions in {CHARTER}"
            )
        # The candidate lies there already.
        size_mb = self.storage.size() / 1e6
        if size_mb > most_mb:
            raise BotError(
                f"league folder {self.folder}: with '{entrant.name}' its bots would have "
                f"{size_mb:,.0f} MB, and at most {most_mb:,} MB are kept; submit a smaller bot, "
                f"or raise max_mb in {CHARTER}"
            )
