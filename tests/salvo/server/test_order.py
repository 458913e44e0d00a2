"""In which order the plan of a league is played."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from arena.bot import Bot
from arena.isolation import Choice, Level
from arena.player import UNHURRIED
from arena.records import Block, BlockKey, comparable
from arena.rules import preset
from arena.schedule import Plan, round_robin
from arena.seeds import Seeds
from arena.tournament import play_here
from salvo.server.work.order import FLOOR, PROVISIONAL, Minutes, Order

NAMES = ("a@1", "b@1", "c@1", "d@1")


class Known:
    """Ratings that a test sets."""

    def __init__(self, elo: dict[str, float], provisional: tuple[str, ...] = ()) -> None:
        self.known, self.provisional = elo, provisional

    def elo_of(self, bot: str) -> float | None:
        return self.known.get(bot)

    def is_provisional(self, bot: str) -> bool:
        return bot in self.provisional


RATED = Known(dict.fromkeys(NAMES, 1500.0))


def nothing(bot: str) -> int:
    """Return how many minutes an author has used: none."""
    del bot
    return 0


def each_block(order: Order, minutes: Minutes = nothing) -> list[Block]:
    return list(iter(lambda: order.next(RATED, minutes), None))


def plan(pairs: int = 50, layouts: int = 100) -> Plan:
    return Plan(
        tournament="league",
        seeds=Seeds(1, preset("ramesh-1")),
        pairings=round_robin(NAMES),
        soloists=NAMES,
        pairs=pairs,
        layouts=layouts,
    )


def played_by(blocks: dict[str, int]) -> dict[tuple[tuple[str, ...], int], int]:
    """Return a record in which each of some bots has met the next so often."""
    return {
        (tuple(sorted((name, NAMES[(NAMES.index(name) + 1) % 4]))), number): 20
        for name, many in blocks.items()
        for number in range(many)
    }


@pytest.mark.parametrize(("pairs", "layouts"), [(50, 100), (41, 55), (1, 1)])
def test_whole_plan_is_played_and_each_block_once(pairs: int, layouts: int) -> None:
    odd = replace(plan(pairs, layouts), block_layouts=10)
    found = {(block.entrants, block.number): block for block in each_block(Order(odd, {}))}
    assert found == {(block.entrants, block.number): block for block in odd.blocks()}


def in_turn(order: Order, known: Known = RATED, minutes: Minutes = nothing, most: int = 99) -> str:
    """Return the blocks that are given out, by the first letters of who is in them."""
    found = []
    while len(found) < most and (block := order.next(known, minutes)) is not None:
        found.append("".join(name[0] for name in block.entrants) + str(block.number))
    return " ".join(found)


def test_everybody_plays_as_much_alone_as_with_others_and_all_in_turn() -> None:
    small = replace(
        plan(pairs=15, layouts=25),
        pairings=round_robin(NAMES[:3]),
        soloists=NAMES[:3],
        block_layouts=10,
    )
    # Whoever has fewest games is next; up to 40 games against others nobody has more than needed.
    assert in_turn(Order(small, {})) == ("a0 ab0 c0 ac0 b0 b1 b2 bc0 a1 a2 ab1 c1 c2 ac1 bc1")
    assert in_turn(Order(small, {}), minutes=used(a=2, b=1)) == (
        "c0 c1 c2 bc0 bc1 b0 b1 b2 ac0 ac1 ab0 ab1 a0 a1 a2"
    )


@pytest.mark.parametrize(
    ("blocks", "first"),
    [(1, "bd0"), (4, "bd0"), (5, "ac0")],  # of 20 games, with two rivals: 40, 160 and 200 games
)
def test_provisional_rating_goes_first_from_the_floor_on_until_it_had_its_games(
    blocks: int, first: str
) -> None:
    order = Order(plan(pairs=500, layouts=0), played_by(dict.fromkeys(NAMES, blocks)))
    assert in_turn(order, Known(RATED.known, ("d@1",)), most=1) == first


def test_bot_below_the_floor_goes_before_a_provisional_one_above_it() -> None:
    played = played_by(dict.fromkeys(NAMES, 1)) | {(("a@1", "c@1"), 0): 20, (("b@1", "c@1"), 1): 20}
    order = Order(plan(layouts=0), {key: 20 for key in played if "d@1" not in key[0]})
    assert in_turn(order, Known(RATED.known, ("a@1",)), most=2) == "ad0 bd0"


def test_who_has_no_rating_yet_counts_as_1500() -> None:
    known = Known({"a@1": 1600.0, "b@1": 1420.0, "d@1": 1790.0})
    assert in_turn(Order(plan(layouts=0), {}), known, most=3) == "ac0 bc0 ad0"
    known = Known({"b@1": 1580.0, "c@1": 1440.0, "d@1": 1000.0})
    assert in_turn(Order(plan(layouts=0), {}), known, most=1) == "ac0"


def test_block_counts_once_all_its_games_are_in_the_record() -> None:
    small = replace(plan(pairs=11, layouts=12), block_layouts=10)
    ab, a = ("a@1", "b@1"), ("a@1",)
    whole: dict[BlockKey, int] = {(ab, 0): 20, (ab, 1): 2, (a, 0): 10, (a, 1): 2}
    every = set(in_turn(Order(small, {})).split())
    assert every - set(in_turn(Order(small, whole)).split()) == {"ab0", "ab1", "a0", "a1"}
    short = {key: games - 1 for key, games in whole.items()}
    assert set(in_turn(Order(small, short)).split()) == every


def test_block_that_is_taken_twice_counts_once() -> None:
    small = replace(plan(pairs=20, layouts=0), pairings=(NAMES[:2],), soloists=NAMES[:2])
    key: BlockKey = (NAMES[:2], 0)
    assert in_turn(Order(small, {key: 20}, [key])) == "ab1"


def test_tournament_has_pairings_and_nobody_alone() -> None:
    planned = replace(plan(pairs=10, layouts=0), pairings=(("b@1", "a@1"),), soloists=())
    assert Order(planned, {}).has_pairings
    assert in_turn(Order(planned, {})) == "ab0"
    assert not Order(replace(planned, pairings=(), soloists=NAMES), {}).has_pairings


def test_what_is_in_the_record_or_in_play_is_not_played_again() -> None:
    taken = (("a@1", "b@1"), 0)
    order = Order(plan(), {taken: 20}, [(("a@1", "b@1"), 1)])
    found = [(block.entrants, block.number) for block in each_block(order)]
    assert (("a@1", "b@1"), 0) not in found
    assert (("a@1", "b@1"), 1) not in found


def test_block_that_the_record_has_in_part_is_played_whole() -> None:
    order = Order(plan(), {(("a@1", "b@1"), 0): 19})
    found = [(block.entrants, block.number) for block in each_block(order)]
    assert (("a@1", "b@1"), 0) in found


def test_newcomer_plays_first() -> None:
    order = Order(plan(), played_by({"a@1": 3, "b@1": 3}))
    block = order.next(RATED, nothing)
    assert block is not None
    assert "d@1" in block.entrants


def test_bot_whose_rating_is_provisional_plays_before_others() -> None:
    met = played_by(dict.fromkeys(NAMES, 2))
    order = Order(plan(layouts=0), met)
    counts = Counter[str]()
    for _ in range(3):
        block = order.next(Known(RATED.known, ("c@1",)), nothing)
        assert block is not None
        counts.update(block.entrants)
    assert counts["c@1"] == 3


def test_everybody_gets_the_floor_before_anybody_gets_more() -> None:
    order = Order(plan(layouts=0), played_by({"a@1": 5}))
    known = Known(RATED.known, ("a@1",))
    met = Counter[str]()
    while min((met[name] for name in ("c@1", "d@1")), default=0) < FLOOR:
        block = order.next(known, nothing)
        assert block is not None
        for name in block.entrants:
            met[name] += 20
        assert set(block.entrants) & {"c@1", "d@1"}


def test_of_rivals_it_met_equally_often_the_nearest_is_chosen() -> None:
    ratings = {"a@1": 1500.0, "b@1": 1900.0, "c@1": 1520.0, "d@1": 1100.0}
    block = Order(plan(layouts=0), {}).next(Known(ratings, ("a@1",)), nothing)
    assert block is not None
    assert block.entrants == ("a@1", "c@1")


def test_bot_that_stays_provisional_does_not_go_first_for_ever() -> None:
    settled = PROVISIONAL // 20 // 2
    order = Order(plan(pairs=500, layouts=0), played_by(dict.fromkeys(NAMES, settled)))
    counts = Counter[str]()
    for _ in range(20):
        block = order.next(Known(RATED.known, ("c@1",)), nothing)
        assert block is not None
        counts.update(block.entrants)
    assert max(counts.values()) - min(counts.values()) <= 2


def used(**minutes: int) -> Minutes:
    """Return what says how many minutes the authors of bots have used: others none."""
    return lambda bot: minutes.get(bot.partition("@")[0], 0)


def test_author_who_used_least_time_goes_first_even_before_a_newcomer() -> None:
    order = Order(plan(), played_by({"a@1": 3, "b@1": 3}))
    block = order.next(RATED, used(c=2, d=2, b=1))
    assert block is not None
    assert block.entrants == ("a@1",)


def test_others_meet_each_other_before_they_meet_one_who_used_much_time() -> None:
    blocks = each_block(Order(plan(), {}), used(a=3))
    slow = [number for number, block in enumerate(blocks) if "a@1" in block.entrants]
    assert slow == list(range(len(blocks) - len(slow), len(blocks)))


def test_many_bots_of_one_author_get_no_more_time_than_one_of_another() -> None:
    names = tuple(f"many-{number}@1" for number in range(10))
    clone = replace(plan(), pairings=(), soloists=("one@1", *names), layouts=2000)
    order, spent = Order(clone, {}), Counter[str]()
    for _ in range(60):
        block = order.next(RATED, lambda bot: spent[bot[:3]])
        assert block is not None
        spent[block.entrants[0][:3]] += 1
    assert abs(spent["one"] - spent["man"]) <= 1


def test_time_used_changes_the_order_of_the_blocks_and_no_game_in_them() -> None:
    source = random.Random(2)
    wanted = {(block.entrants, block.number): block for block in plan().blocks()}
    orders = []
    for _ in range(5):
        found = each_block(Order(plan(), {}), lambda _: source.randrange(3))
        assert {(block.entrants, block.number): block for block in found} == wanted
        orders.append([(block.entrants, block.number) for block in found])
    assert len({tuple(order) for order in orders}) > 1


class _Shuffled(Bot):
    """A bot whose shots are its own, and which remembers nothing."""

    def choose_shots(self, count: int) -> list[int]:
        return self.random.sample(self.untried, count)


class _InOrder(Bot):
    """A bot that always shoots at the same cells."""

    def choose_shots(self, count: int) -> list[int]:
        return self.untried[:count]


def test_results_are_the_same_whatever_time_bots_used() -> None:
    names: dict[str, type[Bot]] = {"a@1": _Shuffled, "b@1": _InOrder, "c@1": _Shuffled}
    small = replace(
        plan(pairs=2, layouts=4),
        pairings=round_robin(names),
        soloists=tuple(names),
        block_pairs=1,
        block_layouts=2,
    )
    play = play_here(small.seeds.rules, UNHURRIED, small.seeds, names, Choice(Level.NONE, ()))

    def results(minutes: Minutes) -> tuple[list[str], set[bytes]]:
        games = [game for one in each_block(Order(small, {}), minutes) for game in play(one).games]
        return [game.fixture.id for game in games], set(map(comparable, games))

    (first, games), (second, others) = results(used(a=5)), results(used(c=5, b=1))
    assert first != second
    assert games == others
    assert len(games) == len(first) == small.most_games
