"""Blocks are given out to be played, and are void if somebody is banned or withdrawn."""

import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.checksums import with_checksum
from arena.errors import StorageError
from arena.isolation import AUTO, choose
from arena.league import announce
from arena.records import Block, BlockRecord, Void
from arena.store import Store
from salvo.bundled import bundled_bots
from salvo.server.database.keys import find_key, new_invite
from salvo.server.database.ownership import ban, owners, withdraw
from salvo.server.database.server_database import Database
from salvo.server.leagues import Watched, open_league, opened
from salvo.server.web.operating import pause
from salvo.server.work import league_play
from salvo.server.work.agenda import Agenda
from salvo.server.work.shares import Shares

pytestmark = pytest.mark.usefixtures("_sandbox")


class Field:
    """What plays a league in which ada takes part, with one worker."""

    def __init__(self, folder: Path, store: Store, db: Database) -> None:
        self.folder, self.store, self.database = folder, store, db
        watched = Watched(folder)
        self.agenda = Agenda(folder, choose(AUTO), store, db)
        shares = Shares(db, watched.league.charter.times)
        self.field = league_play._Field(watched, self.agenda, shares, None)
        self.play = league_play._LeaguePlay(folder, None, choose("none"))

    def next_of(self, name: str) -> tuple[Block, BlockRecord]:
        """Play and commit blocks until the next one that is given out has a bot, and play that."""
        while True:
            block = self.field.take()
            assert block is not None
            record = self.play(block)
            if any(bot.startswith(f"{name}@") for bot in block.entrants):
                return block, record
            self.field.settle(record)

    def look_again(self) -> league_play._Field:
        """Forget that it has just looked at what was changed."""
        self.field._looked = 0.0
        return self.field

    def has(self, block: Block) -> bool:
        return (block.entrants, block.number) in self.store.played("league")


@pytest.fixture
def field(league: Path) -> Iterator[Field]:
    bot = bundled_bots()["hunt_parity"]
    with open_league(league).candidate(bot, "ada") as candidate:
        open_league(league).admit(candidate)
    with Store(league / "salvo.sqlite3", create=True) as store, Database(league) as db:
        key = find_key(db, new_invite(db, "Ada"))
        assert key is not None
        db.execute("INSERT INTO names (name, invite) VALUES ('ada', ?)", (key.id,))
        yield Field(league, store, db)


def test_block_in_play_of_a_bot_that_is_banned_is_void(field: Field) -> None:
    block, record = field.next_of("ada")
    assert not field.field.is_void(block)
    ban(field.database, field.folder, "ada")
    field.field.settle(record)  # it was finished just then
    assert not field.has(block)
    following = field.look_again().take()
    assert following is not None
    assert "ada@1" not in following.entrants


def test_bot_that_was_banned_is_found_out_while_its_block_is_in_play(field: Field) -> None:
    block, _ = field.next_of("ada")
    ban(field.database, field.folder, "ada")
    assert field.look_again().is_void(block)
    assert field.field.take() is not None  # the worker is free
    assert not field.has(block)


def test_nobody_escapes_a_block_by_withdrawing_or_by_a_new_version(field: Field) -> None:
    block, record = field.next_of("ada")
    withdraw(field.database, field.folder, "ada")
    assert not field.look_again().is_void(block)
    field.field.settle(record)
    assert field.has(block)


def test_bosses_of_a_tournament_are_those_that_nobody_handed_in(field: Field) -> None:
    league = open_league(field.folder)
    planned = announce(league, "sprint", datetime.now(UTC))
    assert field.agenda.now(open_league(field.folder)) == planned
    result = field.agenda.result(planned)
    assert result is not None
    assert "ada@1" in result.entrants
    assert result.bosses == ["hunt_target", "uniform_random"]


