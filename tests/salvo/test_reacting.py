"""Swiss and adaptive schedules, and sequential tests: the same blocks whoever finishes first."""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from arena.records import Block, BlockKey, BlockRecord, Outcome
from arena.rules import Seat, preset
from arena.schedule import Pending, Plan, Schedule, others_blocks
from arena.seeds import Seeds
from leaderboards.elo.closeness import nats_beyond_near
from leaderboards.elo.elo_table import ELO_PER_NAT
from leaderboards.sprt import Answer, Hypotheses
from salvo import reacting
from salvo.conditions import MATCHING, Matching
from salvo.reacting import EndOfTest, Reaction, describe_rounds, draw_of, in_rounds
from tests.games import ended

NAMES = tuple(f"bot{number}" for number in range(9))
GAMES = 100


def schedule_of(matching: Matching, games: int = GAMES, bots: Sequence[str] = NAMES) -> Schedule:
    plan = Plan(
        tournament="cup",
        seeds=Seeds(1, preset("salvo")),
        pairings=(),
        soloists=tuple(bots),
        pairs=0,
        layouts=60,
    )
    return in_rounds(matching, plan, games, draw_of(matching, plan))


def play(block: Block) -> BlockRecord:
    """Decide games by their seeds alone; the lower a bot's number, the better it is."""
    games = []
    for fixture in block.fixtures:
        chance = 0.5
        if fixture.second is not None:
            chance += (int(fixture.second[3:]) - int(fixture.first[3:])) / 20
        won: Seat = "first" if random.Random(fixture.seeds[0]).random() < chance else "second"
        games.append(ended(fixture, won))
    return BlockRecord(block, tuple(games), "none")


Record = dict[BlockKey, BlockRecord]


def run(
    schedule: Schedule, workers: int, order: random.Random, record: Record, stop: int = 10**9
) -> Record:
    """Play into a record by workers that finish in any order, ``stop`` blocks at the most."""
    played = {key: len(done.games) for key, done in record.items()}
    pending = Pending(schedule, played, lambda key: record[key].outcomes())
    busy: list[Block] = []
    while True:
        while len(busy) < workers and (block := pending.take()) is not None:
            busy.append(block)
        if not busy or stop == 0:
            assert pending.done <= schedule.most_games
            return record
        done = play(busy.pop(order.randrange(len(busy))))
        record[done.block.entrants, done.block.number] = done
        pending.settle(done)
        stop -= 1


def between(record: Record) -> list[tuple[str, ...]]:
    return [who for who, _ in record if len(who) > 1]


@pytest.fixture(scope="module", params=MATCHING)
def matching(request: pytest.FixtureRequest) -> Matching:
    return next(one for one in MATCHING if one == request.param)


@pytest.fixture(scope="module")
def alone(matching: Matching) -> Record:
    """Return what one worker plays in one go."""
    return run(schedule_of(matching), 1, random.Random(0), {})


@pytest.mark.parametrize("workers", [2, 7])
def test_any_number_of_workers_plays_the_same_blocks(
    matching: Matching, alone: Record, workers: int
) -> None:
    assert run(schedule_of(matching), workers, random.Random(workers), {}) == alone


@pytest.mark.parametrize("stop", [1, 19, 30, 41])
def test_run_that_is_stopped_goes_on_to_the_same_blocks(
    matching: Matching, alone: Record, stop: int
) -> None:
    record = run(schedule_of(matching), 3, random.Random(stop), {}, stop)
    assert run(schedule_of(matching), 2, random.Random(stop), record) == alone


def test_more_games_extend_the_record_as_if_asked_for_at_once(
    matching: Matching, alone: Record
) -> None:
    more = run(schedule_of(matching, 2 * GAMES), 1, random.Random(0), dict(alone))
    at_once = run(schedule_of(matching, 2 * GAMES), 1, random.Random(0), {})
    assert at_once.items() <= more.items()


def test_every_bot_gets_its_share(alone: Record, matching: Matching) -> None:
    blocks = Counter(bot for who in between(alone) for bot in who)
    assert set(blocks) == set(NAMES)
    assert min(blocks.values()) >= (4 if matching == "swiss" else 3)
    solo = [who for who, _ in alone if len(who) == 1]
    assert len(solo) == 2 * len(NAMES)


def test_bots_are_too_far_apart_by_so_many_elo_as_they_differ_beyond_near_ones() -> None:
    outcomes = [
        outcome
        for first, second, times in [("b", "c", 30), ("c", "b", 30), ("b", "a", 40), ("c", "a", 40)]
        for outcome in [Outcome(first, second, 0, "first")] * times
    ]
    beyond = Reaction(["c", "a", "b"]).too_far([outcomes])
    games = np.array([[0, 40, 40], [40, 0, 60], [40, 60, 0]])
    points = np.array([[0, 0, 0], [40, 0, 30], [40, 30, 0.0]])
    elo = ELO_PER_NAT * nats_beyond_near(games, points)
    assert np.array(beyond) == pytest.approx(elo, abs=0.5)
    assert beyond[1][2] == 0
    assert beyond[0][1] > 300


