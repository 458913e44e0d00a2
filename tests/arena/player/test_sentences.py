"""The words in which a person is told the rules, the salvos and the result, to the letter."""

import pytest

from arena.player.person import Chart
from arena.player.person.sentences import direction, fired, fleets, guide, outcome, suffered
from arena.protocol import End
from arena.records import Termination
from arena.rules import CellsReport, CountReport, Report, Rules, Ship, mask_of, preset

BOATS = (Ship("Long", 3), Ship("Short", 2), Ship("Dot", 1))
AT = {"Long": (0, 1, 2), "Short": (4, 8), "Dot": (15,)}

BOARD = "The board has rows A to D and columns 1 to 4; a cell is called D2."
FLEET = "Your fleet: Long 3, Short 2, Dot 1."
ONE_SHOT = "1 shot a turn."
EACH = "Each shot is reported as a hit or a miss."
NAMED = "Sunk ships are named."
ALWAYS = "At any time: ? helps, q leaves the game."


def rules(**given: object) -> Rules:
    usual = {"name": "small", "rows": 4, "columns": 4, "fleet": BOATS}
    return Rules(**{**usual, **given})  # type: ignore[arg-type]


def chart(**given: object) -> Chart:
    """Return the boards of one whose fleet is placed."""
    shown = Chart(rules(**given))
    shown.settle(tuple(mask_of(cells) for cells in AT.values()))
    return shown


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, [BOARD, FLEET, ONE_SHOT, EACH, NAMED]),
        (
            {"rows": 1, "columns": 9},
            [
                "The board has row A and columns 1 to 9; a cell is called A2.",
                FLEET,
                ONE_SHOT,
                EACH,
                NAMED,
            ],
        ),
        (
            {"shots": 2, "again": True, "hits_named": True, "sunk_cells": True},
            [
                BOARD,
                FLEET,
                "2 shots a turn.",
                "A hit gives another shot.",
                EACH,
                "A hit names the ship.",
                NAMED,
                "Where a ship lay is reported when it sinks.",
            ],
        ),
        (
            {"fleet_known": False, "sinkings": "unnamed", "lies": 1, "touching": "corners"},
            [
                BOARD,
                "Your fleet: Long 3, Short 2, Dot 1; theirs you do not know.",
                ONE_SHOT,
                EACH,
                "You learn when a ship is sunk, but not which.",
                "Ships may touch at corners only.",
                "Each side may lie 1 time about a cell, never a sinking.",
            ],
        ),
        (
            {"told": "count", "sinkings": "silent", "shots": "afloat", "end": "equal-turns"},
            [
                BOARD,
                FLEET,
                "Each turn you get as many shots as you have ships afloat.",
                "Only the number of hits of a turn is reported.",
                "Sinkings are not reported.",
                "Both sides get equally many turns, so there are draws.",
            ],
        ),
        (
            {"told": "count-by-ship", "shots": "by-ship"},
            [
                BOARD,
                FLEET,
                "Each turn you get the shots of your ships afloat.",
                "The number of hits on each ship is reported, not which shots they were.",
                NAMED,
            ],
        ),
        (
            {"rows": 8, "fleet": tuple(Ship(f"Boat {number}", 1) for number in range(6))},
            [
                "The board has rows A to H and columns 1 to 4; a cell is called H2.",
                "Your fleet: Boat 0 1, Boat 1 1, Boat 2 1, Boat 3 1, Boat 4 1, Boat 5 1.",
                ONE_SHOT,
                EACH,
                NAMED,
            ],
        ),
        (
            {"fleet": tuple(Ship(f"Boat {number}", 1) for number in range(7))},
            [BOARD, "Your fleet: ships of 1, 1, 1, 1, 1, 1, 1.", ONE_SHOT, EACH, NAMED],
        ),
    ],
)
def test_rules_are_explained(given: dict[str, object], said: list[str]) -> None:
    assert guide(rules(**given)) == " ".join([*said, ALWAYS])


