"""Shards of a plan: together they are the plan, and each has its share of every pairing."""

import tracemalloc
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.records import Block, BlockKey, Shard
from arena.rules import preset
from arena.schedule import Pending, Plan, ShardPlan, round_robin
from arena.seeds import Seeds


def make_plan(bots: int, pairs: int, layouts: int, block_pairs: int = 2) -> Plan:
    """Return a plan of short blocks: how many there are matters here, not what is in them."""
    names = [f"bot{number:02}" for number in range(bots)]
    return Plan(
        tournament="cup",
        seeds=Seeds(1, preset("salvo")),
        pairings=round_robin(names),
        soloists=tuple(names),
        pairs=pairs,
        layouts=layouts,
        block_pairs=block_pairs,
        block_layouts=5,
    )


def key_of(block: Block) -> BlockKey:
    return block.entrants, block.number


def in_order(blocks: list[Block]) -> list[Block]:
    return sorted(blocks, key=key_of)


unhurried = settings(deadline=None)
PLANS = st.builds(
    make_plan, st.integers(2, 6), st.integers(0, 12), st.integers(0, 22), st.integers(2, 6)
)


@unhurried
@given(plan=PLANS, of=st.integers(1, 50))
def test_all_shards_together_are_the_plan(plan: Plan, of: int) -> None:
    shards = [ShardPlan(plan, Shard(number, of)) for number in range(1, of + 1)]
    dealt = [block for shard in shards for block in shard.blocks()]
    assert in_order(dealt) == in_order(list(plan.blocks()))


@unhurried
@given(plan=PLANS, of=st.integers(1, 50))
def test_no_shard_has_more_than_two_blocks_more_than_another(plan: Plan, of: int) -> None:
    sizes = [len(list(ShardPlan(plan, Shard(number, of)).blocks())) for number in range(1, of + 1)]
    assert max(sizes) - min(sizes) <= 2  # one of the solo games and one of the others


@unhurried
@given(plan=PLANS, of=st.integers(1, 9), number=st.integers(1, 9))
def test_shard_knows_how_many_games_it_comes_to_and_has(plan: Plan, of: int, number: int) -> None:
    shard = ShardPlan(plan, Shard(min(number, of), of))
    blocks = list(shard.blocks())
    assert shard.most_games == sum(len(block.fixtures) for block in blocks)
    everything = {key_of(block): len(block.fixtures) for block in plan.blocks()}
    assert shard.games_in(everything) == shard.most_games
    assert shard.games_in({key_of(block): 1 for block in plan.blocks()}) == sum(
        len(block.fixtures) == 1 for block in blocks
    )


@unhurried
@given(of=st.integers(1, 12), number=st.integers(1, 12))
def test_asking_for_more_moves_no_block_to_another_shard(of: int, number: int) -> None:
    part = Shard(min(number, of), of)
    small, large = (ShardPlan(make_plan(4, size, 2 * size), part) for size in (4, 12))
    assert set(map(key_of, small.blocks())) <= set(map(key_of, large.blocks()))


@pytest.mark.parametrize("of", [2, 3, 5, 6, 10])
def test_no_pairing_is_left_to_one_shard(of: int) -> None:
    plan = make_plan(4, 120, 0)  # six pairings of 60 blocks
    for number in range(1, of + 1):
        met = Counter(block.entrants for block in ShardPlan(plan, Shard(number, of)).blocks())
        assert set(met.values()) == {60 // of}


def test_plan_of_very_many_pairings_and_a_shard_of_it_are_listed_nowhere() -> None:
    plan = make_plan(448, 10**6, 0)
    assert len(plan.pairings) > 10**5
    shard = ShardPlan(plan, Shard(7, 40))
    tracemalloc.start()
    for schedule in (plan, shard):
        pending = Pending(schedule, {(plan.pairings[5], 0): 4}, lambda _: ())
        assert all(pending.take() is not None for _ in range(100))
    _, most_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_bytes < 5 * 10**5
    assert shard.block(10**9) is not None
    assert shard.most_games == pytest.approx(plan.most_games / 40)
