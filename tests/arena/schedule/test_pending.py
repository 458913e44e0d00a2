"""A schedule that reacts: what it decides depends on results, and never on who finished first."""

import itertools
import random
from collections.abc import Mapping, Sequence
from typing import Literal

import pytest

from arena.records import Block, BlockKey, BlockRecord, Fixture, Outcome
from arena.rules import Seat, preset
from arena.schedule import WAIT, Pending, Wait, others_blocks, sizes_of
from arena.seeds import Seeds
from tests.games import ended

AHEAD = 3
"""How many blocks are played before their results are asked for."""


class UntilLead:
    """Plays blocks of one game until the first bot leads by four, as of three blocks before."""

    seeds = Seeds(1, preset("salvo"))
    reacts = True
    most_games = 60

    def games_in(self, played: Mapping[BlockKey, int]) -> int:
        return sum(played.values())

    def block(
        self, position: int, results: Sequence[Sequence[Outcome]]
    ) -> Block | Literal[Wait.WAIT] | None:
        needed = position - AHEAD
        if len(results) < needed:
            return WAIT
        seen = [outcome.result for block in results[: max(0, needed)] for outcome in block]
        leads = itertools.accumulate(1 if result == "first" else -1 for result in seen)
        if position == self.most_games or any(abs(lead) >= 4 for lead in leads):
            return None
        fixture = Fixture(f"{position}", "a", "b", position, (0, 0))
        return Block(("a", "b"), position, (fixture,))


def play(block: Block) -> BlockRecord:
    """Decide a game by its number alone."""
    [fixture] = block.fixtures
    result: Seat = "first" if random.Random(fixture.pair).random() < 0.6 else "second"
    game = ended(fixture, result)
    return BlockRecord(block, (game,), "none")


def run(
    workers: int, order: random.Random, record: dict[BlockKey, BlockRecord], *, stop: int = 10**9
) -> None:
    """Play into a record by workers that finish in any order, ``stop`` blocks at the most."""
    played = {key: len(done.games) for key, done in record.items()}
    pending = Pending(UntilLead(), played, lambda key: record[key].outcomes())
    busy: list[Block] = []
    while True:
        while len(busy) < workers and (block := pending.take()) is not None:
            busy.append(block)
        if not busy or stop == 0:
            return
        done = play(busy.pop(order.randrange(len(busy))))
        record[done.block.entrants, done.block.number] = done
        pending.settle(done)
        stop -= 1


@pytest.fixture
def alone() -> dict[BlockKey, BlockRecord]:
    """Return what one worker plays in one go."""
    record: dict[BlockKey, BlockRecord] = {}
    run(1, random.Random(0), record)
    return record


@pytest.mark.parametrize("workers", [2, 3, 8, 40])
def test_any_number_of_workers_plays_the_same_blocks(
    alone: dict[BlockKey, BlockRecord], workers: int
) -> None:
    assert 4 < len(alone) < 60
    for shuffle in range(20):
        record: dict[BlockKey, BlockRecord] = {}
        run(workers, random.Random(shuffle), record)
        assert record == alone


@pytest.mark.parametrize("workers", [1, 2, 8])
def test_run_that_is_stopped_goes_on_to_the_same_blocks(
    alone: dict[BlockKey, BlockRecord], workers: int
) -> None:
    for stop in range(1, len(alone)):
        record: dict[BlockKey, BlockRecord] = {}
        run(workers, random.Random(stop), record, stop=stop)
        assert len(record) == stop
        run(workers, random.Random(stop), record)
        assert record == alone


def test_games_in_the_record_count_as_done(alone: dict[BlockKey, BlockRecord]) -> None:
    played = dict.fromkeys(alone, 1)
    pending = Pending(UntilLead(), played, lambda key: alone[key].outcomes())
    assert pending.take() is None
    assert pending.done == len(alone)


def test_block_that_is_shorter_in_the_record_is_played_again() -> None:
    record: dict[BlockKey, BlockRecord] = {}
    pending = Pending(UntilLead(), {(("a", "b"), 0): 0}, lambda key: record[key].outcomes())
    block = pending.take()
    assert block is not None
    assert block.number == 0


def test_blocks_that_are_of_another_schedule_are_found(
    alone: dict[BlockKey, BlockRecord],
) -> None:
    def others(played: Mapping[BlockKey, int]) -> set[BlockKey]:
        return others_blocks(UntilLead(), played, lambda key: alone[key].outcomes())

    mine = dict.fromkeys(alone, 1)
    theirs: dict[BlockKey, int] = {(("a", "b"), len(alone)): 1, (("a", "c"), 0): 20}
    assert others(mine) == set()
    assert others(mine | theirs | {(("a",), 0): 50}) == set(theirs)
    # What comes after a block that is missing is not known to be of another.
    missing = {key: games for key, games in mine.items() if key[1] != 2}
    assert others(missing | {(("a", "c"), 0): 20}) == {
        (("a", "c"), 0),
        *(key for key in mine if key[1] > 2 + AHEAD),
    }


def test_sizes_are_the_pairs_that_were_played(alone: dict[BlockKey, BlockRecord]) -> None:
    assert sizes_of(UntilLead(), lambda key: alone[key].outcomes()) == {("a", "b"): len(alone)}
    assert sizes_of(UntilLead(), lambda key: alone[key].outcomes() if key[1] < 3 else ()) == {
        ("a", "b"): 3
    }
