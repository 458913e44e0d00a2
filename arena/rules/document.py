"""A rule set as a TOML document that a person can read, change and pass on."""

import json

from arena.rules.board import Ship
from arena.rules.ruleset import Rules

__all__ = ["rules_to_toml"]

_CHOICES = {
    "name": "in tables",
    "rows": "1 to 64",
    "columns": "1 to 64",
    "shots": 'a turn: a number, "afloat" (a ship) or "by-ship"',
    "again": "true: a salvo told to have hit gives another one",
    "told": 'of a salvo: "cells", "count" or "count-by-ship"',
    "sinkings": 'told "named", "unnamed" (how many) or "silent"',
    "touching": 'of ships: "allowed", "corners" (only) or "never"',
    "fleet_known": "false: the opponent's fleet is not told",
    "moves": "true: after its turn a seat may move a ship",
    "reshoot": "true: a cell may be shot again (moves need it)",
    "turn_limit": "turns of each seat; then most ships sunk wins",
    "countdown": "of the last so many turns, bots are told",
    "lies": "a game, about cells, never about a sinking",
    "end": '"at-once", or after "equal-turns" with draws',
    "layouts": 'of the arena: "uniform" or "sequential"',
    "fleet": 'of each side; a ship\'s shots count where they go "by-ship"',
}
"""What each field may be; with the field, 80 characters at the most."""


def rules_to_toml(rules: Rules) -> str:
    """Return every field of a rule set with what it may be; ``rules_from_toml`` reads it."""
    return "".join(_field(name, getattr(rules, name)) for name in _CHOICES)


def _field(name: str, value: object) -> str:
    if isinstance(value, tuple):
        ships = "".join(f"  {_ship(ship)},\n" for ship in value)
        return f"{name} = [ # {_CHOICES[name]}\n{ships}]\n"
    # TOML has no null: what is left out stands as a comment, with an example.
    line = f"# {name} = 75" if value is None else f"{name} = {_literal(value)}"
    return f"{line:23} # {_CHOICES[name]}\n"


def _ship(ship: Ship) -> str:
    return f"{{ name = {_literal(ship.name)}, length = {ship.length}, shots = {ship.shots} }}"


def _literal(value: object) -> str:
    """Return a value as TOML: a string is written as JSON does, but for one sign more."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
