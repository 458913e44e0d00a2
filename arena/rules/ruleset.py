"""Defines a rule set: the board, the fleet, the shots per turn, the reports; validated once.

Every variant of the game is data in ``Rules``. A new rule is a new field whose default keeps the
earlier behaviour, so that rule sets, records and bots stay valid.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from arena.errors import RulesError
from arena.rules.board import MAX_SIDE, Ship, Touching, barred, placements
from arena.rules.layouts import Distribution, can_draw

MAX_FIT_STEPS = 200_000
"""Steps after which the search for a layout gives up."""

Side = Annotated[int, Meta(ge=1, le=MAX_SIDE)]
ShotsRule = Literal["afloat", "by-ship"] | Annotated[int, Meta(ge=1, le=MAX_SIDE**2)]
"""Shots per turn: a fixed number, one for each ship that the shooter has afloat when the turn
begins, or the sum of those ships' ``shots``."""

ToldRule = Literal["cells", "count", "count-by-ship"]
"""The kind of report: each cell's hit or miss, the number of hits, or that number per ship hit."""

SinkingsRule = Literal["named", "unnamed", "silent"]
EndRule = Literal["at-once", "equal-turns"]


class _Rules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Fields of ``Rules`` and ``RulesView``; ``omit_defaults`` keeps old rule sets identical."""

    rows: Side
    columns: Side
    shots: ShotsRule = 1
    again: bool = False
    told: ToldRule = "cells"
    sinkings: SinkingsRule = "named"
    touching: Touching = "allowed"
    moves: bool = False
    reshoot: bool = False
    turn_limit: Annotated[int, Meta(ge=1, le=100_000)] | None = None
    countdown: Annotated[int, Meta(ge=0, le=100_000)] = 0
    lies: Annotated[int, Meta(ge=0, le=MAX_SIDE**2)] = 0
    end: EndRule = "at-once"
    layouts: Distribution = "uniform"
    hits_named: bool = False
    sunk_cells: bool = False

    @property
    def cells(self) -> int:
        """Return the number of cells of the board."""
        return self.rows * self.columns


class Rules(_Rules, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A variant of the game; both seats have the same fleet.

    The fields that bots see are explained in PROTOCOL.md.

    Attributes:
        name: The name in tables; the game does not depend on it.
        fleet: The ships of each side, in the order in which tables list them.
        fleet_known: Whether each seat knows the fleet of the other.

    Raises:
        RulesError: On construction, if the fields contradict each other.
    """

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    fleet: Annotated[tuple[Ship, ...], Meta(min_length=1, max_length=64)]
    fleet_known: bool = True

    @property
    def full_salvo(self) -> int:
        """Return the shots per turn of a seat that has its whole fleet afloat."""
        if self.shots == "by-ship":
            return sum(ship.shots for ship in self.fleet)
        return len(self.fleet) if self.shots == "afloat" else self.shots

    def __post_init__(self) -> None:
        """Reject rules by which no game could be played."""
        for complaint in _contradictions(self):
            raise RulesError(f"rules '{self.name}', {complaint}")
        if not fits(self):
            raise RulesError(
                f"rules '{self.name}', fleet: no layout of ships of "
                f"{', '.join(str(ship.length) for ship in self.fleet)} cells was found on "
                f"{self.rows} x {self.columns} cells, touching {self.touching}; "
                "enlarge the board or shorten the fleet"
            )


def _contradictions(rules: Rules) -> Iterator[str]:
    """Yield the contradictions, each as the field, what is wrong with it, and how to fix it."""
    names = [ship.name for ship in rules.fleet]
    limit = rules.turn_limit
    for twin in sorted({name for name in names if names.count(name) > 1}):
        yield f"fleet: the ship name '{twin}' appears twice; give each ship its own name"
    if rules.shots == "by-ship" and not all(ship.shots for ship in rules.fleet):
        yield (
            "shots: by-ship, but a ship gives no shots and a seat could be left with it alone; "
            "give every ship at least one shot"
        )
    if rules.moves and not rules.reshoot:
        yield "moves: ships may move onto cells that were shot before; set reshoot to true"
    yield from _contradictions_to_secrets(rules)
    yield from _contradictions_to_details(rules)
    if rules.countdown and limit is None:
        yield f"countdown: {rules.countdown}, but there is no turn limit; set turn_limit"
    if limit is not None and rules.countdown > limit:
        yield f"countdown: {rules.countdown} of {limit} turns; make it shorter than turn_limit"


def _contradictions_to_secrets(rules: Rules) -> Iterator[str]:
    if rules.lies:
        lies = f"lies: {rules.lies}, but"
        if rules.told != "cells":
            yield f"{lies} cells are not reported, so none can be lied about; set told to cells"
        if rules.sinkings == "silent":
            yield (
                f"{lies} sinkings, about which nobody may lie, are silent; "
                "set sinkings to unnamed or named"
            )
    if not rules.fleet_known:
        known = "fleet_known: false, but"
        if rules.sinkings == "named":
            yield (
                f"{known} the names of sunk ships would reveal the fleet; "
                "set sinkings to unnamed or silent"
            )
        if not isinstance(rules.shots, int):
            yield (
                f"{known} in solo games the shots due ({rules.shots}) would reveal the fleet; "
                "set shots to a number"
            )
        if rules.told == "count-by-ship":
            yield f"{known} the names of ships hit would reveal the fleet; set told to count"


