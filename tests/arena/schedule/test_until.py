"""A schedule that a test of the results ends, at the same block at any number of workers."""

from collections.abc import Sequence

import pytest

from arena.records import Block, Outcome
from arena.rules import preset
from arena.schedule import WAIT, Pending, Plan, Until, sizes_of
from arena.seeds import Seeds

PLAN = Plan(
    tournament="t",
    seeds=Seeds(1, preset("salvo")),
    pairings=(("a", "b"),),
    soloists=("a", "b"),
    pairs=1000,
    layouts=0,
)


class After:
    """Ends after so many blocks."""

    def __init__(self, blocks: int) -> None:
        self.left = blocks

    def __call__(self, block: Sequence[Outcome]) -> bool:
        del block
        self.left -= 1
        return self.left == 0


def outcomes(block: Block) -> list[Outcome]:
    return [Outcome(game.first, game.second, game.pair, "first") for game in block.fixtures]


def blocks_of(schedule: Until) -> list[Block]:
    """Return what one worker plays."""
    results: list[Sequence[Outcome]] = []
    blocks = []
    while isinstance(block := schedule.block(len(results), results), Block):
        blocks.append(block)
        results.append(outcomes(block))
    return blocks


@pytest.mark.parametrize("end", [1, 3, 20, 60])
def test_blocks_that_were_begun_before_the_end_are_few(end: int) -> None:
    played = len(blocks_of(Until(PLAN, After(end))))
    assert end < played <= end + 3 + end // 8 + 1


@pytest.mark.parametrize(
    ("results", "begun"),
    [(0, 4), (1, 5), (4, 9), (5, 10), (12, 18), (13, 19), (83, 99), (85, 100)],
)
def test_so_many_blocks_are_begun_before_earlier_ones_are_finished(
    results: int, begun: int
) -> None:
    seen = [outcomes(block) for block in PLAN.blocks()][:results]
    schedule = Until(PLAN, After(10**9))
    position = 0
    while isinstance(schedule.block(position, seen), Block):
        position += 1
    assert position == begun


def test_what_is_played_does_not_depend_on_how_soon_results_come() -> None:
    alone = blocks_of(Until(PLAN, After(20)))
    results = [outcomes(block) for block in alone]
    eager, began = Until(PLAN, After(20)), 0
    # As many blocks as can be had are begun before the next result comes in.
    for seen in range(len(results) + 1):
        while isinstance(eager.block(began, results[:seen]), Block):
            began += 1
    assert began == len(alone)
    assert eager.block(began, results) is None


def test_it_waits_for_results_that_decide() -> None:
    schedule = Until(PLAN, After(2))
    begun = 0
    while isinstance(schedule.block(begun, []), Block):
        begun += 1
    assert schedule.block(begun, []) is WAIT


def test_plan_ends_where_the_test_does_not() -> None:
    few = Until(PLAN, After(10**9))
    assert len(blocks_of(few)) == PLAN.pairs / 10
    assert few.most_games == PLAN.most_games


def test_sizes_are_those_of_what_was_played() -> None:
    record = {(block.entrants, block.number): outcomes(block) for block in PLAN.blocks()}
    sizes = sizes_of(Until(PLAN, After(20)), lambda key: record[key])
    assert sizes == {("a", "b"): 10 * len(blocks_of(Until(PLAN, After(20))))}


def test_sizes_end_where_the_record_does() -> None:
    record = {(block.entrants, block.number): outcomes(block) for block in PLAN.blocks()}
    record[("a", "b"), 4] = record[("a", "b"), 4][:6]
    assert sizes_of(Until(PLAN, After(20)), lambda key: record[key]) == {("a", "b"): 40}


def test_record_that_has_the_first_blocks_is_gone_on_with() -> None:
    record = {block.key: outcomes(block) for block in blocks_of(Until(PLAN, After(5)))}
    games = {key: len(record[key]) for key in list(record)[:6]}
    pending = Pending(Until(PLAN, After(5)), games, record.__getitem__)
    assert [block.number for block in iter(pending.take, None)] == [6, 7, 8]
    assert pending.done == 120
