"""The games of a record as lists, pages and summaries: which, and in which order."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.records import BlockRecord, Game, Tally, Termination
from arena.store import RESULT_COLUMNS, Store, Tournament

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]

ALONE = [(bot, "", None, 0, bot, "sunk", 1, "", "") for bot in "abc"]
A_AND_B = [
    ("a", "b", 0, None, "b", "illegal", 3, "outside the board", "oh"),
    ("b", "a", 0, None, "", "capped", 4, "", ""),
]
OTHERS = [
    (first, second, 0, None, first, "sunk", 1, "", "") for first, second in ("ac", "ca", "bc", "cb")
]
NEWEST_FIRST = [
    (("b", "c"), 0),
    (("a", "c"), 0),
    (("a", "b"), 0),
    (("c",), 0),
    (("b",), 0),
    (("a",), 0),
]


def varied(record: BlockRecord) -> BlockRecord:
    """Return a block whose first game ends by a forfeit, and whose second is drawn."""
    one, two = record.games
    forfeited = replace(
        one,
        result="second",
        termination=Termination.ILLEGAL,
        forfeit="first",
        reason="outside the board",
        stderr="oh",
        tallies=(Tally(3, 3, 1), Tally(2, 2, 2)),
    )
    drawn = replace(
        two,
        result="draw",
        termination=Termination.CAPPED,
        tallies=(Tally(3, 3, 1), Tally(4, 4, 1)),
    )
    return replace(record, games=(forfeited, drawn))


@pytest.fixture
def records(make_tournament: MakeTournament, make_blocks: MakeBlocks) -> list[BlockRecord]:
    return [
        varied(record) if record.block.entrants == ("a", "b") else record
        for record in make_blocks(make_tournament("abc"), 2, 1)
    ]


@pytest.fixture
def kept(
    path: Path, make_tournament: MakeTournament, records: list[BlockRecord]
) -> Iterator[Store]:
    """Return a record of a cup of a, b and c: three blocks alone, then three of two games each."""
    with Store(path, create=True) as store:
        store.enter(make_tournament("abc"))
        store.enter(make_tournament("ab", name="bowl"))
        for record in records:
            store.add(make_tournament("abc"), record)
        yield store


def test_list_has_games_of_two_first_and_says_who_won(kept: Store) -> None:
    assert [row[1:] for row in kept.listed("cup")] == [*A_AND_B, *OTHERS, *ALONE]
    assert [row[0] for row in kept.listed("cup")][:2] == [
        game.fixture.id
        for game in kept.games("cup")
        if game.fixture.seats["first"] in "ab" and game.fixture.second in {"a", "b"}
    ]


def test_list_may_be_of_one_bot_or_of_forfeits_alone(kept: Store) -> None:
    def listed(**given: object) -> list[object]:
        return [row[1:] for row in kept.listed("cup", **given)]  # type: ignore[arg-type]

    assert listed(bot="c") == [*OTHERS, ALONE[2]]
    assert listed(forfeits=True) == A_AND_B[:1]
    assert listed(bot="b", forfeits=True) == A_AND_B[:1]
    assert listed(bot="c", forfeits=True) == []
    assert list(kept.listed("bowl")) == []


def test_stderr_is_told_of_the_games_that_have_any(kept: Store, records: list[BlockRecord]) -> None:
    assert kept.stderr("cup") == {records[3].games[0].fixture.id: "oh"}


def test_games_come_in_the_order_of_the_file_where_none_is_asked_for(
    kept: Store, records: list[BlockRecord]
) -> None:
    assert list(kept.each_game("cup")) == [game for record in records for game in record.games]


def test_newest_games_are_found_by_the_beginning_of_their_ids(
    kept: Store, records: list[BlockRecord]
) -> None:
    newest = [game.fixture for record in records for game in record.games][::-1]
    told = [(one.id, one.first, one.second) for one in newest]
    assert kept.newest_games("", 4) == told[:4]
    assert kept.newest_games(newest[5].id[:6], 4) == told[5:6]
    assert kept.newest_games("x", 4) == []


def test_blocks_are_numbered_as_they_come(kept: Store) -> None:
    assert list(kept.newest_blocks("cup")) == list(zip(range(6, 0, -1), NEWEST_FIRST, strict=True))
    assert list(kept.newest_blocks("bowl")) == []
    assert kept.newest_block() == 6


def test_record_without_a_game_has_no_newest_block(store: Store) -> None:
    assert store.newest_block() == 0


def test_pages_of_results_are_whole_blocks_after_one(
    kept: Store, records: list[BlockRecord]
) -> None:
    def page(after: int) -> tuple[int | None, list[object]]:
        last, rows = kept.page_of_results("cup", after=after, most=2)
        return last, [dict(zip(RESULT_COLUMNS, row, strict=True))["id"] for row in rows]

    def ids(of: slice) -> list[str]:
        return [game.fixture.id for record in records[of] for game in record.games]

    assert page(0) == (2, ids(slice(2)))
    assert page(2) == (4, ids(slice(2, 4)))
    assert page(5) == (6, ids(slice(5, 6)))
    assert page(6) == (None, [])
    assert kept.page_of_results("bowl", after=0, most=2) == (None, [])
    every = kept.page_of_results("cup", after=0, most=9)[1]
    assert sorted(every) == sorted(kept.results("cup"))


def test_recent_games_are_whole_blocks_newest_first(
    kept: Store, records: list[BlockRecord]
) -> None:
    def recent(**given: object) -> list[str]:
        return [one.id for one in kept.recent_games("cup", **given)]  # type: ignore[arg-type]

    def ids(*blocks: int) -> list[str]:
        games: list[Game] = [game for block in blocks for game in records[block - 1].games[::-1]]
        return [game.fixture.id for game in games]

    assert recent(most=2) == ids(6)
    assert recent(most=3) == ids(6, 5)
    assert recent(most=99) == ids(6, 5, 4, 3, 2, 1)
    assert recent(most=99, before=5) == ids(4, 3, 2, 1)
    assert recent(most=99, entrants=["a"]) == ids(5, 4, 1)
    assert recent(most=1, entrants=["a"], before=5) == ids(4)
    assert recent(most=99, entrants=[]) == []


def test_recent_games_are_told_in_short(kept: Store) -> None:
    drawn, forfeited = kept.recent_games("cup", most=1, before=5)
    told = attrgetter("first", "second", "result", "termination", "forfeit", "turns", "block")
    assert told(drawn) == ("b", "a", "draw", Termination.CAPPED, None, 4, 4)
    assert told(forfeited) == ("a", "b", "second", Termination.ILLEGAL, "first", 3, 4)


def test_games_whose_luck_is_not_kept_are_those_alone(
    kept: Store, records: list[BlockRecord]
) -> None:
    left = kept.games_without_luck("cup", 1)
    assert left == [record.games[0] for record in records[:3]]
