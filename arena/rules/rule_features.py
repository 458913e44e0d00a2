"""Says what is unusual about a rule set, so that readers can declare what they understand.

A feature is a field of ``Rules`` whose value is not its default, the plain game's. It has the name
of the field, such as "moves", and if the value is a word also that, such as "told=count". So every
new field, and every new word, is a feature by itself. Whatever reads rules declares the features
that it understands as a frozenset, and takes no rules that have another: a rule that it does not
know is refused, never played or shown wrongly. The sets below never grow: what understands a later
feature adds it to its own declaration.
"""

from collections.abc import Iterator
from functools import cache

from msgspec import NODEFAULT, Struct

from arena.errors import RulesError
from arena.rules.ruleset import Rules, RulesView

SALVOS = frozenset({"shots", "shots=afloat", "shots=by-ship"})
"""Several shots a turn."""

COUNTED = frozenset({"told=count", "told=count-by-ship"})
SINKINGS = frozenset({"sinkings=unnamed", "sinkings=silent"})
TOUCHING = frozenset({"touching=corners", "touching=never"})
DETAILS = frozenset({"hits_named", "sunk_cells"})
"""Reports that say more than those of the plain game."""

TURNS = frozenset({"again", "turn_limit", "countdown", "end=equal-turns"})
"""Whose turn it is, and when the game ends."""

CERTAIN = SALVOS | SINKINGS | TOUCHING | DETAILS | TURNS | {"layouts=sequential"}
"""Features by which each cell of a known fleet is reported, truly and for good."""

FIRST_FEATURES = CERTAIN | COUNTED | {"fleet_known", "moves", "reshoot", "lies"}
"""All features of version 1 of the protocol."""

_SIZES = frozenset({"name", "rows", "columns", "fleet", "opponent_fleet"})
"""Fields that every game has, for which any value is usual."""

_SHIP = frozenset({"name", "length", "shots"})
"""The same of a ship; its shots only matter with the feature "shots=by-ship"."""


def unusual(rules: Rules | RulesView) -> frozenset[str]:
    """Return the features of a rule set."""
    return frozenset(_feature(field, value) for field, value, _ in _deviations(rules))


def refuse_unknown(rules: Rules | RulesView, understood: frozenset[str], reader: str) -> None:
    """Refuse rules that have a feature which their reader does not understand.

    ``reader`` is a clause for the message that says who does not understand it and, if it is not
    obvious, why.

    Raises:
        RulesError: If there is such a feature.
    """
    for field, value, plain in _deviations(rules):
        if _feature(field, value) not in understood:
            name = f" '{rules.name}'" if isinstance(rules, Rules) else ""
            removable = plain is None or plain is NODEFAULT
            fix = f"leave {field} out" if removable else f"set {field} to {_shown(plain)}"
            raise RulesError(f"rules{name}, {field}: {_shown(value)}: {reader}; {fix}")


def _feature(field: str, value: object) -> str:
    return f"{field}={value}" if isinstance(value, str) else field


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _deviations(rules: Rules | RulesView) -> Iterator[tuple[str, object, object]]:
    """Yield each field whose value is unusual, with its value and the plain game's."""
    for field, plain in _plain(type(rules), _SIZES):
        if (value := getattr(rules, field)) != plain:
            yield field, value, plain
    if isinstance(rules, RulesView) and rules.opponent_fleet is None:
        yield "fleet_known", False, True
    for ship in rules.fleet:
        for field, plain in _plain(type(ship), _SHIP):
            if (value := getattr(ship, field)) != plain:
                yield f"fleet.{field}", value, plain


@cache
def _plain(kind: type[Struct], usual: frozenset[str]) -> list[tuple[str, object]]:
    fields, defaults = kind.__struct_fields__, kind.__struct_defaults__
    defaults = (NODEFAULT,) * (len(fields) - len(defaults)) + defaults
    return [pair for pair in zip(fields, defaults, strict=True) if pair[0] not in usual]
