"""What is recorded of blocks and games."""

import pytest
from msgspec.structs import replace

from arena.records import (
    Block,
    BlockRecord,
    Fixture,
    Outcome,
    Shard,
    ShootStep,
    Void,
    comparable,
)
from tests.games import ended

FIXTURES = tuple(Fixture(str(pair), "a", "b", pair, (1, 2)) for pair in range(2))
BLOCK = Block(("a", "b"), 3, FIXTURES)
GAMES = tuple(
    ended(fixture, "second", steps=(ShootStep("first", (1,), 0.5),)) for fixture in FIXTURES
)
OUTAGES = (Void("0", 0, "a", "killed"), Void("1", 0, "b", "no model", outage=True))


@pytest.mark.parametrize(
    ("games", "voids", "broken_off"),
    [(1, 2, OUTAGES[1]), (1, 1, OUTAGES[0]), (1, 0, None), (2, 2, None), (2, 0, None)],
)
def test_block_is_broken_off_before_the_games_that_it_lacks(
    games: int, voids: int, broken_off: Void | None
) -> None:
    record = BlockRecord(BLOCK, GAMES[:games], "{}", OUTAGES[:voids])
    assert record.broken_off == broken_off
    assert record.outcomes() == tuple(Outcome("a", "b", n, "second") for n in range(games))


def test_blocks_and_shards_are_named() -> None:
    assert str(BLOCK) == "block 3 of a and b"
    assert BLOCK.key == (("a", "b"), 3)
    assert str(Shard(3, 40)) == "3/40"


def test_game_has_a_name_in_each_seat_that_is_taken() -> None:
    assert FIXTURES[0].seats == {"first": "a", "second": "b"}
    assert replace(FIXTURES[0], second=None).seats == {"first": "a"}


def test_games_are_compared_but_for_times_and_what_bots_say() -> None:
    [game, other] = GAMES
    said = replace(game, stderr="oh", reported={"first": {"tokens": 1.0}})
    later = replace(said, steps=(ShootStep("first", (1,), 0.7),))
    assert comparable(later) == comparable(game)
    for another in (other, replace(game, steps=(ShootStep("first", (2,), 0.5),))):
        assert comparable(another) != comparable(game)
