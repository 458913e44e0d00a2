"""Reports say more than hits and misses where the rules ask for it."""

import msgspec
import pytest
from msgspec.structs import replace

from arena.rules import (
    CellsReport,
    CountReport,
    Place,
    Report,
    Rules,
    Ship,
    Shoot,
    State,
    apply,
    begin,
    begin_solo,
    preset,
)

BOATS = Rules(name="boats", rows=2, columns=3, shots=2, fleet=(Ship("A", 2), Ship("B", 1)))
LAYOUT = (0b000011, 0b100000)  # A on the first two cells, B on the last
PLAIN = '{"type":"cells","hits":[0,5],"sunk":["B"]}'


def salvo(rules: Rules, *cells: int) -> State:
    return apply(begin_solo(rules, LAYOUT), Shoot(cells))


def report(rules: Rules, *cells: int) -> CellsReport:
    told = salvo(rules, *cells).salvo
    assert told is not None
    assert isinstance(told.report, CellsReport)
    return told.report


def test_hits_are_named_in_the_order_of_the_shots() -> None:
    rules = replace(BOATS, hits_named=True)
    assert report(rules, 5, 0).ships == ("B", "A")
    assert report(rules, 2, 3).ships == ()


def test_sunk_ship_is_reported_with_its_cells() -> None:
    rules = replace(BOATS, sunk_cells=True)
    assert report(rules, 0, 1).sunk_cells == {"A": (0, 1)}
    assert report(rules, 0, 2).sunk_cells == {}


@pytest.mark.parametrize("told", ["count", "count-by-ship"])
def test_sunk_ship_is_reported_with_its_cells_where_hits_are_counted(told: str) -> None:
    rules = msgspec.convert(msgspec.to_builtins(BOATS) | {"told": told, "sunk_cells": True}, Rules)
    after = salvo(rules, 0, 1).salvo
    assert after is not None
    assert after.report.sunk_cells == {"A": (0, 1)}


@pytest.mark.parametrize(
    ("told", "missed"),
    [
        ("cells", CellsReport((), (), (), {})),
        ("count", CountReport(0, None, (), {})),
        ("count-by-ship", CountReport(0, {}, (), {})),
    ],
)
def test_salvo_that_misses_tells_no_ships_and_no_cells(told: str, missed: Report) -> None:
    fields = {"told": told, "sunk_cells": True, "hits_named": told == "cells"}
    state = begin(msgspec.convert(msgspec.to_builtins(BOATS) | fields, Rules))
    for _ in range(2):
        state = apply(state, Place({"A": (0, 1), "B": (5,)}))
    after = apply(state, Shoot((2, 3))).salvo
    assert after is not None
    assert after.report == missed


def test_reports_and_rules_without_it_are_what_they_were() -> None:
    assert msgspec.json.encode(report(BOATS, 0, 5)).decode() == PLAIN
    counted = msgspec.json.encode(CountReport(2, None, ("B",))).decode()
    assert counted == '{"type":"count","hits":2,"ships":null,"sunk":["B"]}'
    assert msgspec.json.encode(BOATS).decode() == (
        '{"rows":2,"columns":3,"shots":2,"name":"boats",'
        '"fleet":[{"name":"A","length":2},{"name":"B","length":1}]}'
    )
    assert "hits_named" not in msgspec.to_builtins(preset("classic"))
    assert "sunk_cells" not in msgspec.to_builtins(preset("classic"))


def test_boxed_game_is_the_classic_one_with_named_hits() -> None:
    assert preset("boxed") == replace(preset("classic"), name="boxed", hits_named=True)