def test_rules_of_many_ships_that_move_are_explained() -> None:
    assert guide(preset("afp")) == (
        "The board has rows A to J and columns 1 to 10; a cell is called J2. "
        "Your fleet: ships of 5, 4, 4, 3, 3, 3, 2, 2, 2, 2. 1 shot a turn. "
        "A hit gives another shot. Each shot is reported as a hit or a miss. "
        "You learn when a ship is sunk, but not which. "
        "Ships may not touch, not even at corners. "
        "After a turn, an undamaged ship may move one cell along its axis. "
        "A cell may be shot again. After 75 turns each, who sank more ships wins. "
        "At any time: ? helps, q leaves the game."
    )


@pytest.mark.parametrize(
    ("cells", "report", "lies", "said"),
    [
        ((0,), CellsReport((), ()), 0, "A1: a miss."),
        ((5,), CellsReport((5,), ()), 0, "B2: a hit."),
        ((5,), CellsReport((), 0), 1, "B2: they say it is a miss."),
        ((5,), CellsReport((5,), 1), 1, "B2: they say it is a hit. You sink a ship."),
        ((5,), CellsReport((5,), (), ("Long",)), 0, "B2: a hit on their Long."),
        ((15,), CellsReport((15,), ("Dot",)), 0, "D4: a hit. You sink their Dot."),
        ((0, 1), CellsReport((), ()), 0, "A1 A2: all miss."),
        ((0, 1), CellsReport((), 0), 2, "A1 A2: they say all miss."),
        ((0, 1), CellsReport((1,), None), 0, "A1 A2: 1 hit, at A2."),
        ((0, 1), CellsReport((0, 1), 0), 2, "A1 A2: they say 2 hits, at A1 and A2."),
        (
            (0, 1, 4),
            CellsReport((0, 1, 4), ("Long", "Short"), ("Long", "Long", "Short")),
            0,
            (
                "A1 A2 B1: 3 hits, at A1 on their Long, A2 on their Long and B1 on their Short. "
                "You sink their Long and Short."
            ),
        ),
        ((0, 1), CountReport(0, None, None), 0, "A1 A2: 0 hits."),
        ((0, 1), CountReport(1, None, 2), 0, "A1 A2: 1 hit. You sink 2 ships."),
        (
            (0, 1, 4),
            CountReport(3, {"Long": 2, "Dot": 1}, ("Long", "Short", "Dot")),
            0,
            (
                "A1 A2 B1: 3 hits: 2 on their Long, 1 on their Dot. "
                "You sink their Long, Short and Dot."
            ),
        ),
    ],
)
def test_own_salvo_is_told_as_it_was_reported(
    cells: tuple[int, ...], report: Report, lies: int, said: str
) -> None:
    shown = chart(lies=lies, sinkings="unnamed") if lies else chart()
    shown.shoot(cells)
    assert fired(shown, report) == f"You shoot {said}"


@pytest.mark.parametrize(
    ("salvos", "said"),
    [
        ([(3,)], "A4: a miss."),
        ([(15,)], "D4: it hits your Dot. They sink your Dot."),
        ([(0,)], "A1: it hits your Long."),
        ([(3, 5)], "A4 B2: all miss."),
        ([(3, 0)], "A4 A1: A1 hits your Long, 1 miss."),
        ([(0, 4)], "A1 B1: A1 hits your Long, B1 hits your Short."),
        (
            [(0, 1, 3), (2, 4, 8)],
            (
                "A3 B1 C1: A3 hits your Long, B1 hits your Short, C1 hits your Short. "
                "They sink your Long and Short."
            ),
        ),
    ],
)
def test_salvo_of_the_other_side_is_told_as_it_was(
    salvos: list[tuple[int, ...]], said: str
) -> None:
    shown = chart()
    for cells in salvos:
        assert shown.own is not None
        ships = {cell: shown.ship_at(cell) for cell in cells if shown.own.afloat >> cell & 1}
        told = suffered(shown, cells, ships, shown.suffer(cells))
    assert told == f"They shoot {said}"
    assert shown.fresh == {cell for cells in salvos for cell in cells}