def _contradictions_to_details(rules: Rules) -> Iterator[str]:
    if rules.hits_named:
        named = "hits_named: true, but"
        if rules.told != "cells":
            told = f"hits are reported as {rules.told}, not each by itself"
            yield f"{named} {told}; set told to cells"
        if rules.lies:
            yield f"{named} with {rules.lies} lies a hit may be no ship's; set lies to 0"
        if not rules.fleet_known:
            yield f"{named} the names of ships hit would reveal the fleet; set fleet_known to true"
    if rules.sunk_cells and rules.sinkings != "named":
        yield f"sunk_cells: true, but sinkings are {rules.sinkings}; set sinkings to named"


_OWN = ("name", "fleet", "fleet_known")
"""Fields of ``Rules`` that ``RulesView`` does not have as they are."""


class RulesView(_Rules, frozen=True, kw_only=True, omit_defaults=False):
    """The rules as a bot sees them: its own fleet, and the opponent's if that is known."""

    fleet: tuple[Ship, ...]
    opponent_fleet: tuple[Ship, ...] | None


@lru_cache(maxsize=64)
def view(rules: Rules, *, places: bool = False) -> RulesView:
    """Return ``rules`` as a bot in either seat sees them.

    A bot that ``places`` its fleet has to know it. Otherwise an unknown fleet is left out
    altogether, since both seats have the same.
    """
    # Of all fields, so that one which the view lacks is an error, not lost on the way to bots.
    shared = {name: getattr(rules, name) for name in rules.__struct_fields__ if name not in _OWN}
    return RulesView(
        fleet=rules.fleet if rules.fleet_known or places else (),
        opponent_fleet=rules.fleet if rules.fleet_known else None,
        **shared,
    )


def fits(rules: Rules) -> bool:
    """Return whether a bounded search finds a layout of the fleet.

    It places the longest ship first, at the first free place, so it succeeds at once on any board
    with room to spare; it gives up after ``MAX_FIT_STEPS`` steps.
    """
    lengths = sorted((ship.length for ship in rules.fleet), reverse=True)
    if sum(lengths) > rules.cells:
        return False
    options = [placements(rules.rows, rules.columns, length) for length in lengths]
    steps = 0
    # Ships of the same length are interchangeable: the later one need only try later places.
    stack = [(0, 0, 0)]  # ships placed, cells closed by them, place to go on from
    while stack and steps < MAX_FIT_STEPS:
        placed, closed, start = stack.pop()
        if placed == len(lengths):
            return True
        for index in range(start, len(options[placed])):
            steps += 1
            mask = options[placed][index]
            if not mask & closed:
                same = placed + 1 < len(lengths) and lengths[placed + 1] == lengths[placed]
                stack.append((placed, closed, index + 1))
                closed |= barred(rules.rows, rules.columns, mask, rules.touching)
                stack.append((placed + 1, closed, index + 1 if same else 0))
                break
    return False


def rules_from_toml(text: str, source: str) -> Rules:
    """Return the rule set that a TOML document describes.

    Raises:
        RulesError: If it is not TOML, a field is missing, unknown, of the wrong type or outside
            its bounds, the fields contradict each other, or the board is too full to draw
            layouts.
    """
    import tomllib  # noqa: PLC0415 - bots import these rules at every start, and read no file

    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(f"rules file {source}: not TOML: {error}") from error
    try:
        rules = msgspec.convert(table, Rules)
    except RulesError as error:
        raise RulesError(f"rules file {source}: {error}") from error
    except msgspec.ValidationError as error:
        raise RulesError(f"rules file {source}: {_explain(error, table)}") from error
    if not can_draw(rules):
        raise RulesError(
            f"rules file {source}: fleet: {sum(ship.length for ship in rules.fleet)} of "
            f"{rules.cells} cells are too many to draw layouts at random; "
            "enlarge the board or shorten the fleet"
        )
    return rules


def _explain(error: msgspec.ValidationError, table: dict[str, Any]) -> str:
    """Return which field broke which constraint, its value, and how to fix it."""
    constraint, _, path = str(error).partition(" - at ")
    field = path.strip("`").removeprefix("$.") or "the whole file"
    value: Any = table
    for step in re.findall(r"\w+", path):
        value = value[int(step) if isinstance(value, list) else step]
    found = "" if value is table else f", found {str(value)[:80]!r}"
    kind = get_type_hints(Rules).get(field)
    if constraint.startswith("Invalid enum value") and get_origin(kind) is Literal:
        return f"{field}: found {value!r}, which is none of {', '.join(map(repr, get_args(kind)))}"
    if value is not table:
        return f"{field}: {constraint}{found}; `salvo rules NAME` says what each field may be"
    return f"{field}: {constraint}{found}; the fields are {', '.join(Rules.__struct_fields__)}"
