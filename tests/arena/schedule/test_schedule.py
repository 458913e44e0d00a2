from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import Rules, Ship, preset
from arena.schedule import (
    DEFAULT_SEED,
    LAYOUTS_PER_BLOCK,
    PAIRS_PER_BLOCK,
    Plan,
    all_blocks,
    gauntlet,
    missing_blocks,
    round_robin,
    seat_seeds,
)

SALVO = preset("salvo")

unhurried = settings(deadline=None, max_examples=50)
names = st.lists(st.text("abcxyz_é 0", min_size=1, max_size=8), min_size=1, max_size=6, unique=True)
sizes = st.integers(0, 3 * PAIRS_PER_BLOCK)


def make_plan(
    bots: list[str], pairs: int = 12, layouts: int = 60, *, tournament: str = "t", seed: int = 1
) -> Plan:
    return Plan(
        tournament=tournament,
        rules=SALVO,
        seed=seed,
        pairings=round_robin(bots),
        soloists=tuple(sorted(bots)),
        pairs=pairs,
        layouts=layouts,
    )


@unhurried
@given(names, sizes, sizes)
def test_each_pair_is_two_games_with_seats_swapped_and_each_bot_gets_the_seed_its_opponent_had(
    bots: list[str], pairs: int, layouts: int
) -> None:
    for block in all_blocks(make_plan(bots, pairs, layouts)):
        if len(block.entrants) == 2:
            half = len(block.fixtures) // 2
            first, second = block.fixtures[:half], block.fixtures[half:]
            for one, other in zip(first, second, strict=True):
                assert (one.first, one.second) == (other.second, other.first) == block.entrants
                assert one.pair == other.pair
                assert one.seeds == other.seeds


@unhurried
@given(names, sizes, sizes)
def test_every_pairing_gets_every_pair_and_every_bot_every_layout_exactly_once(
    bots: list[str], pairs: int, layouts: int
) -> None:
    played: Counter[tuple[str, str | None, int]] = Counter()
    for block in all_blocks(make_plan(bots, pairs, layouts)):
        played.update((game.first, game.second, game.pair) for game in block.fixtures)
    wanted = {(bot, None, layout) for bot in bots for layout in range(layouts)} | {
        (one, other, pair)
        for one in bots
        for other in bots
        if one != other
        for pair in range(pairs)
    }
    assert played == dict.fromkeys(wanted, 1)


@unhurried
@given(names, sizes)
def test_order_of_the_names_changes_nothing(bots: list[str], pairs: int) -> None:
    assert list(all_blocks(make_plan(bots, pairs))) == list(
        all_blocks(make_plan(bots[::-1], pairs))
    )


@unhurried
@given(names, sizes, sizes)
def test_asking_for_more_games_keeps_all_blocks_but_lengthens_the_last(
    bots: list[str], fewer: int, more: int
) -> None:
    fewer, more = sorted([fewer, more])
    longer = {
        (block.entrants, block.number): block.fixtures
        for block in all_blocks(make_plan(bots, more, more))
    }
    for block in all_blocks(make_plan(bots, fewer, fewer)):
        again = longer[block.entrants, block.number]
        for seat in {game.first for game in block.fixtures}:
            kept = [game for game in block.fixtures if game.first == seat]
            assert [game for game in again if game.first == seat][: len(kept)] == kept


@unhurried
@given(names, sizes, sizes, st.data())
def test_missing_blocks_are_those_not_played_or_played_shorter(
    bots: list[str], pairs: int, layouts: int, data: st.DataObject
) -> None:
    plan = make_plan(bots, pairs, layouts)
    blocks = list(all_blocks(plan))
    lengths = {
        (block.entrants, block.number): data.draw(st.integers(0, len(block.fixtures)))
        for block in blocks
    }
    assert missing_blocks(plan, lengths) == [
        block for block in blocks if lengths[block.entrants, block.number] < len(block.fixtures)
    ]


def test_nothing_is_missing_where_more_was_played_than_is_wanted() -> None:
    plan = make_plan(["a", "b"], pairs=25)
    played = {(block.entrants, block.number): len(block.fixtures) for block in all_blocks(plan)}
    assert missing_blocks(make_plan(["a", "b"], pairs=13), played) == []