@pytest.mark.parametrize(
    ("matching", "bots", "games", "made"),
    [
        ("swiss", 5, 40, {"blocks": 4, "size": 2}),  # one sits out each of two rounds
        ("swiss", 8, 60, {"blocks": 12, "size": 4}),
        ("adaptive", 5, 40, {"blocks": 5, "size": 4}),
        ("adaptive", 9, 40, {"blocks": 9, "size": 4}),
        ("adaptive", 12, 40, {"blocks": 12, "size": 6}),
        ("adaptive", 3, 20, {"blocks": 1, "size": 4}),
    ],
)
def test_rounds_are_of_half_the_bots_and_small_ones_of_four_blocks(
    monkeypatch: pytest.MonkeyPatch, matching: Matching, bots: int, games: int, made: dict[str, int]
) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr(reacting, "Rounds", lambda _, **more: given.update(more))
    schedule_of(matching, games, [f"bot{number}" for number in range(bots)])
    assert given | made == given
    assert given.keys() == {*made, "draw"}


def test_swiss_lets_nobody_meet_twice_before_they_must() -> None:
    record = run(schedule_of("swiss"), 1, random.Random(0), {})
    assert max(Counter(between(record)).values()) == 1


def test_bots_far_apart_meet_less(matching: Matching) -> None:
    names = [f"bot{number}" for number in range(0, 40, 2)]
    met = between(run(schedule_of(matching, 120, names), 1, random.Random(0), {}))
    gaps = [abs(int(one[3:]) - int(other[3:])) for one, other in met]
    mean = 14  # of the gaps of all pairings
    assert sum(gaps[-20:]) / 20 < 0.7 * mean


def drawn_by_chance(matching: Matching, seed: int) -> list[tuple[str, ...]]:
    """Return who meets whom where every game is won by chance."""
    schedule, chance = schedule_of(matching), random.Random(seed)
    blocks: list[Block] = []
    results: list[Sequence[Outcome]] = []
    while isinstance(block := schedule.block(len(results), results), Block):
        blocks.append(block)
        results.append(
            [
                Outcome(game.first, str(game.second), game.pair, chance.choice(["first", "second"]))
                for game in block.fixtures
            ]
        )
    return [block.entrants for block in blocks if len(block.entrants) > 1]


def test_luck_does_not_decide_who_meets_whom(matching: Matching) -> None:
    assert drawn_by_chance(matching, 1) == drawn_by_chance(matching, 2)


def test_blocks_of_other_rounds_are_found(matching: Matching, alone: Record) -> None:
    def found(record: Record) -> set[BlockKey]:
        played = {key: len(done.games) for key, done in record.items()}
        schedule = schedule_of(matching, 10 * GAMES)
        return others_blocks(schedule, played, lambda key: record[key].outcomes())

    assert found(alone) == set()
    assert found(run(schedule_of(matching), 3, random.Random(5), {}, 31)) == set()
    other = ("bot0", "bot8"), 9
    assert found({**alone, other: next(iter(alone.values()))}) == {other}


def test_who_met_whom_is_said() -> None:
    sizes = {("a",): 5, ("a", "b"): 10, ("b", "c"): 10}
    told = describe_rounds("swiss", sizes, ["a", "b", "c"])
    assert told == "Schedule swiss: 26.67 games a bot on average; 2 of the 3 pairings met."
    for pairs, number in ((499, "998"), (500, "1,000"), (12_345, "24,690")):
        many = describe_rounds("swiss", {("a", "b"): pairs}, ["a", "b"])
        assert many == f"Schedule swiss: {number} games a bot on average; 1 of the 1 pairings met."
    assert "; 2 of the 6 pairings met. d met nobody and has no Elo" in describe_rounds(
        "swiss", sizes, ["a", "b", "c", "d"]
    )


def test_sequential_test_counts_pairs_for_the_bot_that_it_is_about() -> None:
    block = [
        Outcome("a", "b", 0, "second"),
        Outcome("b", "a", 0, "first"),
        Outcome("a", "b", 1, "draw"),
        Outcome("b", "a", 1, "first"),
    ]
    ends = {bot: EndOfTest(bot, Hypotheses(0, 200)) for bot in "ab"}
    for end in ends.values():
        assert not end(block)
    assert ends["a"].state.score == pytest.approx(1 / 8)
    assert ends["b"].state.score == pytest.approx(7 / 8)
    while not ends["b"](block):
        pass
    assert ends["b"].state.answer is Answer.ACCEPT_1
