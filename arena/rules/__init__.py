"""Implements the game as pure functions: no I/O, no clock; random generators are passed in.

Every bot imports this package each time it starts, and needs its types and the layouts alone: the
other modules are imported when one of their names is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from arena.rules.actions import (
    Action,
    Answer,
    AnswerRequest,
    CellsReport,
    CountReport,
    Move,
    MoveRequest,
    Place,
    PlaceRequest,
    Report,
    Request,
    Result,
    Salvo,
    Seat,
    Shoot,
    ShootRequest,
    other,
)
from arena.rules.board import Ship, barred, cells_of, mask_of, placements
from arena.rules.layouts import Layout, NamedLayout, check_layout, draw, draw_uniform, name_layout
from arena.rules.rule_features import FIRST_FEATURES, refuse_unknown, unusual
from arena.rules.ruleset import Rules, RulesView, rules_from_toml, view

if TYPE_CHECKING:
    from arena.rules.cell_names import cell_name, read_cell, row_name
    from arena.rules.document import rules_to_toml
    from arena.rules.firing import Waters, fire
    from arena.rules.game import SOLO_CAP, State, apply, begin, begin_solo
    from arena.rules.motion import legal_moves, move_ship
    from arena.rules.presets import PRESETS, preset

__all__ = [
    "FIRST_FEATURES",
    "PRESETS",
    "SOLO_CAP",
    "Action",
    "Answer",
    "AnswerRequest",
    "CellsReport",
    "CountReport",
    "Layout",
    "Move",
    "MoveRequest",
    "NamedLayout",
    "Place",
    "PlaceRequest",
    "Report",
    "Request",
    "Result",
    "Rules",
    "RulesView",
    "Salvo",
    "Seat",
    "Ship",
    "Shoot",
    "ShootRequest",
    "State",
    "Waters",
    "apply",
    "barred",
    "begin",
    "begin_solo",
    "cell_name",
    "cells_of",
    "check_layout",
    "draw",
    "draw_uniform",
    "fire",
    "legal_moves",
    "mask_of",
    "move_ship",
    "name_layout",
    "other",
    "placements",
    "preset",
    "read_cell",
    "refuse_unknown",
    "row_name",
    "rules_from_toml",
    "rules_to_toml",
    "unusual",
    "view",
]

_LATER = {
    "cell_names": ("cell_name", "read_cell", "row_name"),
    "document": ("rules_to_toml",),
    "firing": ("Waters", "fire"),
    "game": ("SOLO_CAP", "State", "apply", "begin", "begin_solo"),
    "motion": ("legal_moves", "move_ship"),
    "presets": ("PRESETS", "preset"),
}
"""By module: the names for which it is imported."""

_HOMES = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    """Import the module of a name, once."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
