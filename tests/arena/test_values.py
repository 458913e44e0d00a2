"""What the arena hands from place to place are values: nobody changes them on the way."""

import importlib
import pkgutil
from collections.abc import Iterator

from msgspec import Struct

import arena

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


def structs(parent: type[Struct]) -> Iterator[type[Struct]]:
    for child in parent.__subclasses__():
        yield child
        yield from structs(child)


def of_arena() -> list[type[Struct]]:
    for module in pkgutil.walk_packages(arena.__path__, "arena."):
        if not module.name.startswith("arena.environments"):  # which need extras, and have none
            importlib.import_module(module.name)
    return [one for one in structs(Struct) if one.__module__.startswith("arena.")]


def test_no_field_of_a_value_can_be_changed() -> None:
    assert [one for one in of_arena() if not one.__struct_config__.frozen] == []


def test_what_is_made_at_every_turn_costs_the_garbage_collector_nothing() -> None:
    for module, names in MADE_AT_EVERY_TURN.items():
        found = {
            one.__name__
            for one in of_arena()
            if one.__module__ == module and not one.__struct_config__.gc
        }
        assert found == names
