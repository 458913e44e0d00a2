"""What not every record has: outages, numbers that bots reported, origins of games lost by time."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from msgspec.structs import replace

from arena.errors import RecordError
from arena.origin import Origin
from arena.records import BlockRecord, Shard, Termination, Void
from arena.store import Look, Luck, Store, Tournament

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]


@pytest.fixture
def cup(make_tournament: MakeTournament) -> Tournament:
    return make_tournament("abc")


@pytest.fixture
def blocks(cup: Tournament, make_blocks: MakeBlocks) -> list[BlockRecord]:
    """Return the blocks of a with b, a with c and b with c, of two games each."""
    return make_blocks(cup, games=2)


@pytest.fixture
def two(store: Store, cup: Tournament) -> Store:
    """Return a record of two tournaments without a game."""
    store.enter(cup)
    store.enter(replace(cup, name="bowl"))
    return store


def test_tables_are_made_when_they_are_needed(
    two: Store, cup: Tournament, blocks: list[BlockRecord]
) -> None:
    def tables() -> set[str]:
        with closing(sqlite3.connect(two.path)) as db:
            rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name for (name,) in rows} - {"tournaments", "entrants", "blocks", "games"}

    two.add(cup, blocks[0])
    assert tables() == set()
    two.add(cup, replace(blocks[1], origin=Origin("2026-01-01T00:00:00Z", "1", "a machine", {})))
    assert tables() == {"origins"}
    game = replace(blocks[2].games[0], reported={"first": {"n": 1.0}})
    two.add(cup, replace(blocks[2], games=(game, *blocks[2].games[1:])))
    two.note_look("cup", Look(1))
    assert tables() == {"origins", "reported", "looks"}


def test_outages_are_read_back_by_tournament_oldest_first(
    two: Store, blocks: list[BlockRecord]
) -> None:
    assert two.outages("cup") == []
    parts = [
        replace(one, games=one.games[:1], voids=(Void("x", attempt, "a", "503", outage=True),))
        for attempt, one in enumerate(blocks[1::-1])
    ]
    for part in parts:
        two.note_outage("cup", part)
    assert two.outages("cup") == parts
    assert two.outages("bowl") == []


def test_numbers_are_read_back_by_game_and_seat_with_the_names_of_bots(
    two: Store, cup: Tournament, blocks: list[BlockRecord]
) -> None:
    two.add(cup, blocks[2])
    assert two.reported("cup") == []
    assert two.game(blocks[2].games[0].fixture.id)[0].reported == {}
    first, second = blocks[0].games
    both = replace(first, reported={"second": {"n": 2.5}, "first": {"m": 1.0, "n": 0.5}})
    told = replace(blocks[0], games=(both, replace(second, reported={"second": {"n": 7.0}})))
    two.add(cup, told)
    in_order = {
        first.fixture.id: [("a", {"m": 1.0, "n": 0.5}), ("b", {"n": 2.5})],
        second.fixture.id: [("a", {"n": 7.0})],
    }
    assert two.reported("cup") == [one for game in sorted(in_order) for one in in_order[game]]
    assert two.reported("bowl") == []
    assert two.game(first.fixture.id)[0].reported == both.reported
    assert [one.games for one in two.blocks("cup", [told.block.key])] == [told.games]


def test_games_that_were_lost_by_time_are_told_by_their_origins(
    two: Store, cup: Tournament, blocks: list[BlockRecord]
) -> None:
    origins = [Origin(f"2026-01-0{day}T00:00:00Z", "1", "a machine", {}) for day in (1, 2, 3)]
    late = {"termination": Termination.TIMEOUT, "forfeit": "first"}

    def lost(record: BlockRecord, *games: int) -> BlockRecord:
        ended = (
            replace(game, **late) if number in games else game
            for number, game in enumerate(record.games)
        )
        return replace(record, games=tuple(ended))

    two.add(cup, replace(lost(blocks[0], 0, 1), origin=origins[0]))
    two.add(cup, replace(blocks[1], origin=origins[1]))
    two.add(cup, lost(blocks[2], 1))
    assert two.origins("cup") == origins[:2]
    assert two.origins_of_timeouts("cup") == [origins[0]] * 2
    assert two.origins("bowl") == two.origins_of_timeouts("bowl") == []


def test_voids_are_those_of_all_blocks(
    two: Store, cup: Tournament, blocks: list[BlockRecord]
) -> None:
    voids = [Void(str(number), number, "a", "was killed") for number in range(3)]
    two.add(cup, replace(blocks[0], voids=(voids[0], voids[1])))
    two.add(cup, blocks[1])
    two.add(cup, replace(blocks[2], voids=(voids[2],), isolation="lite"))
    assert two.voids("cup") == voids
    assert two.isolation_levels("cup") == ["lite", "none"]
    assert two.voids("bowl") == two.isolation_levels("bowl") == []


@pytest.fixture
def full(two: Store, cup: Tournament, blocks: list[BlockRecord]) -> Store:
    """Return a record that has something of everything."""
    game = replace(blocks[0].games[0], reported={"first": {"n": 1.0}})
    two.add(cup, replace(blocks[0], games=(game, *blocks[0].games[1:])))
    two.note_outage("cup", replace(blocks[1], voids=(Void("x", 0, "a", "503", outage=True),)))
    two.note_shard("cup", Shard(1, 2))
    two.keep_luck([(game.fixture.id, Luck(1.0, ()))], 1)
    two.note_look("cup", Look(1))
    return two


@pytest.mark.parametrize(
    ("statement", "what", "read"),
    [
        (
            "UPDATE outages SET entrant = 'b'",
            "a block that was broken off",
            lambda store: store.outages("cup"),
        ),
        (
            "UPDATE reported SET numbers = '{}'",
            "the numbers that a bot reported",
            lambda store: store.reported("cup"),
        ),
        (
            "UPDATE shards SET games = 2",
            "the note which shard it holds",
            lambda store: store.shard("cup"),
        ),
        (
            "UPDATE solo_luck SET turns = 2",
            "the luck of a game",
            lambda store: store.luck("cup", 1),
        ),
        (
            "UPDATE looks SET rule = 'x'",
            "the list of looks at it",
            lambda store: store.looks("cup"),
        ),
    ],
)
def test_what_was_changed_is_named(
    full: Store, statement: str, what: str, read: Callable[[Store], object]
) -> None:
    read(full)
    with closing(sqlite3.connect(full.path)) as db, db:
        db.execute(statement)
    with pytest.raises(RecordError) as refused:
        read(full)
    assert str(refused.value) == (
        f"record {full.path}: {what} is damaged; restore the file from a copy, or play its games "
        "again into another file"
    )
