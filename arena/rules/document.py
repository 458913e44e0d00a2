"""Writes a rule set as a commented TOML document that people can read, edit and share."""

import json

from arena.rules.rule_features import FIRST_FEATURES, refuse_unknown
from arena.rules.ruleset import Rules

_CHOICES = {
    "name": "in tables",
    "rows": "1 to 64",
    "columns": "1 to 64",
    "shots": 'per turn: number, "afloat" (1 a ship) or "by-ship"',
    "again": "true: a salvo reported as a hit gives another one",
    "told": 'hits as "cells", "count" or "count-by-ship"',
    "sinkings": '"named", "unnamed" (how many) or "silent"',
    "touching": 'of ships: "allowed", "corners" (only) or "never"',
    "fleet_known": "false: the opponent's fleet is hidden",
    "moves": "true: after its turn a seat may move a ship",
    "reshoot": "true: a cell may be shot again (moves need it)",
    "turn_limit": "turns of each seat; then most ships sunk wins",
    "countdown": "how many of the last turns are the countdown",
    "lies": "per game, about cells, never about a sinking",
    "end": '"at-once", or after "equal-turns" with draws',
    "layouts": 'of the arena: "uniform" or "sequential"',
    "hits_named": "true: a hit names the ship (told cells)",
    "sunk_cells": "true: a sinking tells the ship's cells (named)",
    "fleet": 'of each side; shots only matter with shots = "by-ship"',
}
"""What each field may be; with the field, at most 80 characters."""


def rules_to_toml(rules: Rules) -> str:
    """Return a rule set as TOML, each field with a comment; ``rules_from_toml`` reads it back.

    Raises:
        RulesError: If it has a feature for which there is no comment.
    """
    refuse_unknown(rules, FIRST_FEATURES, "the comments of a TOML file do not know this rule")
    return "".join(_field(name, getattr(rules, name)) for name in _CHOICES)


def _field(name: str, value: object) -> str:
    if isinstance(value, tuple):
        ships = "".join(
            f"  {{ name = {_literal(ship.name)}, length = {ship.length}, shots = {ship.shots} }},\n"
            for ship in value
        )
        return f"{name} = [ # {_CHOICES[name]}\n{ships}]\n"
    # TOML has no null: a field without a value is commented out, with an example value.
    line = f"# {name} = 75" if value is None else f"{name} = {_literal(value)}"
    return f"{line:23} # {_CHOICES[name]}\n"


def _literal(value: object) -> str:
    """Return a value as TOML: the same as JSON, except that TOML also escapes DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
