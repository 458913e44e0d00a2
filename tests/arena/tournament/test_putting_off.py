"""Which block comes next, what is left of one that was broken off, and when an outage is final."""

from typing import TYPE_CHECKING, cast

import pytest
from msgspec.structs import replace

from arena.records import Block, BlockRecord, Fixture, Void
from arena.rules import preset
from arena.seeds import Seeds
from arena.tournament import Outages, PutOff
from arena.tournament.outages import Queue
from tests.games import ended

if TYPE_CHECKING:
    from arena.schedule import Pending
    from arena.store import Store

SEEDS = Seeds(1, preset("salvo"))


class Notes:
    """The outages in a record."""

    def __init__(self, *parts: BlockRecord) -> None:
        self.parts = list(parts)

    def outages(self, tournament: str) -> list[BlockRecord]:
        assert tournament == "cup"
        return list(self.parts)

    def note_outage(self, tournament: str, part: BlockRecord) -> None:
        assert tournament == "cup"
        self.parts.append(part)


class Lacking:
    """The blocks that a record lacks."""

    def __init__(self, *blocks: Block) -> None:
        self._blocks = list(blocks)

    def take(self) -> Block | None:
        return self._blocks.pop(0) if self._blocks else None


def block(bots: str, number: int = 0, games: int = 4) -> Block:
    """Return a block of two bots, each of one letter."""
    seats = [bots, bots[::-1]] * games
    fixtures = (Fixture(f"{bots}{n}", *seats[n], n // 2, (n, n)) for n in range(games))
    return Block(tuple(bots), number, tuple(fixtures))


def played(of: Block, games: int = 99, out: str = "") -> BlockRecord:
    """Return the record of a block, which may be broken off after some games by one that is out."""
    kept, left = of.fixtures[:games], of.fixtures[games:]
    voids = (Void(left[0].id, left[0].attempt, out, f"{out} is down", outage=True),) if out else ()
    return BlockRecord(
        of,
        tuple(ended(fixture) for fixture in kept),
        "none",
        voids,
    )


def outages(notes: Notes, names: str) -> Outages:
    return Outages(cast("Store", notes), "cup", SEEDS, set(names))


def queue(names: str, *blocks: Block, notes: Notes | None = None) -> Queue:
    return Queue(cast("Pending", Lacking(*blocks)), outages(notes or Notes(), names))


def taken(queue: Queue) -> Block:
    found = queue.take()
    assert found is not None
    return found


def test_blocks_of_one_that_is_out_come_last_and_one_is_tried() -> None:
    notes = Notes()
    line = queue("a", block("ab"), block("ac"), block("bc"), notes=notes)
    first = taken(line)
    assert first == replace(block("ab"), excused=("a",))
    assert line.settle(played(first, 2, "a")) is None
    assert [(one.block, len(one.games)) for one in notes.parts] == [(block("ab"), 2)]
    other = taken(line)
    assert other == block("bc")
    assert line.settle(played(other)) is not None
    again = taken(line)
    seeds = SEEDS.of_game("a", "b", 1, 1)
    void, last = block("ab").fixtures[2:]
    assert again.fixtures == (replace(void, seeds=seeds, attempt=1), last)
    assert line.take() is None  # before it is known whether the outage is over
    whole = line.settle(played(again))
    assert whole is not None
    assert whole.block == block("ab")
    assert [game.fixture for game in whole.games] == [*first.fixtures[:2], *again.fixtures]
    assert [one.entrant for one in whole.voids] == ["a"]
    assert taken(line).entrants == ("a", "c")
    assert line.left() == []


def test_outage_that_is_not_over_puts_off_all_blocks_of_the_bot() -> None:
    line = queue("a", block("ab"), block("ac"), block("bc"))
    assert line.settle(played(taken(line), 2, "a")) is None
    assert taken(line).entrants == ("b", "c")
    again = taken(line)
    assert line.settle(played(again, 1, "a")) is None
    assert line.take() is None
    assert line.left() == [
        PutOff(("a", "c"), "a", "a is down"),
        PutOff(("a", "b"), "a", "a is down"),
    ]


def test_each_attempt_goes_on_from_the_games_of_all_before() -> None:
    notes = Notes()
    line = queue("a", block("ab"), notes=notes)
    assert line.settle(played(taken(line), 1, "a")) is None
    assert line.settle(played(taken(line), 2, "a")) is None
    assert [len(one.games) for one in notes.parts] == [1, 3]
    assert [one.attempt for one in notes.parts[1].voids] == [0, 0]
    [last] = outages(notes, "a").begin(block("ab")).fixtures
    assert (last.id, last.attempt, last.seeds) == ("ab3", 1, SEEDS.of_game("b", "a", 1, 1))
    void = replace(notes.parts[1].voids[-1], attempt=4)
    longer = Notes(replace(notes.parts[1], voids=(void,)))
    assert outages(longer, "a").begin(block("ab")).fixtures[0].attempt == 5


def test_nothing_is_tried_while_another_block_of_the_bot_is_in_play() -> None:
    line = queue("a", block("ab"), block("ac"))
    one, other = taken(line), taken(line)
    assert line.settle(played(one, 0, "a")) is None
    assert line.take() is None
    assert line.settle(played(other, 0, "a")) is None  # of the same outage
    assert taken(line).entrants == ("a", "b")
    assert line.take() is None
    assert line.left() == []


def test_who_was_tried_beside_another_that_is_out_is_tried_again() -> None:
    line = queue("ab", block("ab"), block("ab", 1))
    assert line.settle(played(taken(line), 0, "a")) is None
    assert line.settle(played(taken(line), 0, "b")) is None
    again = taken(line)
    assert again.key == (("a", "b"), 1)
    assert line.settle(played(again)) is not None
    assert taken(line).key == (("a", "b"), 0)
    assert line.left() == []


def test_part_that_has_all_games_that_are_asked_for_now_is_whole() -> None:
    notes = Notes(played(block("ab"), 3, "a"))
    found = outages(notes, "a")
    less = block("ab", games=2)
    assert found.begin(less).fixtures == ()
    whole = found.settle(played(replace(less, fixtures=())))
    assert [game.fixture for game in whole.games] == list(less.fixtures)
    assert whole.broken_off is None
    assert len(notes.parts) == 1


@pytest.mark.parametrize(
    ("before", "in_play", "may", "excused"),
    [
        (0, 9, True, True),
        (0, 10, False, True),
        (8, 1, True, True),
        (9, 0, True, True),
        (9, 1, False, True),
        (10, 0, True, False),
        (11, 5, True, False),
    ],
)
def test_ten_games_may_be_broken_off_and_the_next_is_a_forfeit(
    before: int, in_play: int, *, may: bool, excused: bool
) -> None:
    found = outages(Notes(*[played(block("ac", n), 0, "a") for n in range(before)]), "ac")
    for number in range(in_play):
        found.begin(block("ab", number))
    assert (found.in_play("a"), found.in_play("b"), found.in_play("c")) == (in_play, in_play, 0)
    assert found.may_begin(block("ab", 50)) is may
    assert found.may_begin(block("bd", 50))
    assert found.begin(block("ab", 50)).excused == (("a",) if excused else ())


def test_block_that_came_to_nothing_is_not_in_play() -> None:
    found = outages(Notes(), "a")
    found.begin(block("ab"))
    found.begin(block("ab", 1))
    found.drop(block("ab"))
    found.drop(block("ab"))
    assert found.in_play("a") == 1
