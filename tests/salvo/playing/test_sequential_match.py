"""What a sequential test found in a record, of games that were not played."""

from types import SimpleNamespace
from typing import Any

import pytest

from arena.entrants import Entrant
from arena.isolation import Program
from arena.records import Outcome, Settings
from arena.rules import preset
from arena.schedule import Plan
from arena.store import Look, Tournament
from arena.tournament import make_plan
from salvo.playing.sequential_match import SequentialMatch

MATCH = Tournament(
    name="match",
    kind="match",
    rules=preset("classic"),
    seed="1",
    settings=Settings(),
    entrants=tuple(Entrant(name, Program((), "", ()), "") for name in "ab"),
    block_pairs=5,
)
PLAN: Plan = make_plan(MATCH, games=120, layouts=0)


def store_of(blocks: int, winner: str, more: int = 0) -> Any:  # noqa: ANN401
    """Return what stands in for a record of so many blocks, and some games of the next."""
    found = {}
    for number, block in enumerate(PLAN.blocks()):
        games = block.fixtures if number < blocks else block.fixtures[: more * (number == blocks)]
        found[block.key] = [
            Outcome(
                first=game.first,
                second=game.second,
                pair=game.pair,
                result="first" if game.first == winner else "second",
            )
            for game in games
        ]
    return SimpleNamespace(outcomes=lambda _, key: found[key])


MATCH_OF_TWO = SequentialMatch(("a", "b"), (0, 400), PLAN)
MORE = "Raise --games to play on."
BEYOND = "The table also counts the {} pairs that were being played when the test decided."


@pytest.mark.parametrize(
    ("record", "look", "found", "added"),
    [
        (store_of(1, "a", 9), 5, (5, None), [MORE]),
        (store_of(5, "a"), 25, (25, None), [MORE]),
        (store_of(6, "a", 9), 30, (30, "elo1"), []),
        (store_of(6, "b"), 30, (30, "elo0"), []),
        (store_of(7, "a"), 35, (30, "elo1"), [BEYOND.format(5)]),
        (store_of(12, "b"), 50, (30, "elo0"), [BEYOND.format(20)]),  # more are not begun by then
    ],
)
def test_says_what_the_test_found_and_what_was_played_beyond(
    record: Any,  # noqa: ANN401
    look: int,
    found: tuple[int, str | None],
    added: list[str],
) -> None:
    assert MATCH_OF_TWO.look(record, MATCH) == Look(look, "0 against 400 Elo")
    plain, told = MATCH_OF_TWO._judge(record, MATCH, look)
    assert (plain["pairs"], plain["accepted"]) == found
    assert told[1:] == added