def test_tournament_ends_without_a_bot_that_was_withdrawn_and_is_banned(field: Field) -> None:
    planned = announce(open_league(field.folder), "sprint", datetime.now(UTC), games=8, looks=1)
    assert field.agenda.now(open_league(field.folder)) == planned
    play = league_play._LeaguePlay(field.folder, planned, choose("none"))
    watched = Watched(field.folder)
    shares = Shares(field.database, watched.league.charter.times)
    rest = league_play._Field(watched, field.agenda, shares, planned)

    withdraw(field.database, field.folder, "ada")
    block = rest.take()
    while block is not None and "ada@1" not in block.entrants:
        rest.settle(play(block))
        block = rest.take()
    assert block is not None
    ban(field.database, field.folder, "ada")
    rest._looked = 0.0
    assert rest.is_void(block)
    while (block := rest.take()) is not None:
        rest.settle(play(block))
    others = ("hunt_target@1", "uniform_random@1")
    assert [number for names, number in field.store.played("sprint") if names == others] == [0, 1]


def test_nothing_is_begun_once_the_league_is_paused(field: Field) -> None:
    block = field.field.take()
    assert block is not None
    pause(field.database, paused=True)
    field.field.settle(field.play(block))
    assert field.has(block)
    assert field.field.take() is None
    pause(field.database, paused=False)
    assert field.field.take() is not None


def test_time_that_an_author_used_is_known_after_a_restart(field: Field, league: Path) -> None:
    block, record = field.next_of("ada")
    steps = tuple(replace(step, charge_s=100.0) for step in record.games[0].steps)
    slow = replace(record.games[0], steps=steps)
    field.field.settle(with_checksum(replace(record, games=(slow, *record.games[1:]))))
    assert block.entrants == ("ada@1",)
    shares = Shares(field.database, open_league(league).charter.times)
    shares.renew(owners(field.database))
    assert shares.minutes("ada@1") == shares.minutes("ada@2") >= 100 * len(steps) // 60
    assert shares.minutes("hunt_target@1") == shares.minutes("uniform_random@1") < 2


FULL = StorageError("no room")


def test_what_could_not_be_stored_is_played_later_and_by_then_what_can(field: Field) -> None:
    first = field.field.take()
    assert first is not None
    for _ in range(3):
        field.field.put_off(FULL)
        assert field.field.backoff.rests
    [said] = [words for _, words in field.database.log(100) if "no room" in words]
    assert said.startswith("games wait")
    played = []
    while (block := field.field.take()) is not None:
        assert field.field.take() is None
        played.append((block.entrants, block.number))
        field.field.settle(field.play(block))
        assert not field.field.backoff.is_on
    assert (first.entrants, first.number) in played[1:]
    assert len(played) == len(set(played))


def test_games_go_on_once_copies_can_be_written_again(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "gone" / "copies"
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    rounds = league_play.play_missing(league, choose(AUTO))
    with Database(league) as db:
        next(rounds)
        assert db.log(1)[0][1].startswith("games wait")
        place.mkdir(parents=True)
        for _ in rounds:
            with opened(league / "salvo.sqlite3") as store:
                if store is not None and store.played("league"):
                    break
            time.sleep(0.05)
    rounds.close()  # type: ignore[attr-defined]


def test_bot_with_an_outage_rests_and_its_block_goes_on_where_it_ended(field: Field) -> None:
    block, record = field.next_of("ada")
    void = Void(block.fixtures[1].id, 0, "ada@1", "says that it cannot go on: 503", outage=True)
    field.field.settle(with_checksum(replace(record, games=record.games[:1], voids=(void,))))
    assert not field.has(block)
    assert any("ada@1 wait" in words and "503" in words for _, words in field.database.log(100))
    while (following := field.look_again().take()) is not None:
        assert "ada@1" not in following.entrants
        field.field.settle(field.play(following))
    field.field._rests["ada@1"]._until = 0.0
    field.look_again()
    rest = field.field.take()
    while rest is not None and rest.key != block.key:
        field.field.settle(field.play(rest))
        rest = field.field.take()
    assert rest is not None
    assert [game.id for game in rest.fixtures] == [game.id for game in block.fixtures[1:]]
    assert [game.attempt for game in rest.fixtures] == [1, *[0] * (len(rest.fixtures) - 1)]
    field.field.settle(field.play(rest))
    assert field.store.played("league")[block.key] == len(block.fixtures)
    assert void in field.store.voids("league")
