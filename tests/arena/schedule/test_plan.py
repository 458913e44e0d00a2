from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.records import PAIRS_PER_BLOCK
from arena.rules import preset
from arena.schedule import Plan, gauntlet, round_robin
from arena.seeds import Seeds

SALVO = preset("salvo")

unhurried = settings(deadline=None, max_examples=50)
names = st.lists(st.text("abcxyz_é 0", min_size=1, max_size=8), min_size=1, max_size=6, unique=True)
sizes = st.integers(0, 3 * PAIRS_PER_BLOCK)


def make_plan(
    bots: list[str], pairs: int = 12, layouts: int = 60, *, tournament: str = "t"
) -> Plan:
    return Plan(
        tournament=tournament,
        seeds=Seeds(1, SALVO),
        pairings=round_robin(bots),
        soloists=tuple(sorted(bots)),
        pairs=pairs,
        layouts=layouts,
    )


@unhurried
@given(names, sizes, sizes)
def test_each_pair_is_two_games_with_seats_swapped_and_all_seats_have_seeds_of_their_own(
    bots: list[str], pairs: int, layouts: int
) -> None:
    for block in make_plan(bots, pairs, layouts).blocks():
        if len(block.entrants) == 2:
            for one, other in zip(block.fixtures[::2], block.fixtures[1::2], strict=True):
                assert (one.first, one.second) == (other.second, other.first) == block.entrants
                assert one.pair == other.pair
                assert len({*one.seeds, *other.seeds}) == 4


@unhurried
@given(names, sizes, sizes)
def test_every_pairing_gets_every_pair_and_every_bot_every_layout_exactly_once(
    bots: list[str], pairs: int, layouts: int
) -> None:
    played: Counter[tuple[str, str | None, int]] = Counter()
    plan = make_plan(bots, pairs, layouts)
    for block in plan.blocks():
        played.update((game.first, game.second, game.pair) for game in block.fixtures)
    wanted = {(bot, None, layout) for bot in bots for layout in range(layouts)} | {
        (one, other, pair)
        for one in bots
        for other in bots
        if one != other
        for pair in range(pairs)
    }
    assert played == dict.fromkeys(wanted, 1)
    assert plan.most_games == len(wanted)


@unhurried
@given(names, sizes)
def test_order_of_the_names_changes_nothing(bots: list[str], pairs: int) -> None:
    plan, other = make_plan(bots, pairs, 3), make_plan(bots[::-1], pairs, 3)
    assert list(plan.blocks()) == list(other.blocks())


@unhurried
@given(names, sizes, sizes)
def test_asking_for_more_games_keeps_all_blocks_but_lengthens_the_last(
    bots: list[str], fewer: int, more: int
) -> None:
    fewer, more = sorted([fewer, more])
    longer = {
        (block.entrants, block.number): block.fixtures
        for block in make_plan(bots, more, more).blocks()
    }
    for block in make_plan(bots, fewer, fewer).blocks():
        again = longer[block.entrants, block.number]
        assert again[: len(block.fixtures)] == block.fixtures


def test_blocks_have_ten_pairs_or_fifty_layouts_and_the_last_is_cut_short() -> None:
    blocks = make_plan(["a", "b"], pairs=23, layouts=60).blocks()
    lengths = [(block.entrants, block.number, len(block.fixtures)) for block in blocks]
    assert lengths == [
        (("a",), 0, 50),
        (("b",), 0, 50),
        (("a",), 1, 10),
        (("b",), 1, 10),
        (("a", "b"), 0, 20),
        (("a", "b"), 1, 20),
        (("a", "b"), 2, 6),
    ]


def test_size_of_blocks_changes_no_game() -> None:
    plan = make_plan(["a", "b", "c"], pairs=23)
    larger = replace(plan, block_pairs=15)
    assert [len(block.fixtures) for block in larger.blocks() if len(block.entrants) == 2] == (
        [30] * 3 + [16] * 3
    )
    assert {game for block in plan.blocks() for game in block.fixtures} == {
        game for block in larger.blocks() for game in block.fixtures
    }
    assert larger.games_in({(("a", "b"), 0): 30, (("a", "b"), 1): 15}) == 30


@unhurried
@given(names, sizes, sizes, st.data())
def test_games_in_a_record_are_those_of_its_whole_blocks(
    bots: list[str], pairs: int, layouts: int, data: st.DataObject
) -> None:
    plan = make_plan(bots, pairs, layouts)
    lengths = {
        (block.entrants, block.number): len(block.fixtures)
        for block in make_plan(bots, pairs + 15, layouts + 60).blocks()
    }
    played = {key: data.draw(st.integers(0, length)) for key, length in lengths.items()}
    whole = [
        len(block.fixtures)
        for block in plan.blocks()
        if played[block.entrants, block.number] >= len(block.fixtures)
    ]
    assert plan.games_in(played) == sum(whole)


def test_any_block_of_a_huge_plan_is_there_at_once() -> None:
    plan = make_plan([f"bot{number}" for number in range(150)], pairs=5 * 10**12)
    position = len(plan.soloists) * 2 + 10**15
    block = plan.block(position)
    assert block is not None
    assert block.number == 10**15 // len(plan.pairings)


def test_gauntlet_pairs_the_challenger_with_each_other_one_and_no_one_else() -> None:
    assert gauntlet("m", ["z", "m", "a"]) == (("a", "m"), ("m", "z"))


def test_round_robin_pairs_each_with_each() -> None:
    assert round_robin(["c", "a", "b"]) == (("a", "b"), ("a", "c"), ("b", "c"))


def test_one_bot_alone_meets_nobody() -> None:
    assert round_robin(["a"]) == gauntlet("a", ["a"]) == ()


def test_ids_of_games_are_all_different_and_depend_on_the_tournament() -> None:
    bots = ["a", "b", "c"]
    one = [game.id for block in make_plan(bots).blocks() for game in block.fixtures]
    other = [
        game.id for block in make_plan(bots, tournament="u").blocks() for game in block.fixtures
    ]
    assert len({*one, *other}) == len(one) + len(other)


@pytest.mark.parametrize(("common", "different"), [(False, 180), (True, 60)])
def test_all_bots_draw_from_seeds_of_their_own_and_search_common_layouts_if_asked(
    *, common: bool, different: int
) -> None:
    plan = replace(
        make_plan(["a", "b", "c"], pairs=0), seeds=Seeds(1, SALVO, common_layouts=common)
    )
    seeds: dict[str, list[tuple[int, int]]] = {}
    for block in plan.blocks():
        seeds.setdefault(block.entrants[0], []).extend(game.seeds for game in block.fixtures)
    layouts = [layout for games in seeds.values() for _, layout in games]
    assert len(layouts) == 180
    assert len(set(layouts)) == different
    assert len({own for games in seeds.values() for own, _ in games}) == 180
