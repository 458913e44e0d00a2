"""Describes rules for the reader of a report."""

from collections.abc import Mapping

from arena.rules import FIRST_FEATURES, PRESETS, Rules, refuse_unknown

_TOLD: Mapping[str, str] = {
    "cells": "whether each of its shots hit",
    "count": "the number of its hits",
    "count-by-ship": "the number of its hits on each ship",
}
_SINKINGS: Mapping[str, str] = {
    "named": "reported, with the ship's name",
    "unnamed": "reported, without the ship's name",
    "silent": "not reported",
}
_TOUCHING: Mapping[str, str] = {
    "allowed": "may touch",
    "corners": "may touch at corners only",
    "never": "may not touch, not even at corners",
}
_LAYOUTS: Mapping[str, str] = {
    "uniform": "every legal layout equally likely",
    "sequential": "one ship after another, the longest first",
}


def describe_rules(rules: Rules) -> dict[str, str]:
    """Return the rules, a mapping from what to how; rare features are listed where they apply.

    Raises:
        RulesError: If they have a feature for which there are no words.
    """
    refuse_unknown(rules, FIRST_FEATURES, "the report has no words for this rule")
    named, line = PRESETS.get(rules.name, (None, ""))
    fleet = ", ".join(f"{ship.name} {ship.length}" for ship in rules.fleet)
    known = "" if rules.fleet_known else "; neither side knows that of the other"
    ended = f"after {rules.turn_limit} turns of each, and who sank more ships wins"
    return {
        "Rules": f"{rules.name}: {line}" if named == rules else rules.name,
        "Board": f"{rules.rows} x {rules.columns} cells",
        "Fleet": f"{fleet}{known}",
        "Ships": _TOUCHING[rules.touching],
        **({"Moves": "an undamaged ship may move a cell along its axis"} if rules.moves else {}),
        "Shots a turn": f"{_shots(rules)}{'; who hits shoots again' if rules.again else ''}",
        **({"Cells shot": "may be shot again"} if rules.reshoot else {}),
        "Reported of a salvo": _TOLD[rules.told] + (" and which ship" if rules.hits_named else ""),
        **({"Lies": f"at most {rules.lies} a game, none about a sinking"} if rules.lies else {}),
        "Sinkings": _SINKINGS[rules.sinkings] + (" and its cells" if rules.sunk_cells else ""),
        **({} if rules.turn_limit is None else {"End at the latest": ended}),
        **({} if rules.end == "at-once" else {"Turns": "equally many for both sides"}),
        "Layouts of the arena": _LAYOUTS[rules.layouts],
    }


def _shots(rules: Rules) -> str:
    if rules.shots == "afloat":
        return "as many as the shooter has ships afloat"
    if rules.shots == "by-ship":
        shots = ", ".join(f"{ship.name} {ship.shots}" for ship in rules.fleet)
        return f"what the ships afloat give: {shots}"
    return str(rules.shots)
