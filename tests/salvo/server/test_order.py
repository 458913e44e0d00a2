"""In which order the plan of a league is played."""

from collections import Counter

from arena.rules import preset
from arena.schedule import Plan, round_robin
from arena.seeds import Seeds
from salvo.server.order import FLOOR, PROVISIONAL, Order

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


def test_whole_plan_is_played_and_each_block_once() -> None:
    wanted = {(block.entrants, block.number) for block in plan().blocks()}
    order = Order(plan(), {})
    found = []
    while (block := order.next(RATED)) is not None:
        found.append((block.entrants, block.number))
    assert len(found) == len(wanted)
    assert set(found) == wanted


def test_what_is_in_the_record_or_in_play_is_not_played_again() -> None:
    taken = (("a@1", "b@1"), 0)
    order = Order(plan(), {taken: 20}, [(("a@1", "b@1"), 1)])
    found = []
    while (block := order.next(RATED)) is not None:
        found.append((block.entrants, block.number))
    assert (("a@1", "b@1"), 0) not in found
    assert (("a@1", "b@1"), 1) not in found


def test_block_that_the_record_has_in_part_is_played_whole() -> None:
    order = Order(plan(), {(("a@1", "b@1"), 0): 19})
    found = []
    while (block := order.next(RATED)) is not None:
        found.append((block.entrants, block.number))
    assert (("a@1", "b@1"), 0) in found


def test_newcomer_plays_first() -> None:
    order = Order(plan(), played_by({"a@1": 3, "b@1": 3}))
    block = order.next(RATED)
    assert block is not None
    assert "d@1" in block.entrants


def test_bot_whose_rating_is_provisional_plays_before_others() -> None:
    met = played_by(dict.fromkeys(NAMES, 2))
    order = Order(plan(layouts=0), met)
    counts = Counter[str]()
    for _ in range(3):
        block = order.next(Known(RATED.known, ("c@1",)))
        assert block is not None
        counts.update(block.entrants)
    assert counts["c@1"] == 3


def test_everybody_gets_the_floor_before_anybody_gets_more() -> None:
    order = Order(plan(layouts=0), played_by({"a@1": 5}))
    known = Known(RATED.known, ("a@1",))
    met = Counter[str]()
    while min((met[name] for name in ("c@1", "d@1")), default=0) < FLOOR:
        block = order.next(known)
        assert block is not None
        for name in block.entrants:
            met[name] += 20
        assert set(block.entrants) & {"c@1", "d@1"}


def test_of_rivals_it_met_equally_often_the_nearest_is_chosen() -> None:
    ratings = {"a@1": 1500.0, "b@1": 1900.0, "c@1": 1520.0, "d@1": 1100.0}
    block = Order(plan(layouts=0), {}).next(Known(ratings, ("a@1",)))
    assert block is not None
    assert block.entrants == ("a@1", "c@1")


def test_bot_that_stays_provisional_does_not_go_first_for_ever() -> None:
    settled = PROVISIONAL // 20 // 2
    order = Order(plan(pairs=500, layouts=0), played_by(dict.fromkeys(NAMES, settled)))
    counts = Counter[str]()
    for _ in range(20):
        block = order.next(Known(RATED.known, ("c@1",)))
        assert block is not None
        counts.update(block.entrants)
    assert max(counts.values()) - min(counts.values()) <= 2
