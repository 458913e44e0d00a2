"""In a solo game the moves of the arena's seat depend on the seed alone, in every version."""

import pytest

from arena.records import AnswerStep, Fixture, MoveStep, ShootStep
from arena.rules import Rules, Ship, Shoot
from arena.scorebook import Scorebook

RULES = Rules(
    name="liars",
    rows=2,
    columns=6,
    fleet=(Ship("Boat", 2), Ship("Dot", 1)),
    shots=2,
    moves=True,
    reshoot=True,
    lies=3,
    sinkings="unnamed",
)


@pytest.mark.parametrize(
    ("seed", "lines"),
    [
        (
            7,
            [
                "shot 0 1, said to hit 1, stay",
                "shot 2 3, said to hit 2, Boat to 7 8",
                "shot 4 5, said to hit none, Boat to 6 7",
                "shot 6 7, said to hit 6 7",
            ],
        ),
        (
            5,
            [
                "shot 0 1, said to hit none, stay",
                "shot 2 3, said to hit 3, Dot to 9",
                "shot 4 5, said to hit none, Dot to 3",
                "shot 6 7, said to hit none, Dot to 4",
                "shot 8 9, said to hit 8, Dot to 5",
                "shot 10 11, said to hit 10 11, Dot to 11",
                "shot 0 1, said to hit none, Dot to 10",
                "shot 2 3, said to hit 3, stay",
                "shot 4 5, said to hit none, Dot to 9",
                "shot 6 7, said to hit none, stay",
                "shot 8 9, said to hit 9",
            ],
        ),
    ],
)
def test_arena_moves_and_lies_by_the_seed_alone(seed: int, lines: list[str]) -> None:
    book = Scorebook(Fixture("solo", "a", None, 0, (1, seed)), RULES)
    turn = 0
    while book.state.request is not None:
        first = 2 * turn % RULES.cells
        book.play(Shoot((first, first + 1)), 0.0)
        book.answer_for_layout()
        turn += 1
    told: list[str] = []
    for step in book.steps:
        match step:
            case ShootStep(cells=cells):
                told.append(f"shot {joined(cells)}")
            case AnswerStep(seat="second", hits=hits, charge_s=0.0):
                told[-1] += f", said to hit {joined(hits)}"
            case MoveStep(seat="second", ship=ship, cells=cells, charge_s=0.0):
                told[-1] += f", {ship} to {joined(cells)}" if ship else ", stay"
    assert told == lines
    assert book.tallies == {"first": [turn, 2 * turn, 3], "second": [0, 0, 0]}


def joined(cells: tuple[int, ...]) -> str:
    return " ".join(map(str, cells)) or "none"
