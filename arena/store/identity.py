"""Identifies tournaments in a record, and tells how two differ."""

from typing import Any

import msgspec
from msgspec import Struct

from arena.entrants import Entrant
from arena.records import PAIRS_PER_BLOCK, Settings
from arena.rules import Rules
from arena.seeds import DERIVATION, Seeds


class Tournament(Struct, frozen=True, kw_only=True):
    """The identity of a tournament: everything that its games depend on, except how many.

    Attributes:
        kind: What plays it: the command "tournament", "match" or "solo"; "swiss" or "adaptive" for
            a tournament of that schedule; "league" for the games of a league (`salvo submit`),
            whose entrants join one by one; "play" for games against people (`salvo play`),
            likewise, and never taken for the newest tournament of a file.
        seed: The seed that all randomness derives from, as text; for a league, whose seed stays
            secret, a hash of it; empty if each game has its own seeds.
        settings: The settings of the run that bots can notice.
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
        """Return the seeds of its games; a league keeps what they derive from secret."""
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
        if entrant.program.grants:
            facts[f"grant to bot {entrant.name}"] = list(entrant.program.grants)
    return facts


def _show(value: object) -> str:
    return "none" if value is None else msgspec.json.encode(value).decode()
