"""Entrants of a record are forgotten: their games stay, under other names."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.entrants import Entrant
from arena.errors import RecordError
from arena.isolation import Program
from arena.origin import Introduced, Origin
from arena.records import BlockRecord, Settings, Void
from arena.rules import preset
from arena.store import Store, Tournament, forgotten, is_forgotten
from arena.tournament import Outages

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]
NEW = {"b": "zoe"}


def told(record: BlockRecord) -> BlockRecord:
    """Return a block in which both bots said something of themselves, and each forfeited a game."""
    one, two, *others = record.games
    reason, seats = "'b' and 'c' did not answer", record.block.fixtures
    introduced = {name: Introduced(f"hello of {name}") for name in record.block.entrants}
    loser = {True: "first", False: "second"}
    return replace(
        record,
        games=(
            replace(one, forfeit=loser[seats[0].first == "b"], reason=reason, stderr="by b"),
            replace(two, forfeit=loser[seats[1].first != "b"], reason=reason, stderr="of b"),
            *(replace(game, reported={"first": {"n": 1.0}, "second": {"m": 2}}) for game in others),
        ),
        voids=(Void(one.fixture.id, 0, "b", "b was killed"),),
        origin=Origin("2026-01-01T00:00:00Z", "1", "a machine", introduced),
    )


@pytest.fixture
def kept(path: Path, make_tournament: MakeTournament, make_blocks: MakeBlocks) -> Iterator[Store]:
    """Return a record of two tournaments of a, b and c, in whose games of b much was told."""
    with Store(path, create=True) as store:
        for name in ("cup", "final"):
            tournament = make_tournament("abc", name=name, seed=str(len(name)), gauntlet="b")
            store.enter(tournament)
            for record in make_blocks(tournament, 8):
                store.add(tournament, told(record) if "b" in record.block.entrants else record)
        yield store


@pytest.mark.parametrize("name", ["cup", "final"])
def test_games_stay_under_another_name(kept: Store, name: str) -> None:
    before = {game.fixture.id: game for game in kept.games(name)}
    kept.forget(NEW)
    for game in kept.games(name):
        was = before[game.fixture.id]
        assert (game.layouts, game.steps, game.result) == (was.layouts, was.steps, was.result)
        seats = {seat: NEW.get(bot, bot) for seat, bot in was.fixture.seats.items()}
        assert game.fixture.seats == seats
    kept.check_results()
    assert [one.name for one in kept.tournament(name).entrants] == ["a", "zoe", "c"]
    assert kept.tournament(name).gauntlet == "zoe"


def test_blocks_are_found_by_their_new_names_in_alphabetical_order(kept: Store) -> None:
    kept.forget(NEW)
    assert {key for key, _ in kept.played("cup")} == {("a", "zoe"), ("c", "zoe")}


def test_what_it_said_is_gone_and_what_others_said_stays(kept: Store) -> None:
    kept.forget(NEW)
    games = [game for game in kept.games("cup") if "zoe" in game.fixture.seats.values()]
    for game in games:
        loser = None if game.forfeit is None else game.fixture.seats[game.forfeit]
        if loser == "zoe":
            assert (game.reason, game.stderr) == ("its data were deleted", "")
        elif loser is not None:
            assert (game.reason, game.stderr) == ("'zoe' and 'c' did not answer", "of zoe")
    assert {bot for bot, _ in kept.reported("cup")} == {"a", "c"}
    assert {void.entrant for void in kept.voids("cup")} == {"zoe"}
    assert {void.reason for void in kept.voids("cup")} == {"its data were deleted"}
    said = {name for origin in kept.origins("cup") for name in origin.introduced}
    assert said == {"a", "c"}


def test_nothing_of_its_content_is_known(kept: Store) -> None:
    kept.forget(NEW)
    known = {one.name: is_forgotten(one) for one in kept.tournament("cup").entrants}
    assert known == {"a": False, "zoe": True, "c": False}


def test_outages_of_others_still_count(
    kept: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament("abc", name="cup", seed="3", gauntlet="b")
    [record, *_] = [one for one in make_blocks(cup, 8) if one.block.entrants == ("a", "b")]
    before = Void(record.games[0].fixture.id, 0, "b", "b was killed")
    for name in ("a", "b"):
        void = Void(record.games[0].fixture.id, 0, name, "b is out", outage=True)
        kept.note_outage("cup", replace(record, games=record.games[:1], voids=(before, void)))
    block = replace(record.block, entrants=("a", "c"))
    other = replace(record, block=block, games=(), voids=(replace(before, entrant="c"),))
    kept.note_outage("cup", other)
    kept.forget(NEW)
    left, untouched = kept.outages("cup")
    assert (left.block.entrants, left.block.fixtures, left.games) == (("a", "zoe"), (), ())
    assert [void.entrant for void in left.voids] == ["a"]
    assert untouched == other
    Outages(kept, "cup", cup.seeds, ["a"])


def test_record_in_which_nobody_said_anything_is_forgotten_likewise(
    store: Store, make_blocks: MakeBlocks
) -> None:
    def entrant(name: str, file: str) -> Entrant:
        return Entrant(name, Program(("python3", file), "/bots", (file,)), name[0] * 64)

    cup = Tournament(
        name="cup",
        kind="tournament",
        rules=preset("salvo"),
        seed="3",
        settings=Settings(),
        entrants=(
            entrant("ada@1", "/bots/ada.py"),
            entrant("bob@2", "/bots/bob.py"),
            entrant("cy@1", "/bots/bob.py"),
        ),
    )
    store.enter(cup)
    store.add_all(cup, make_blocks(cup, 2, 1, reason="Bob and bobby wait for cy"))
    before = {game.fixture.id: game for game in store.games("cup")}
    store.forget({"bob@2": "eve@7", "dan@1": "eve@8"})
    store.check_results()
    found = store.tournament("cup")
    assert [(one.name, one.program.files) for one in found.entrants] == [
        ("ada@1", ("/bots/ada.py",)),
        ("eve@7", ()),
        ("cy@1", ("/bots/eve.py",)),
    ]
    assert found.entrants[0] == cup.entrants[0]
    for game in store.games("cup"):
        was = before[game.fixture.id]
        is_of_bob = "bob@2" in was.fixture.seats.values()
        assert game.reason == f"{'eve' if is_of_bob else 'Bob'} and bobby wait for cy"
        seats = {"bob@2": "eve@7"}
        first, second = was.fixture.first, was.fixture.second
        assert game.fixture == replace(
            was.fixture,
            first=seats.get(first, first),
            second=None if second is None else seats.get(second, second),
        )
    assert sorted(key for key, _ in store.played("cup")) == [
        ("ada@1",),
        ("ada@1", "cy@1"),
        ("ada@1", "eve@7"),
        ("cy@1",),
        ("cy@1", "eve@7"),
        ("eve@7",),
    ]


def test_file_that_is_read_all_the_time_cannot_be_written_anew(
    path: Path, make_tournament: MakeTournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    for room in ("forgetting", "record_file"):
        monkeypatch.setattr(f"arena.store.{room}.PATIENCE_S", 0.0)
    with Store(path, create=True) as store, closing(sqlite3.connect(path)) as reader:
        store.enter(make_tournament())
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM tournaments").fetchall()
        with pytest.raises(RecordError, match="other programs read it all the time, and what was"):
            store.compact()
        reader.execute("ROLLBACK")
        store.compact()


def test_same_again_changes_nothing(kept: Store) -> None:
    kept.forget(NEW)
    before = list(kept.games("cup"))
    kept.forget(NEW)
    assert list(kept.games("cup")) == before


def test_new_name_that_was_entered_meanwhile_is_the_same_entrant(
    kept: Store, make_tournament: MakeTournament
) -> None:
    cup = make_tournament("ac", name="cup", seed="3", gauntlet="b")
    kept.extend(replace(cup, entrants=(*cup.entrants, forgotten("zoe"))))
    kept.forget(NEW)
    assert sorted(one.name for one in kept.tournament("cup").entrants) == ["a", "c", "zoe"]
    kept.check_results()


def test_damaged_block_is_refused_and_nothing_is_changed(kept: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE games SET reason = 'another' WHERE first = 'b' AND second = 'c'")
    with pytest.raises(RecordError, match="damaged"):
        kept.forget(NEW)
    assert [one.name for one in kept.tournament("cup").entrants] == ["a", "b", "c"]
    assert all("zoe" not in key for key, _ in kept.played("final"))


def test_nothing_stays_in_free_pages_while_others_have_the_file_open(
    kept: Store, path: Path
) -> None:
    with Store(path, create=False) as other:
        assert len(list(other.games("cup"))) == 16
        kept.forget(NEW)
        kept.compact()
        files = [one.read_bytes() for one in path.parent.glob(f"{path.name}*")]
        assert not any(b"hello of b" in data or b"by b" in data for data in files)
        assert len(list(other.games("cup"))) == 16


def test_block_of_one_that_is_not_entered_is_not_kept(
    kept: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament("abc", name="cup", seed="3", gauntlet="b")
    [late] = [one for one in make_blocks(cup, 28) if one.block.key == (("a", "b"), 1)]
    kept.forget(NEW)
    with pytest.raises(RecordError, match="'b' is not entered"):
        kept.add(cup, late)
