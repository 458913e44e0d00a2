import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.records import BlockRecord
from arena.store import Luck, Store, Tournament

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]


GOOD, BAD = Luck(-2.0, (1.5, 0.25)), Luck(1.5, ())


@pytest.fixture
def cup(make_tournament: MakeTournament) -> Tournament:
    return make_tournament("a")


@pytest.fixture
def ids(store: Store, cup: Tournament, make_blocks: MakeBlocks) -> list[str]:
    store.enter(cup)
    [record] = make_blocks(cup, games=0, layouts=3)
    store.add(cup, record)
    return [game.fixture.id for game in store.games(cup.name)]


def test_record_without_luck_has_none(store: Store, cup: Tournament, ids: list[str]) -> None:
    assert store.luck(cup.name, 1) == {}
    assert [game.fixture.id for game in store.games_without_luck(cup.name, 1)] == ids


def test_luck_is_read_back_as_it_was_kept(
    store: Store, path: Path, cup: Tournament, ids: list[str]
) -> None:
    store.keep_luck([(ids[0], GOOD), (ids[1], BAD)], 1)
    with Store(path, create=False) as again:
        assert again.luck(cup.name, 1) == {ids[0]: GOOD, ids[1]: BAD}
        assert [game.fixture.id for game in again.games_without_luck(cup.name, 1)] == [ids[2]]


def test_luck_of_another_version_does_not_count(
    store: Store, cup: Tournament, ids: list[str]
) -> None:
    store.keep_luck([(ids[0], BAD)], 1)
    assert store.luck(cup.name, 2) == {}


def test_luck_that_is_kept_stays(store: Store, cup: Tournament, ids: list[str]) -> None:
    store.keep_luck([(ids[0], BAD)], 1)
    store.keep_luck([(ids[0], GOOD)], 1)
    assert store.luck(cup.name, 1) == {ids[0]: BAD}


def test_luck_of_games_that_are_replaced_is_forgotten(
    store: Store, cup: Tournament, ids: list[str], make_blocks: MakeBlocks
) -> None:
    store.keep_luck([(ids[0], BAD)], 1)
    [longer] = make_blocks(cup, games=0, layouts=5)
    store.add(cup, longer)
    assert store.luck(cup.name, 1) == {}


def test_luck_of_other_tournaments_is_not_shown(
    store: Store, ids: list[str], make_tournament: MakeTournament
) -> None:
    store.keep_luck([(ids[0], BAD)], 1)
    store.enter(make_tournament("a", name="other"))
    assert store.luck("other", 1) == {}


def test_luck_of_an_older_record_gives_way(
    store: Store, path: Path, cup: Tournament, ids: list[str]
) -> None:
    older = "CREATE TABLE luck (game TEXT, version INTEGER, turns REAL)"
    with closing(sqlite3.connect(path)) as db:
        db.execute(older)
        db.execute("INSERT INTO luck VALUES (?, 2, 1.0)", (ids[0],))
        db.commit()
    assert store.luck(cup.name, 2) == {}
    store.keep_luck([(ids[0], GOOD)], 3)
    assert store.luck(cup.name, 3) == {ids[0]: GOOD}
