"""Rounds: each is drawn from all results of those before it, and from nothing else."""

import itertools
from collections.abc import Sequence

import pytest

from arena.records import PAIRS_PER_BLOCK, Block, BlockKey, Outcome, Shard
from arena.rules import preset
from arena.schedule import WAIT, Pairing, Pending, Plan, Rounds, ShardPlan, Wait
from arena.seeds import Seeds

PLAN = Plan(
    tournament="t",
    seeds=Seeds(1, preset("salvo")),
    pairings=(),
    soloists=("a", "b", "c"),
    pairs=0,
    layouts=50,
)
ALONE = 3
GAMES = 2 * PAIRS_PER_BLOCK


class Drawing:
    """Draws a and b twice, then b and c, again and again, and notes what it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[int, int]] = []

    def __call__(self, played: Sequence[Sequence[Outcome]], size: int) -> list[Pairing]:
        self.given.append((len(played), size))
        return [("a", "b"), ("a", "b"), ("b", "c")][:size]


def outcomes(block: Block) -> list[Outcome]:
    return [Outcome(game.first, game.second, game.pair, "first") for game in block.fixtures]


def played(rounds: Rounds) -> list[Block]:
    """Return what one worker plays."""
    results: list[Sequence[Outcome]] = []
    blocks = []
    while isinstance(block := rounds.block(len(results), results), Block):
        blocks.append(block)
        results.append(outcomes(block))
    return blocks


def test_solo_blocks_come_first_and_the_last_round_is_cut_short() -> None:
    draw = Drawing()
    blocks = played(Rounds(PLAN, blocks=7, size=3, draw=draw))
    assert [block.entrants for block in blocks[:ALONE]] == [("a",), ("b",), ("c",)]
    ab, bc = ("a", "b"), ("b", "c")
    assert [block.entrants for block in blocks[ALONE:]] == [ab, ab, bc, ab, ab, bc, ab]
    assert draw.given == [(0, 3), (3, 3), (6, 3)]


def test_blocks_of_a_pairing_are_numbered_and_have_pairs_of_their_own() -> None:
    blocks = played(Rounds(PLAN, blocks=7, size=3, draw=Drawing()))
    of_ab = [block for block in blocks if block.entrants == ("a", "b")]
    assert [block.number for block in of_ab] == [0, 1, 2, 3, 4]
    pairs = [[fixture.pair for fixture in block.fixtures] for block in of_ab]
    assert sorted(itertools.chain(*pairs)) == sorted(2 * list(range(5 * PAIRS_PER_BLOCK)))
    assert all(len(block.fixtures) == GAMES for block in of_ab)


@pytest.mark.parametrize(
    ("finished", "position", "waits"),
    [(2, 3, True), (3, 5, False), (5, 6, True), (6, 6, False), (6, 8, False), (8, 9, True)],
)
def test_round_waits_for_all_blocks_of_those_before_it(
    finished: int, position: int, *, waits: bool
) -> None:
    results = [outcomes(block) for block in played(Rounds(PLAN, blocks=9, size=3, draw=Drawing()))]
    rounds = Rounds(PLAN, blocks=9, size=3, draw=Drawing())
    found = rounds.block(position, results[:finished])
    assert isinstance(found, Wait if waits else Block)
    assert not waits or found is WAIT


def test_what_is_drawn_does_not_depend_on_how_many_results_came_in_meanwhile() -> None:
    whole = played(Rounds(PLAN, blocks=7, size=3, draw=Drawing()))
    draw = Drawing()
    late = Rounds(PLAN, blocks=7, size=3, draw=draw)
    assert late.block(ALONE + 6, [outcomes(block) for block in whole]) == whole[ALONE + 6]
    assert draw.given == [(0, 3), (3, 3), (6, 3)]


def test_there_is_nothing_after_the_last_block() -> None:
    rounds = Rounds(PLAN, blocks=7, size=3, draw=Drawing())
    results = [outcomes(block) for block in played(rounds)]
    assert rounds.block(ALONE + 7, results) is None
    assert rounds.most_games == PLAN.most_games + 7 * GAMES


def test_extending_it_changes_none_of_its_blocks() -> None:
    short = played(Rounds(PLAN, blocks=4, size=3, draw=Drawing()))
    assert played(Rounds(PLAN, blocks=9, size=3, draw=Drawing()))[: len(short)] == short


def test_whole_blocks_of_two_count_up_to_as_many_as_there_are() -> None:
    rounds = Rounds(PLAN, blocks=2, size=1, draw=Drawing())
    record: dict[BlockKey, int] = {(("a",), 0): 50, (("a", "b"), 0): GAMES}
    assert rounds.games_in(record) == 50 + GAMES
    record[("b", "c"), 0] = GAMES - 1
    assert rounds.games_in(record) == 50 + GAMES
    record[("b", "c"), 0] = GAMES
    record[("b", "c"), 1] = GAMES
    assert rounds.games_in(record) == 50 + 2 * GAMES


def test_record_that_has_whole_rounds_is_gone_on_with() -> None:
    whole = played(Rounds(PLAN, blocks=7, size=3, draw=Drawing()))
    record = {block.key: outcomes(block) for block in whole[: ALONE + 3]}
    games = {key: len(found) for key, found in record.items()}
    rounds = Rounds(PLAN, blocks=7, size=3, draw=Drawing())
    pending = Pending(rounds, games, record.__getitem__)
    assert pending.take() == whole[ALONE + 3]
    assert pending.done == 3 * 50 + 3 * GAMES


def test_a_plan_asks_for_no_results() -> None:
    def no_outcomes(_: BlockKey) -> Sequence[Outcome]:
        raise AssertionError

    pending = Pending(PLAN, {(("a",), 0): 50, (("b",), 0): 49}, no_outcomes)
    assert pending.take() == PLAN.block(1)
    shard = ShardPlan(PLAN, Shard(1, 3))
    assert Pending(shard, {(("a",), 0): 50}, no_outcomes).take() is None