def test_blocks_have_ten_pairs_or_fifty_layouts_and_the_last_is_cut_short() -> None:
    blocks = list(all_blocks(make_plan(["a", "b"], pairs=23, layouts=60)))
    lengths = [(block.entrants, block.number, len(block.fixtures)) for block in blocks]
    assert lengths == [
        (("a",), 0, LAYOUTS_PER_BLOCK),
        (("b",), 0, LAYOUTS_PER_BLOCK),
        (("a",), 1, 10),
        (("b",), 1, 10),
        (("a", "b"), 0, 2 * PAIRS_PER_BLOCK),
        (("a", "b"), 1, 2 * PAIRS_PER_BLOCK),
        (("a", "b"), 2, 6),
    ]


def test_gauntlet_pairs_the_challenger_with_each_other_one_and_no_one_else() -> None:
    assert gauntlet("m", ["z", "m", "a"]) == (("a", "m"), ("m", "z"))


def test_round_robin_pairs_each_with_each() -> None:
    assert round_robin(["c", "a", "b"]) == (("a", "b"), ("a", "c"), ("b", "c"))


def test_one_bot_alone_meets_nobody() -> None:
    assert round_robin(["a"]) == gauntlet("a", ["a"]) == ()


def test_ids_of_games_are_all_different_and_depend_on_the_tournament() -> None:
    one = [game.id for block in all_blocks(make_plan(["a", "b", "c"])) for game in block.fixtures]
    other = [
        game.id
        for block in all_blocks(make_plan(["a", "b", "c"], tournament="u"))
        for game in block.fixtures
    ]
    assert len({*one, *other}) == len(one) + len(other)


@unhurried
@given(st.integers(0, 2**53), st.integers(0, 10**6))
def test_seeds_are_integers_that_every_language_reads_exactly(seed: int, index: int) -> None:
    for value in seat_seeds(seed, SALVO, ("a", "b"), index):
        assert type(value) is int
        assert 0 <= value < 2**53


def test_seeds_differ_by_tournament_rules_pairing_pair_and_seat() -> None:
    seeds = [
        value
        for seed in (1, 2)
        for rules in (SALVO, preset("classic"))
        for who in ((), ("a", "b"), ("a", "c"), ("ab", "c"))
        for index in range(20)
        for value in seat_seeds(seed, rules, who, index)
    ]
    assert len(set(seeds)) == len(seeds)


def test_solo_seeds_are_the_same_for_all_bots() -> None:
    seeds: dict[str, list[tuple[int, int]]] = {}
    for block in all_blocks(make_plan(["a", "b", "c"], pairs=0)):
        seeds.setdefault(block.entrants[0], []).extend(game.seeds for game in block.fixtures)
    assert seeds["a"] == seeds["b"] == seeds["c"]
    assert len(set(seeds["a"])) == 60


def test_name_of_the_rules_does_not_count_for_seeds() -> None:
    renamed = msgspec.structs.replace(SALVO, name="another")
    assert seat_seeds(1, renamed, ("a", "b"), 3) == seat_seeds(1, SALVO, ("a", "b"), 3)


def test_seeds_stay_what_they_were_when_the_family_of_games_grows() -> None:
    class GrownShip(Ship, frozen=True):
        rotates: bool = False

    class Grown(Rules, frozen=True, kw_only=True):
        weather: str = "fair"

    def seeds(kind: type[Rules], ship: type[Ship], **given: str) -> tuple[int, int]:
        rules = kind(name="mini", rows=4, columns=4, fleet=(ship("Boat", 2),), **given)
        return seat_seeds(1, rules, ("a", "b"), 0)

    assert seeds(Grown, GrownShip) == seeds(Rules, Ship)
    assert seeds(Grown, GrownShip, weather="foul") != seeds(Rules, Ship)


@pytest.mark.parametrize(
    ("who", "seeds"),
    [
        ((), (8767531793467289, 7021098617035662)),
        (("hunt_target", "uniform_random"), (3812988788436709, 8741557900565651)),
    ],
)
def test_seeds_are_the_same_on_every_machine(who: tuple[str, ...], seeds: tuple[int, int]) -> None:
    assert seat_seeds(DEFAULT_SEED, SALVO, who, 0) == seeds
