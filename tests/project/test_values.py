"""What is handed from place to place are values: nobody changes them on the way."""

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

from msgspec import Struct

import arena
import bots
import leaderboards
import salvo

ROOMS = (arena, bots, leaderboards, salvo)
LEFT_OUT = ("arena.environments", "bots.training")  # which need extras
MADE_AT_EVERY_TURN = {
    "arena.player.player": {"News", "Reply"},
    "arena.protocol": {
        *("AnswerSalvo", "MoveShip", "ShootSalvo"),
        *("SalvoAnswer", "ShipMove", "Shots"),
    },
    "arena.records": {"AnswerStep", "MoveStep", "PlaceStep", "ShootStep"},
    "arena.rules.actions": {
        *("CellsReport", "CountReport", "Salvo"),
        *("AnswerRequest", "MoveRequest", "PlaceRequest", "ShootRequest"),
        *("Answer", "Move", "Place", "Shoot"),
    },
    "arena.rules.firing": {"Sides", "Volley", "Waters"},
    "arena.rules.game": {"State"},
}
COUNTERS = {"_Score", "CellCounts"}  # which are counted up
BY_NAME = {
    *("Anchor", "Charter", "Entry", "Planned"),
    *("Game", "Introduction", "Needs", "Plan", "Settings", "Terms", "Tournament"),
    *("Played", "Reported"),
    *("Rules", "RulesView", "_Rules"),
    *("Conditions", "RunOptions"),
    *("Endpoint", "Policy", "Result"),
    "Origin",
}


def modules() -> Iterator[ModuleType]:
    for room in ROOMS:
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if not found.name.startswith(LEFT_OUT) and not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def kinds() -> set[type[Any]]:
    found = [
        (module, kind)
        for module in modules()
        for kind in vars(module).values()
        if isinstance(kind, type)
    ]
    return {kind for module, kind in found if kind.__module__ == module.__name__}


def structs() -> list[type[Struct]]:
    return [kind for kind in kinds() if issubclass(kind, Struct)]


def test_no_field_of_a_value_can_be_changed() -> None:
    # What comes and goes by HTTP lives for one request.
    lasting = [one for one in structs() if not one.__module__.startswith("salvo.server.web.")]
    assert [one.__name__ for one in lasting if not one.__struct_config__.frozen] == []
    data = [one for one in kinds() if dataclasses.is_dataclass(one)]
    assert {one.__name__ for one in data if not one.__dataclass_params__.frozen} == COUNTERS


def test_ratings_have_no_attributes_beside_their_fields() -> None:
    data = [one for one in kinds() if dataclasses.is_dataclass(one)]
    rated = [one for one in data if one.__module__.startswith("leaderboards.")]
    assert [one.__name__ for one in rated if "__slots__" not in vars(one)] == ["Fit"]  # it caches


def test_what_is_made_at_every_turn_costs_the_garbage_collector_nothing() -> None:
    uncollected = {
        (one.__module__, one.__name__) for one in structs() if not one.__struct_config__.gc
    }
    assert uncollected == {
        (module, name) for module, names in MADE_AT_EVERY_TURN.items() for name in names
    }


def test_what_files_and_options_say_is_made_with_the_names_of_fields() -> None:
    # So a field that is new may come anywhere.
    named = {one.__name__ for one in kinds() if _by_name_alone(one)}
    assert named == BY_NAME


def _by_name_alone(kind: type[Any]) -> bool:
    if not issubclass(kind, Struct) and not dataclasses.is_dataclass(kind):
        return False
    fields = signature(kind).parameters.values()
    return bool(fields) and all(field.kind is Parameter.KEYWORD_ONLY for field in fields)
