"""What was changed in a record since it was written is refused, with its place."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.errors import RecordError
from arena.records import BlockRecord
from arena.store import Look, Store, Tournament

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]


@pytest.fixture
def cup(make_tournament: MakeTournament) -> Tournament:
    return make_tournament()


@pytest.fixture
def filled(path: Path, cup: Tournament, make_blocks: MakeBlocks) -> Path:
    """Return the file of a record with five blocks that was looked at."""
    with Store(path, create=True) as store:
        store.enter(cup)
        store.add_all(cup, make_blocks(cup, games=60, layouts=3, took_s=0.5))
        store.note_look(cup.name, Look(30))
    return path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute(statement)


def read_all(path: Path) -> list[object]:
    with Store(path, create=False) as store:
        name = store.tournament().name
        return [list(store.results(name)), list(store.games(name)), store.looks(name)]


COLUMNS = (
    *("first = 'b', second = 'a'", "pair = pair + 1", "first_seed = 7", "second_seed = 7"),
    *("result = 'draw'", "termination = 'timeout'", "reason = 'x'", "forfeit = 'first'"),
    *("first_turns = 9", "second_hits = 9", "attempt = 1", "stderr = 'x'", "checksum = x'00'"),
    *("layouts = '{}'", "steps = '[]'", "position = 99"),
)


@pytest.mark.parametrize("changed", COLUMNS)
def test_game_that_was_changed_is_refused_with_its_block(filled: Path, changed: str) -> None:
    change(filled, f"UPDATE games SET {changed} WHERE block = 3 AND position = 2")
    with pytest.raises(RecordError, match=r"(block 0|game \w+) of a and b is damaged; restore"):
        read_all(filled)


@pytest.mark.parametrize(
    "changed",
    ["number = 7", "games = 19", "isolation = 'sandbox'", "voids = '{'", "checksum = x'00'"],
)
def test_block_that_was_changed_is_refused(filled: Path, changed: str) -> None:
    change(filled, f"UPDATE blocks SET {changed} WHERE id = 3")
    with Store(filled, create=False) as store, pytest.raises(RecordError, match="is damaged"):
        store.played("cup")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments SET rules = replace(rules, '10', '11')",
        "UPDATE tournaments SET seed = '2'",
        "UPDATE tournaments SET block_pairs = 11",
        "UPDATE entrants SET name = 'c' WHERE name = 'b'",
        "DELETE FROM entrants WHERE name = 'b'",
        "UPDATE looks SET pairs = 20",
    ],
)
def test_what_is_said_of_a_tournament_is_refused_where_it_was_changed(
    filled: Path, statement: str
) -> None:
    change(filled, statement)
    with pytest.raises(RecordError, match=f"record {filled}: .* is damaged"):
        read_all(filled)


@pytest.mark.parametrize("statement", ["block = 3", "block = 3 AND position = 19"])
def test_games_that_are_lost_are_missed(filled: Path, statement: str) -> None:
    change(filled, f"DELETE FROM games WHERE {statement}")
    with pytest.raises(RecordError, match="block 0 of a and b is damaged"):
        read_all(filled)


@pytest.mark.parametrize(("bots", "told"), [(2, "a and b"), (1, "a")])
def test_moves_that_were_changed_are_refused_with_their_game(
    filled: Path, bots: int, told: str
) -> None:
    with Store(filled, create=False) as store:
        games = [game.fixture for game in store.games("cup")]
    [changed, *_] = [one for one in games if len(one.seats) == bots and one.first == "a"]
    change(filled, f"UPDATE games SET layouts = steps WHERE id = '{changed.id}'")
    with Store(filled, create=False) as store:
        assert len(list(store.results("cup"))) == len(games)
        with pytest.raises(RecordError) as refused:
            store.game(changed.id)
    assert f": game {changed.id} of {told} is damaged; restore" in str(refused.value)


def test_game_whose_tournament_is_lost_is_refused(filled: Path) -> None:
    with Store(filled, create=False) as store:
        identifier = next(store.games("cup")).fixture.id
    change(filled, "DELETE FROM tournaments")
    with (
        Store(filled, create=False) as store,
        pytest.raises(RecordError, match=r"block \d of a( and b)? is damaged; restore"),
    ):
        store.game(identifier)


def test_block_that_did_not_arrive_as_it_was_played_is_not_kept(
    path: Path, cup: Tournament, make_blocks: MakeBlocks
) -> None:
    [block] = map(with_checksum, make_blocks(cup, games=2))
    game = block.games[0]
    changed = replace(block, games=(replace(game, result="draw"), *block.games[1:]))
    with Store(path, create=True) as store:
        store.enter(cup)
        with pytest.raises(RecordError, match="block 0 of a and b did not arrive as it was played"):
            store.add(cup, changed)
        assert store.played("cup") == {}
        store.add(cup, block)
        assert store.played("cup") == {block.block.key: 2}


def test_blocks_are_read_with_the_checksum_that_they_were_played_with(
    filled: Path, cup: Tournament, make_blocks: MakeBlocks
) -> None:
    played = list(map(with_checksum, make_blocks(cup, games=60, layouts=3, took_s=0.5)))
    with Store(filled, create=False) as store:
        read = list(store.blocks("cup", [one.block.key for one in played]))
    assert [one.checksum for one in read] == [one.checksum for one in played]
