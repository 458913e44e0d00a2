"""A shard that is too small for its workers says how many shards would do."""

import pytest

from arena.records import Shard
from arena.rules import preset
from arena.schedule import Plan, ShardPlan, round_robin
from arena.seeds import Seeds
from salvo.cli.runs.sharding import _too_little

RULES = preset("ramesh-1")
NAMES = ("a", "b", "c")


def plan(pairs: int) -> Plan:
    """Return a plan of three pairings, in blocks of ten pairs."""
    return Plan(
        tournament="first",
        seeds=Seeds(1, RULES),
        pairings=round_robin(NAMES),
        soloists=NAMES,
        pairs=pairs,
        layouts=0,
        block_pairs=10,
    )


@pytest.mark.parametrize(
    ("pairs", "shard", "told"),
    [
        (40, Shard(3, 12), "1 block of games for 4 workers, ... divide into 3 or fewer"),
        (40, Shard(1, 5), "2 blocks of games for 4 workers, ... divide into 3 or fewer"),
        (20, Shard(1, 2), "3 blocks of games for 4 workers, ... play without --shard"),
        (10, Shard(1, 2), "1 block of games for 4 workers, ... ask for more games"),
    ],
)
def test_shard_that_is_too_small_says_what_would_do(pairs: int, shard: Shard, told: str) -> None:
    whole = told.replace("...", "so that some have nothing to play;")
    assert _too_little(ShardPlan(plan(pairs), shard), 4) == f"shard {shard} has {whole}"


def test_shard_without_a_block_is_merged_all_the_same() -> None:
    assert _too_little(ShardPlan(plan(10), Shard(1, 4)), 4) == (
        "shard 1/4 has nothing to play: there are only 3 blocks of games; `salvo merge` takes its "
        "empty record with the others"
    )