@pytest.mark.parametrize(
    ("given", "report", "said"),
    [
        (
            {},
            CellsReport((0,), ("Dot",)),
            "Turn 0.\nYours afloat: Short 2, Dot 1.\nTheirs afloat: Long 3, Short 2.",
        ),
        (
            {"turn_limit": 9},
            CellsReport((0,), ("Long", "Short", "Dot")),
            "Turn 0 of 9.\nYours afloat: Short 2, Dot 1.\nTheirs afloat: none.",
        ),
        (
            {"sinkings": "unnamed"},
            CellsReport((0,), 2),
            (
                "Turn 0.\nYours afloat: Short 2, Dot 1.\n"
                "Theirs: Long 3, Short 2, Dot 1; you sank 2 of 3."
            ),
        ),
        (
            {"sinkings": "silent"},
            CountReport(1, None, None),
            (
                "Turn 0.\nYours afloat: Short 2, Dot 1.\n"
                "Theirs: Long 3, Short 2, Dot 1; sinkings are not reported."
            ),
        ),
        (
            {"fleet_known": False, "sinkings": "unnamed"},
            CellsReport((0,), 1),
            "Turn 0.\nYours afloat: Short 2, Dot 1.\nTheir fleet is unknown. You sank 1 so far.",
        ),
        (
            {"fleet_known": False, "sinkings": "silent"},
            CellsReport((0,), None),
            "Turn 0.\nYours afloat: Short 2, Dot 1.\nTheir fleet is unknown.",
        ),
    ],
)
def test_ships_afloat_are_told(given: dict[str, object], report: Report, said: str) -> None:
    shown = chart(**given)
    shown.suffer((0, 1, 2))
    shown.shoot((0,))
    shown.learn(report)
    assert fleets(shown) == said
    assert shown.marks == {0: "untold" if isinstance(report, CountReport) else "hit"}


def test_one_alone_has_no_fleet_of_its_own_and_loses_none() -> None:
    shown = Chart(rules())
    assert fleets(shown) == "Turn 0.\nTheirs afloat: Long 3, Short 2, Dot 1."
    placed = chart()
    placed.suffer((0, 1, 2, 4, 8, 15))
    assert fleets(placed).splitlines()[1] == "Yours afloat: none."


@pytest.mark.parametrize(
    ("result", "termination", "said"),
    [
        ("won", Termination.SUNK, "You win: you sank the whole fleet."),
        ("lost", Termination.SUNK, "You lose: your whole fleet is sunk."),
        ("drawn", Termination.SUNK, "A draw: both fleets are sunk."),
        (
            "lost",
            Termination.TURN_LIMIT,
            "You lose: the turns are used up; you sank 1 and they sank 2 ships.",
        ),
        ("won", Termination.EXITED, "You win: they forfeit (exited: it left)."),
    ],
)
def test_result_is_told(result: str, termination: Termination, said: str) -> None:
    shown = chart(turn_limit=9)
    shown.suffer((0, 1, 2, 15))
    shown.shoot((0,))
    shown.learn(CellsReport((0,), ("Dot",)))
    end = End(result, termination, "it left", None, (), None)  # type: ignore[arg-type]
    assert outcome(shown, end) == said


def test_how_many_were_sunk_stays_unknown_where_sinkings_are_silent() -> None:
    shown = chart(turn_limit=9, sinkings="silent")
    end = End("drawn", Termination.TURN_LIMIT, "", None, (), None)
    assert outcome(shown, end) == "A draw: the turns are used up; they sank 0 ships."


@pytest.mark.parametrize(
    ("shift", "columns", "way"),
    [(1, 10, "right"), (-1, 10, "left"), (10, 10, "down"), (-10, 10, "up"), (1, 1, "down")],
)
def test_moves_have_a_direction(shift: int, columns: int, way: str) -> None:
    assert direction(shift, columns) == way
