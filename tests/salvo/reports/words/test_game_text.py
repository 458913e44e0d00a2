"""A salvo in words: what was fired, hit, sunk and reported."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.rules import CellsReport, CountReport, Rules, Salvo, Seat, Ship, Waters, mask_of
from arena.rules.firing import Sides
from salvo.reports.words.game_text import (
    describe_salvo,
    report_in_words,
    salvo_in_words,
)

RULES = Rules(
    name="small",
    rows=4,
    columns=4,
    fleet=(Ship("Long", 3), Ship("Short", 2), Ship("Tug", 1), Ship("Dot", 1)),
)
LONG, SHORT, TUG, DOT = (0, 1, 2), (4, 5), (8,), (15,)
MASKS = tuple(map(mask_of, (LONG, SHORT, TUG, DOT)))
NAMES: dict[Seat, str] = {"first": "Ann", "second": "Bob"}


def fired(*cells: int, hits: tuple[int, ...] = (), sunk: Any = (), **more: Any) -> Salvo:  # noqa: ANN401 - what a report may have
    return Salvo("first", cells, CellsReport(hits, sunk, **more), len(hits))


def counted(*cells: int, hits: int, ships: dict[str, int] | None = None, sunk: Any = ()) -> Salvo:  # noqa: ANN401 - likewise
    return Salvo("first", cells, CountReport(hits, ships, sunk), hits)


def state(salvo: Salvo | None, shot: tuple[int, ...], sunk: tuple[int, ...]) -> Any:  # noqa: ANN401 - a state as far as it is asked
    afloat = sum(mask for number, mask in enumerate(MASKS) if number not in sunk)
    hit = mask_of(shot) & afloat
    waters = Waters(MASKS, afloat, mask_of(shot), hit, sum(1 << number for number in sunk))
    return SimpleNamespace(waters=Sides(None, waters), salvo=salvo)


@pytest.mark.parametrize(
    ("salvo", "told"),
    [
        (fired(0, 6, hits=(0,)), "A1* B3"),
        (fired(0, 8, hits=(0, 8), sunk=("Tug",)), "A1* C1*   sinks Tug"),
        (fired(0, 8, hits=(0, 8), sunk=("Long", "Tug")), "A1* C1*   sinks Long, Tug"),
        (fired(0, 8, hits=(0, 8), sunk=2), "A1* C1*   sinks 2"),
        (fired(0, 8, hits=(0, 8), sunk=0), "A1* C1*"),
        (fired(0, 8, hits=(0, 8), sunk=None), "A1* C1*"),
        (fired(0, 8, hits=(0, 8), ships=("Long", "Tug")), "A1* C1*   on Long, Tug"),
        (counted(0, 6, hits=1), "A1 B3   1 hit"),
        (counted(3, 6, hits=0, sunk=None), "A4 B3   0 hits"),
        (counted(0, 1, hits=2, ships={"Long": 2}), "A1 A2   2 hits on Long"),
        (
            counted(0, 1, 8, hits=3, ships={"Long": 2, "Tug": 1}, sunk=("Tug",)),
            "A1 A2 C1   3 hits, 2 on Long and 1 on Tug   sinks Tug",
        ),
    ],
)
def test_salvo_is_a_line(salvo: Salvo, told: str) -> None:
    assert describe_salvo(salvo, RULES) == told


@pytest.mark.parametrize(
    ("salvo", "told"),
    [
        (fired(), "nothing: nothing hit."),
        (fired(0, 6, hits=(0,)), "A1 and B3: A1 hit."),
        (fired(0, 1, 6, hits=(0, 1)), "A1, A2 and B3: A1 and A2 hit."),
        (fired(8, hits=(8,), sunk=1), "C1: C1 hit. It sinks 1 ship of Bob."),
        (fired(8, 15, hits=(8, 15), sunk=2), "C1 and D4: C1 and D4 hit. It sinks 2 ships of Bob."),
        (fired(8, hits=(8,), sunk=("Tug",)), "C1: C1 hit. It sinks the Tug of Bob."),
        (counted(8, hits=1, sunk=None), "C1: 1 hit."),
        (counted(8, hits=1, sunk=("Tug",)), "C1: 1 hit. It sinks the Tug of Bob."),
    ],
)
def test_report_is_told_to_who_fired(salvo: Salvo, told: str) -> None:
    assert report_in_words(salvo, RULES, NAMES) == f"Ann shoots at {told}"


@pytest.mark.parametrize(
    ("salvo", "shot", "sunk", "told"),
    [
        (fired(6), (), ((), ()), "B3: nothing hit."),
        (fired(0, hits=(0,)), (), ((), ()), "A1: A1 hit."),
        (
            fired(8, hits=(8,)),
            (0, 1, 2),
            ((0,), (0, 2)),
            "C1: C1 hit. It sinks the Tug of Bob; Short and Dot are left.",
        ),
        (
            fired(8, 15, hits=(8, 15)),
            (0, 1, 2),
            ((0,), (0, 2, 3)),
            "C1 and D4: C1 and D4 hit. It sinks the Tug and Dot of Bob; Short is left.",
        ),
        (
            fired(15, hits=(15,)),
            (0, 1, 2, 4, 5, 8),
            ((0, 1, 2), (0, 1, 2, 3)),
            "D4: D4 hit. It sinks the Dot of Bob; nothing is left.",
        ),
        # What was reported is told where it is less, or a lie.
        (counted(0, 6, hits=1), (), ((), ()), "A1 and B3: A1 hit. Reported: 1 hit."),
        (fired(0, 6, hits=(6,)), (), ((), ()), "A1 and B3: A1 hit. Reported as hit: B3."),
        (fired(0, 6), (), ((), ()), "A1 and B3: A1 hit. Reported as hit: nothing."),
    ],
)
def test_salvo_is_told_as_it_was(
    salvo: Salvo,
    shot: tuple[int, ...],
    sunk: tuple[tuple[int, ...], tuple[int, ...]],
    told: str,
) -> None:
    before, after = (state(None, shot, sunk[0]), state(salvo, (*shot, *salvo.cells), sunk[1]))
    assert salvo_in_words(before, after, RULES, NAMES) == f"Ann shoots at {told}"
