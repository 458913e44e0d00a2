"""A game as one seat sees it: what it is told, in which order, and what its chart then knows."""

import pytest

from arena.player.person import Sight
from arena.protocol import End
from arena.records import Termination
from arena.rules import Action, Answer, Layout, Move, Place, Rules, Seat, Ship, Shoot

ROW = Rules(name="row", rows=1, columns=5, fleet=(Ship("Boat", 2),), turn_limit=9)
LIARS = Rules(name="liars", rows=1, columns=5, fleet=(Ship("Boat", 2),), lies=1, sinkings="unnamed")
MOVERS = Rules(
    name="movers",
    rows=2,
    columns=5,
    fleet=(Ship("Boat", 2), Ship("Dot", 1)),
    moves=True,
    reshoot=True,
)
PLACED = (Place({"Boat": (0, 1)}), Place({"Boat": (3, 4)}))


def seen(
    rules: Rules, seat: Seat, *actions: Action | int, layout: Layout | None = None
) -> tuple[Sight, list[list[str]]]:
    """Return what a seat sees after some actions, a number being a shot, and what each told it."""
    sight = Sight(rules, seat, layout)
    told = []
    for action in actions:
        before = len(sight.told)
        sight.take(Shoot((action,)) if isinstance(action, int) else action)
        told.append(sight.told[before:])
    return sight, told


@pytest.mark.parametrize(
    ("seat", "told", "turns", "marks", "own"),
    [
        (
            "first",
            ["You shoot A4: a hit.", "They shoot A1: it hits your Boat."],
            [1, 1, 2],
            {3: "hit", 2: "miss"},
            0b1,
        ),
        (
            "second",
            ["They shoot A4: it hits your Boat.", "You shoot A1: a hit."],
            [0, 1, 1],
            {0: "hit"},
            0b1000,
        ),
    ],
)
def test_each_seat_is_told_of_both_and_knows_what_was_reported(
    seat: Seat, told: list[str], turns: list[int], marks: dict[int, str], own: int
) -> None:
    sights = [seen(ROW, seat, *PLACED, *(3, 0)[:shots])[0] for shots in (0, 1, 2)]
    assert [sight.chart.turn for sight in sights] == turns
    sight, heard = seen(ROW, seat, *PLACED, 3, 0, 2)
    last = "You shoot A3: a miss." if seat == "first" else "They shoot A3: a miss."
    assert heard == [[], [], *([line] for line in (*told, last))]
    assert sight.chart.marks == marks
    assert sight.chart.own is not None
    assert sight.chart.own.hit == own
    assert [salvo.cells for salvo in sight.fired] == ([(3,), (2,)] if seat == "first" else [(0,)])
    assert sight.fleets() == "Turn 2 of 9.\nYours afloat: Boat 2.\nTheirs afloat: Boat 2."


def test_end_is_told_and_the_fleet_of_the_other_shown() -> None:
    sight, told = seen(ROW, "first", *PLACED, 3, 0, 4)
    assert told[-1] == ["You shoot A5: a hit. You sink their Boat."]
    assert sight.state.result == "first"
    end = End("won", Termination.SUNK, "", None, (), {"Boat": (3, 4)})
    assert sight.outcome(end) == "You win: you sank the whole fleet."
    assert sight.chart.revealed == (0b11000,)


def test_salvo_that_is_to_be_answered_is_seen_once_and_its_report_told_once_answered() -> None:
    actions = (*PLACED, 3, Answer(()), 4, Answer((4,)))
    first, told = seen(LIARS, "first", *actions[:4])
    assert told[2:] == [[], ["You shoot A4: they say it is a miss."]]
    assert first.chart.marks == {3: "miss"}
    second, told = seen(LIARS, "second", *actions[:4])
    assert told[2:] == [["They shoot A4: it hits your Boat."], []]
    assert second.chart.own is not None
    assert second.chart.own.shot == second.chart.own.hit == 0b1000


def test_moves_are_listed_and_kept_for_the_own_fleet_alone() -> None:
    fleets = (Place({"Boat": (0, 1), "Dot": (9,)}), Place({"Boat": (5, 6), "Dot": (3,)}))
    sight, _ = seen(MOVERS, "first", *fleets, 9)
    assert list(sight.moves()) == [
        ("Boat", "right", (1, 2)),
        ("Dot", "left", (8,)),
        ("Dot", "up", (4,)),
    ]
    sight, told = seen(MOVERS, "first", *fleets, 9, Move("Boat", (1, 2)), 0, Move("Dot", (4,)))
    assert told[2:] == [["You shoot B5: a miss."], [], ["They shoot A1: a miss."], []]
    assert sight.chart.own is not None
    assert sight.chart.own.ships == (0b110, 1 << 9)
    stayed, _ = seen(MOVERS, "first", *fleets, 9, Move(None))
    assert stayed.chart.own is not None
    assert stayed.chart.own.ships == (0b11, 1 << 9)


def test_one_alone_is_told_of_its_own_salvos() -> None:
    sight, told = seen(ROW, "first", 0, 3, layout=(0b11000,))
    assert told == [["You shoot A1: a miss."], ["You shoot A4: a hit."]]
    assert sight.chart.own is None
    assert sight.fleets() == "Turn 3 of 9.\nTheirs afloat: Boat 2."


def test_salvo_of_several_shots_is_told_as_one() -> None:
    rules = Rules(name="row", rows=1, columns=5, fleet=ROW.fleet, shots=2)
    sight, told = seen(rules, "second", *PLACED, Shoot((3, 2)), Shoot((4, 3)))
    assert told[2:] == [
        ["They shoot A4 A3: A4 hits your Boat, 1 miss."],
        ["You shoot A5 A4: all miss."],
    ]
    assert sight.chart.fresh == frozenset()
    assert sight.chart.salvo == (4, 3)
