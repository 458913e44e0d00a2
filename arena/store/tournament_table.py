"""Reads and writes the tournaments of a record, and who takes part in them."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from arena.entrants import Entrant
from arena.errors import RecordError
from arena.records import PAIRS_PER_BLOCK, Settings
from arena.rules import Rules
from arena.seeds import DERIVATION, Seeds
from arena.store.game_rows import Row, to_json
from arena.store.record_file import RecordFile, snapshot, transaction
from arena.store.row_checksums import TOURNAMENT_COLUMNS, tournament_checksum
from arena.store.schema import ITS_ID


class Tournament(Struct, frozen=True, kw_only=True):
    """The identity of a tournament: everything that its games depend on, except how many.

    Attributes:
        kind: What plays it: the command "tournament", "match" or "solo"; "swiss" or "adaptive" for
            a tournament of that schedule; "league" for the games of a league (`salvo submit`),
            whose entrants join one by one, and "planned" for a tournament in its calendar; "play"
            for games against people (`salvo play`), whose entrants join likewise, and never taken
            for the newest tournament of a file.
        seed: The seed that all randomness derives from, as text; in a league, where it stays
            secret, a hash of it; empty if each game has its own seeds.
        gauntlet: The entrant that meets all others, or None if all meet one another.
        derivation: The version of the scheme that derives the seeds of games from the seed.
        block_pairs: Pairs a block: how many one process of each bot plays before the next begins.
        common_layouts: Whether all bots search the same layouts alone; otherwise each searches
            layouts of its own.
    """

    name: str
    kind: str
    rules: Rules
    seed: str
    settings: Settings
    entrants: tuple[Entrant, ...]
    gauntlet: str | None = None
    derivation: int = DERIVATION
    block_pairs: int = PAIRS_PER_BLOCK
    common_layouts: bool = False

    @property
    def seeds(self) -> Seeds:
        """Return the seeds of its games; a league keeps what they derive from secret.

        Raises:
            RecordError: If the seed is not a number.
        """
        if not (self.seed.isascii() and self.seed.isdigit()):
            raise RecordError(
                f"tournament '{self.name}': its seed is {self.seed!r}, not a number: no game of it "
                "can be played again or added"
            )
        return Seeds(int(self.seed), self.rules, self.common_layouts)


def difference(found: Tournament, wanted: Tournament, both: str = "{} then, {} now") -> str | None:
    """Return in words the first difference between two tournaments, or None.

    The order of the entrants and the paths of their files do not matter. ``both`` says how to give
    the two values.
    """
    was, now = _facts(found), _facts(wanted)
    for what in [*now, *was]:
        if was.get(what) != now.get(what):
            return f"{what}: {both.format(_show(was.get(what)), _show(now.get(what)))}"
    return None


def _facts(tournament: Tournament) -> dict[str, Any]:
    facts: dict[str, Any] = {
        field: getattr(tournament, field) for field in ("kind", "seed", "gauntlet", "derivation")
    }
    facts["pairs a block"] = tournament.block_pairs
    facts["common layouts"] = tournament.common_layouts
    for part in (tournament.rules, tournament.settings):
        for field, value in msgspec.structs.asdict(part).items():
            facts[f"{type(part).__name__.lower()} ({field})"] = value
    for entrant in tournament.entrants:
        facts[f"bot {entrant.name}"] = entrant.digest[:12]
        # In a league the operator may change them, and those who play know what is granted now.
        if entrant.program.grants and tournament.kind not in ("league", "planned"):
            facts[f"grant to bot {entrant.name}"] = list(entrant.program.grants)
    return facts


def _show(value: object) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()


class TournamentTable(RecordFile):
    """The tournaments of a record."""

    def tournament_names(self) -> list[str]:
        """Return the names of the tournaments in the file, oldest first."""
        return [name for (name,) in self._db.execute("SELECT name FROM tournaments ORDER BY id")]

    def tournament(self, name: str | None = None) -> Tournament:
        """Return the tournament of a name, or the newest; games of people only if it has no other.

        Raises:
            RecordError: If there is none.
        """
        with snapshot(self._db):
            return self._tournament(name)

    def _tournament(self, name: str | None) -> Tournament:
        row = self._db.execute(
            f"SELECT id, checksum, {TOURNAMENT_COLUMNS} FROM tournaments "
            "WHERE name = ?1 OR ?1 IS NULL "
            "ORDER BY kind = 'play', id DESC LIMIT 1",
            (name,),
        ).fetchone()
        if row is None:
            known = ", ".join(self.tournament_names()) or "none"
            raise RecordError(
                f"record {self.path}: no tournament '{name}'; the file has: {known}"
                if name is not None
                else f"record {self.path}: no tournament was played yet; run `salvo tournament`"
            )
        identifier, checksum, *values = row
        if checksum != tournament_checksum(self._db, identifier):
            raise self._damaged("what it says of its tournament")
        entrants = self._db.execute(
            "SELECT name, program, digest FROM entrants WHERE tournament = ? ORDER BY rowid",
            (identifier,),
        ).fetchall()
        with self._not_understanding():
            return _to_tournament(values, entrants)

    def enter(self, tournament: Tournament) -> None:
        """Record a tournament, or check that the one of the same name is identical.

        Raises:
            RecordError: If the file has another tournament of that name; the message says what
                differs.
        """
        with transaction(self._db):
            self._insert_missing(tournament)
        self._refuse_another(tournament)

    def extend(self, tournament: Tournament) -> None:
        """Record a tournament that entrants join one by one, adding the new ones.

        Raises:
            RecordError: If the file has another tournament of that name; the message says what
                differs.
        """
        with transaction(self._db):
            self._insert_missing(tournament)
            there = self.tournament(tournament.name).entrants
            present = {entrant.name for entrant in there}
            new = [entrant for entrant in tournament.entrants if entrant.name not in present]
            self._insert_entrants(tournament.name, new)
            named = {entrant.name for entrant in tournament.entrants}
            absent = tuple(entrant for entrant in there if entrant.name not in named)
            self._refuse_another(replace(tournament, entrants=(*tournament.entrants, *absent)))

    def resumed(self, tournament: Tournament) -> Tournament:
        """Return a tournament with the size of blocks that it has in the file, if it is there."""
        if tournament.name not in self.tournament_names():
            return tournament
        return replace(tournament, block_pairs=self.tournament(tournament.name).block_pairs)

    def _refuse_another(self, tournament: Tournament) -> None:
        found = self.tournament(tournament.name)
        if found.derivation != tournament.derivation:
            raise RecordError(
                f"record {self.path}: tournament '{tournament.name}' was played by an older "
                "Salvo that derived seeds differently: it can be shown and rated, but not "
                "extended; give this one another name with --tournament"
            )
        other = difference(found, tournament)
        if other is not None:
            raise RecordError(
                f"record {self.path}: its tournament '{tournament.name}' differs in {other}; "
                "give this one another name with --tournament"
            )

    def _insert_missing(self, tournament: Tournament) -> None:
        """Write a tournament and its entrants, unless the file has one of its name."""
        if tournament.name in self.tournament_names():
            return
        self._db.execute(
            f"INSERT INTO tournaments ({TOURNAMENT_COLUMNS}, checksum) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, x'')",
            (
                tournament.name,
                tournament.kind,
                to_json(tournament.rules),
                tournament.seed,
                to_json(tournament.settings),
                tournament.gauntlet,
                tournament.derivation,
                tournament.block_pairs,
                tournament.common_layouts,
            ),
        )
        self._insert_entrants(tournament.name, tournament.entrants)

    def _insert_entrants(self, tournament: str, entrants: Iterable[Entrant]) -> None:
        self._db.executemany(
            f"INSERT INTO entrants (tournament, name, digest, program) VALUES ({ITS_ID}, ?, ?, ?)",
            [
                (tournament, entrant.name, entrant.digest, to_json(entrant.program))
                for entrant in entrants
            ],
        )
        [[identifier]] = self._db.execute(f"SELECT {ITS_ID}", (tournament,))
        self._db.execute(
            "UPDATE tournaments SET checksum = ? WHERE id = ?",
            (tournament_checksum(self._db, identifier), identifier),
        )


def _to_tournament(row: Row, entrants: Iterable[Row]) -> Tournament:
    name, kind, rules, seed, settings, gauntlet, derivation, block_pairs, common = row
    return Tournament(
        name=name,
        kind=kind,
        rules=msgspec.json.decode(rules, type=Rules),
        seed=seed,
        settings=msgspec.json.decode(settings, type=Settings),
        gauntlet=gauntlet,
        derivation=derivation,
        block_pairs=block_pairs,
        common_layouts=bool(common),
        entrants=tuple(
            msgspec.convert(
                {"name": name, "program": msgspec.json.decode(program), "digest": digest}, Entrant
            )
            for name, program, digest in entrants
        ),
    )
