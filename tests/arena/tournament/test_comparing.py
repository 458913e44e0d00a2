"""Two runs of a block are compared, and what differs is told in words."""

from typing import Any

import pytest
from msgspec.structs import replace

from arena.records import (
    Block,
    BlockRecord,
    Fixture,
    Game,
    MoveStep,
    PlaceStep,
    Settings,
    ShootStep,
    Tally,
    Termination,
)
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import Tournament
from arena.tournament.merging import numbers_in_words
from arena.tournament.verifying import compare

SALVO = preset("salvo")
SEEDS = Seeds(1, SALVO).of_game("a", "b", 3, 1)
CUP = Tournament(
    name="cup", kind="tournament", rules=SALVO, seed="1", settings=Settings(), entrants=()
)
GAME = Game(
    fixture=Fixture("id", "a", "b", 3, SEEDS, 1),
    result="first",
    termination=Termination.SUNK,
    reason="all sunk",
    forfeit=None,
    layouts={"first": {"Boat": [0, 1]}},
    steps=(
        PlaceStep("first", 0.5),
        ShootStep("second", (1, 2), 0.5),
        MoveStep("first", None, (), 0.5),
    ),
    tallies=(Tally(1, 2, 0), Tally(1, 1, 1)),
)


def compared(now: Game, then: Game = GAME, cup: Tournament = CUP) -> list[str]:
    block = Block(("a", "b"), 0, (then.fixture,))
    return list(compare(BlockRecord(block, (then,), ""), BlockRecord(block, (now,), ""), cup))


def test_time_and_what_a_bot_says_of_itself_make_no_difference() -> None:
    steps = tuple(replace(step, charge_s=9.0) for step in GAME.steps)
    now = replace(GAME, steps=steps, stderr="words", reported={"first": {"n": 1.0}})
    assert compared(now) == []


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"steps": (*GAME.steps[:1], ShootStep("second", (1, 3), 0.5))},
            "answer 2 was shoot second (1, 2), and is shoot second (1, 3)",
        ),
        (
            {"steps": (*GAME.steps[:2], MoveStep("first", "Boat", tuple(range(20)), 0.5))},
            (
                "answer 3 was move first None (), and is move first Boat "
                "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1..."
            ),
        ),
        (
            {"layouts": {"first": {"Boat": [0, 9]}}, "steps": GAME.steps[1:]},
            "layouts: {'first': {'Boat': [0, 1]}} in the record, {'first': {'Boat': [0, 9]}} now",
        ),
        (
            {"steps": GAME.steps[:2], "termination": Termination.EXITED, "reason": "left"},
            "termination: sunk in the record, exited now",
        ),
        ({"reason": "left"}, "reason: all sunk in the record, left now"),
        ({"reason": "x" * 60}, f"reason: all sunk in the record, {'x' * 60} now"),
        ({"reason": "x" * 61}, f"reason: all sunk in the record, {'x' * 60}... now"),
        ({"result": "draw"}, "result: first in the record, draw now"),
        ({"steps": GAME.steps[:2]}, "answers: 3 in the record, 2 now"),
    ],
)
def test_first_difference_is_told(changed: dict[str, Any], told: str) -> None:
    assert compared(replace(GAME, **changed)) == [f"game id of a and b: {told}"]


def test_seeds_derive_from_that_of_the_tournament_unless_it_is_secret() -> None:
    other = replace(GAME, fixture=replace(GAME.fixture, seeds=(1, 2)))
    told = "game id of a and b: its seeds do not derive from the tournament's"
    assert compared(other, other) == [told]
    assert compared(other, other, replace(CUP, kind="swiss")) == [told]
    for kind in ("league", "planned", "play"):
        assert compared(other, other, replace(CUP, kind=kind, seed="hash")) == []
    assert compared(other, other, replace(CUP, derivation=1)) == []


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([], ""),
        ([3], "3"),
        ([3, 4], "3 to 4"),
        ([1, 4, 5, 6, 9, 12, 13], "1, 4 to 6, 9, 12 to 13"),
    ],
)
def test_numbers_are_told_in_runs(numbers: list[int], words: str) -> None:
    assert numbers_in_words(numbers) == words
