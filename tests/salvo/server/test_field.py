"""Which blocks are given out and taken back, and what the log says of it; nothing is played."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import StorageError
from arena.isolation import Choice, Level
from arena.league import League
from arena.records import Block, Void
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.server.database.keys import find_key, new_invite
from salvo.server.database.ownership import ban
from salvo.server.database.server_database import Database
from salvo.server.database.unstartable import unstartable
from salvo.server.leagues import Watched, open_league
from salvo.server.web.operating import pause, set_workers
from salvo.server.work import league_play
from salvo.server.work.agenda import Agenda
from salvo.server.work.resting import without_workers
from salvo.server.work.shares import Shares
from tests.salvo.server.conftest import Clock


class Given:
    """What gives out the blocks of a league of three bots, of which ada is an author's."""

    def __init__(self, folder: Path, store: Store, db: Database) -> None:
        self.folder, self.db = folder, db
        watched = Watched(folder)
        shares = Shares(db, watched.league.charter.times)
        agenda = Agenda(folder, Choice(Level.SANDBOX, ()), store, db)
        self.field = league_play._Field(watched, agenda, shares, None)

    def take(self) -> Block:
        block = self.field.take()
        assert block is not None
        return block

    def take_all(self) -> list[Block]:
        """Take all blocks, of which none is played."""
        set_workers(self.db, 64)
        return list(iter(self.field.take, None))

    @property
    def log(self) -> list[str]:
        return [words for _, words in self.db.log(100)]


@pytest.fixture
def given(league: Path, clock: Clock) -> Iterator[Given]:
    del clock
    with open_league(league).candidate(bundled_bots()["hunt_parity"], "ada") as candidate:
        open_league(league).admit(candidate)
    with Store(league / "salvo.sqlite3", create=True) as store, Database(league) as db:
        key = find_key(db, new_invite(db, "Ada"))
        assert key is not None
        db.execute("INSERT INTO names (name, invite) VALUES ('ada', ?)", (key.id,))
        yield Given(league, store, db)


def test_as_many_blocks_are_in_play_as_there_are_workers(given: Given) -> None:
    given.take()
    assert given.field.take() is None
    set_workers(given.db, 3)
    given.take()
    given.take()
    assert given.field.take() is None
    pause(given.db, paused=True)
    set_workers(given.db, 9)
    assert given.field.take() is None
    pause(given.db, paused=False)
    given.take()


def test_every_block_is_given_out_once(given: Given) -> None:
    blocks = [(block.entrants, block.number) for block in given.take_all()]
    names = ("ada@1", "hunt_target@1", "uniform_random@1")
    pairs = [(one, other) for one in names for other in names if one < other]
    assert sorted(blocks) == sorted((who, 0) for who in (*((one,) for one in names), *pairs))


def test_block_is_void_once_one_of_its_bots_is_banned(given: Given, clock: Clock) -> None:
    blocks = given.take_all()
    ban(given.db, given.folder, "ada")
    assert not any(map(given.field.is_void, blocks))  # it was looked just now
    clock.now += 0.25
    void = [block for block in blocks if given.field.is_void(block)]
    assert void == [block for block in blocks if "ada@1" in block.entrants]
    assert [words for words in given.log if "void" in words] == [
        f"a block of {' and '.join(block.entrants)} is void: one is banned"
        for block in reversed(void)
    ]
    clock.now += 0.25
    assert given.field.take() is None  # they are not played again


def test_blocks_are_taken_back_while_workers_rest_and_given_out_again(
    given: Given, clock: Clock
) -> None:
    first = given.take()
    with without_workers(given.folder):
        clock.now += 0.25
        assert given.field.is_void(first)
        assert given.field.take() is None
    assert given.field.take() is None
    clock.now += 0.25
    assert given.take().key == first.key
    assert not [words for words in given.log if "void" in words]


def test_what_ended_its_workers_is_given_out_no_more(given: Given) -> None:
    first = given.take()
    given.field.give_up()
    assert first.key not in [block.key for block in given.take_all()]


def test_what_cannot_be_stored_is_given_out_last_and_told_once(
    given: Given, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    set_workers(given.db, 2)
    first, second = given.take(), given.take()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            given.field.put_off(StorageError("no room"))
            clock.now += 60.0
    told = "games wait, and are tried again and again: no room"
    assert [words for words in given.log if "wait" in words] == [told]
    assert [record.getMessage() for record in caplog.records] == [told]
    third = given.take()
    assert third.key not in (first.key, second.key)
    assert given.field.take() is None  # one at a time may find room
    given.field.backoff.succeeded()
    keys = [block.key for block in given.take_all()]
    assert set(keys[-2:]) == {first.key, second.key}


def test_bot_with_an_outage_rests_alone(given: Given, clock: Clock) -> None:
    outage = Void("id", 0, "ada@1", "says why", outage=True)
    for _ in range(2):
        given.field._rest(outage)
    assert given.log[0] == "games of ada@1 wait, and are tried again and again: it says why"
    assert len([words for words in given.log if "wait" in words]) == 1
    blocks = given.take_all()
    assert sorted(block.entrants for block in blocks) == [
        ("hunt_target@1",),
        ("hunt_target@1", "uniform_random@1"),
        ("uniform_random@1",),
    ]
    clock.now += 59.0
    assert given.field.take() is None
    clock.now += 1.0
    assert "ada@1" in given.take().entrants


def test_bot_that_cannot_be_started_is_tried_again_every_15_seconds(
    given: Given, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"ada@1": f"{given.folder}/bots/ada@1/bot.py is gone", "gone@1": "why"}
    given.field._note_unstartable(found)
    given.field._note_unstartable(found)
    assert sorted(given.log) == [
        "ada@1 cannot be started, plays no more and keeps its rating: bot.py is gone",
        "gone@1 cannot be started, plays no more and keeps its rating: why",
    ]
    assert unstartable(given.db) == found
    tried: list[str] = []

    def can_start(_: League, entry: object) -> bool:
        tried.append(str(getattr(entry, "full_name", "")))
        return len(tried) > 1

    monkeypatch.setattr(League, "can_start", can_start)
    clock.now += 14.75
    assert not given.field._is_mended()
    assert tried == []
    clock.now += 0.25
    assert not given.field._is_mended()
    clock.now += 14.75
    assert not given.field._is_mended()
    assert tried == ["ada@1"]
    clock.now += 0.25
    assert given.field._is_mended()
    given.field._note_unstartable({})
    assert unstartable(given.db) == {}
    assert sorted(given.log[:2]) == [
        f"{name} can be started again, or is not to be played any more" for name in sorted(found)
    ]
    clock.now += 60.0
    assert not given.field._is_mended()
    assert tried == ["ada@1"] * 2


def test_ratings_are_read_once_they_were_computed_anew(given: Given, clock: Clock) -> None:
    def rated(elo: float, number: str) -> float | None:
        marks = {"ada@1": {"elo": elo, "provisional": True}}
        given.db.keep_boards({"boards": {"marks": marks}})
        given.db.settle("rated", number)
        given.field.take()
        return given.field._boards.elo_of("ada@1")

    assert rated(1400.0, "1") == 1400.0
    assert rated(1500.0, "2") == 1400.0  # it was looked just now
    clock.now += 0.25
    assert rated(1600.0, "1") == 1400.0
    clock.now += 0.25
    assert rated(1700.0, "2") == 1700.0
