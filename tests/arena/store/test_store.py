import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from arena.errors import RecordError
from arena.player import Fault
from arena.records import BlockRecord, Settings, Shard, Tally, Termination
from arena.rules import preset
from arena.seeds import Seeds
from arena.store import RESULT_COLUMNS, Store, Tournament, difference

MakeTournament = Callable[..., Tournament]
MakeBlocks = Callable[..., list[BlockRecord]]


def fill(store: Store, tournament: Tournament, records: list[BlockRecord]) -> None:
    store.enter(tournament)
    for record in records:
        store.add(tournament, record)


def test_what_was_added_is_read_back_as_it_was(
    store: Store, path: Path, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament("abc", gauntlet="a")
    records = make_blocks(cup, games=24, layouts=60)
    fill(store, cup, records)
    with Store(path, create=False) as again:
        assert again.tournament() == again.tournament("cup") == cup
        games = {game.fixture.id: game for game in again.games("cup")}
        assert games == {game.fixture.id: game for record in records for game in record.games}
        assert again.played("cup") == {
            (record.block.entrants, record.block.number): len(record.games) for record in records
        }
        assert again.isolation_levels("cup") == ["none"]


def test_games_and_results_come_in_one_order_however_they_were_added(
    tmp_path: Path, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament("abc")
    records = make_blocks(cup, games=40, layouts=60)
    told = []
    for number, order in enumerate([records, records[::-1], records[1::2] + records[::2]]):
        with Store(tmp_path / f"{number}.sqlite3", create=True) as store:
            fill(store, cup, order)
            told.append(
                ([game.fixture.id for game in store.games("cup")], list(store.results("cup")))
            )
    assert told[0] == told[1] == told[2]
    assert len(told[0][0]) == 3 * 40 + 3 * 60


def test_results_have_the_columns_that_they_say(
    store: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament()
    fill(store, cup, make_blocks(cup, games=2, reason="every ship is sunk"))
    first, second = (dict(zip(RESULT_COLUMNS, row, strict=True)) for row in store.results("cup"))
    assert (first["first"], first["second"], first["pair"]) == ("a", "b", 0)
    assert (second["first"], second["second"], second["pair"]) == ("b", "a", 0)
    assert first["termination"] == "sunk"
    assert first["reason"] == "every ship is sunk"
    assert (first["first_turns"], first["first_shots"], first["first_hits"]) == (1, 2, 1)


def test_asking_for_more_games_replaces_the_block_that_was_cut_short(
    store: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament()
    fill(store, cup, make_blocks(cup, games=26))
    fill(store, cup, make_blocks(cup, games=34))
    assert store.played("cup") == {(("a", "b"), 0): 20, (("a", "b"), 1): 14}
    assert len(list(store.games("cup"))) == 34


@pytest.mark.parametrize("games", [34, 26])
def test_block_that_is_there_stays_where_another_run_played_it_too(
    store: Store,
    make_tournament: MakeTournament,
    make_blocks: MakeBlocks,
    caplog: pytest.LogCaptureFixture,
    games: int,
) -> None:
    cup = make_tournament()
    fill(store, cup, make_blocks(cup, games=34, took_s=1))
    before = list(store.games("cup"))
    fill(store, cup, make_blocks(cup, games=games, took_s=2))
    assert list(store.games("cup")) == before
    assert caplog.text == ""


@pytest.mark.parametrize(
    "change",
    [
        {"result": "draw"},
        {"tallies": (Tally(2, 2, 1), Tally(1, 2, 0))},
        {"tallies": (Tally(1, 2, 1), Tally(1, 2, 1))},
    ],
)
def test_late_answer_that_differs_is_discarded_and_said(
    store: Store,
    make_tournament: MakeTournament,
    make_blocks: MakeBlocks,
    caplog: pytest.LogCaptureFixture,
    change: dict[str, object],
) -> None:
    cup = make_tournament()
    [record] = make_blocks(cup, games=4)
    fill(store, cup, [record])
    before = list(store.games("cup"))
    late = [msgspec.structs.replace(game, **change) for game in record.games]
    store.add(cup, msgspec.structs.replace(record, games=tuple(late)))
    assert list(store.games("cup")) == before
    assert "a block of a and b was played twice, with different results" in caplog.text


def test_two_tournaments_share_a_file(
    store: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup, bowl = make_tournament(), make_tournament(name="bowl", seed="2")
    fill(store, cup, make_blocks(cup, games=4))
    fill(store, bowl, make_blocks(bowl, games=6))
    assert store.tournament_names() == ["cup", "bowl"]
    assert store.tournament() == bowl
    assert len(list(store.results("cup"))) == 4
    assert len(list(store.results("bowl"))) == 6


def test_games_with_a_person_do_not_stand_before_a_tournament(
    store: Store, make_tournament: MakeTournament
) -> None:
    cup = make_tournament()
    for name, kind, newest in (("one", "play", "one"), ("cup", "tournament", "cup")):
        store.enter(msgspec.structs.replace(cup, name=name, kind=kind))
        assert store.tournament().name == newest
    store.enter(msgspec.structs.replace(cup, name="two", kind="play"))
    assert store.tournament().name == "cup"


def test_same_tournament_may_be_entered_again_in_another_order_from_another_place(
    store: Store, make_tournament: MakeTournament
) -> None:
    cup = make_tournament("abc")
    store.enter(cup)
    moved = [
        msgspec.structs.replace(
            entrant, program=msgspec.structs.replace(entrant.program, folder="/elsewhere")
        )
        for entrant in cup.entrants
    ]
    store.enter(msgspec.structs.replace(cup, entrants=tuple(moved[::-1])))
    assert store.tournament() == cup


@pytest.mark.parametrize(
    ("bots", "given", "difference"),
    [
        ("ab", {"kind": "match"}, '"tournament" then, "match" now'),
        ("ab", {"seed": "2"}, 'seed: "1" then, "2" now'),
        ("ab", {"gauntlet": "a"}, 'gauntlet: none then, "a" now'),
        ("ab", {"block_pairs": 9}, "pairs a block: 10 then, 9 now"),
        ("ab", {"common_layouts": True}, "common layouts: false then, true now"),
        ("ab", {"rules": preset("classic")}, r'rules \(shots\): "afloat" then, 1 now'),
        ("ab", {"settings": Settings(move_s=9)}, r"settings \(move_s\): 2.0 then, 9 now"),
        ("abc", {}, 'bot c: none then, "cccccccccccc" now'),
        ("a", {}, 'bot b: "bbbbbbbbbbbb" then, none now'),
    ],
)
def test_another_tournament_of_the_same_name_is_refused_with_what_differs(
    store: Store,
    make_tournament: MakeTournament,
    bots: str,
    given: dict[str, object],
    difference: str,
) -> None:
    store.enter(make_tournament())
    with pytest.raises(RecordError, match=difference) as refusal:
        store.enter(make_tournament(bots, **given))
    assert "give this one another name with --tournament" in str(refusal.value)


def test_tournament_of_seeds_that_were_derived_in_another_way_is_not_extended(
    store: Store, make_tournament: MakeTournament
) -> None:
    older = make_tournament(derivation=1)
    store.enter(older)
    for add in (store.enter, store.extend):
        add(older)
        with pytest.raises(RecordError, match="played by an older Salvo that derived seeds diff"):
            add(make_tournament())
    assert store.tournament() == older


@pytest.mark.parametrize("pairs", [3, 10])
def test_tournament_is_resumed_in_blocks_of_the_size_that_it_has(
    store: Store, make_tournament: MakeTournament, pairs: int
) -> None:
    asked = make_tournament(block_pairs=7)
    assert store.resumed(asked) == asked
    store.enter(make_tournament(block_pairs=pairs))
    assert store.resumed(asked) == make_tournament(block_pairs=pairs)


def granted(tournament: Tournament, *grants: str) -> Tournament:
    """Return a tournament in which the last bot may read something else too."""
    *others, last = tournament.entrants
    program = msgspec.structs.replace(last.program, grants=grants)
    entrants = (*others, msgspec.structs.replace(last, program=program))
    return msgspec.structs.replace(tournament, entrants=entrants)


def test_another_grant_is_another_tournament_but_in_a_league(
    make_tournament: MakeTournament,
) -> None:
    cup = make_tournament()
    assert difference(cup, granted(cup)) is None
    assert difference(cup, granted(cup, "/data")) == 'grant to bot b: none then, ["/data"] now'
    assert difference(granted(cup, "/data"), cup, "{}, {}") == 'grant to bot b: ["/data"], none'
    for kind in ("league", "planned"):
        league = make_tournament(kind=kind)
        assert difference(league, granted(league, "/data")) is None


def test_any_reason_that_a_fault_gives_can_be_stored(
    store: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament()
    fault = Fault(Termination.EXITED, "\0 \ud800 \x1b[31m \u2028 \n é 'quoted'; DROP TABLE games")
    fill(store, cup, make_blocks(cup, games=2, reason=fault.reason))
    assert {game.reason for game in store.games("cup")} == {fault.reason}


def test_game_is_found_by_the_beginning_of_its_id(
    store: Store, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup, bowl = make_tournament(), make_tournament(name="bowl", rules=preset("classic"))
    for tournament in (cup, bowl):
        fill(store, tournament, make_blocks(tournament, games=20))
        for game in store.games(tournament.name):
            assert store.game(game.fixture.id) == (game, tournament.rules)
            assert store.game(game.fixture.id[:8]) == (game, tournament.rules)


@pytest.mark.parametrize(("prefix", "trouble"), [("", "several games have"), ("x", "no game has")])
def test_beginning_of_no_id_or_of_several_is_refused(
    store: Store,
    make_tournament: MakeTournament,
    make_blocks: MakeBlocks,
    prefix: str,
    trouble: str,
) -> None:
    cup = make_tournament()
    fill(store, cup, make_blocks(cup, games=2))
    with pytest.raises(RecordError, match=rf"{trouble} an id that begins with '{prefix}'; `salvo"):
        store.game(prefix)


def test_missing_tournament_is_refused_with_those_that_there_are(
    store: Store, make_tournament: MakeTournament
) -> None:
    with pytest.raises(RecordError, match="no tournament was played yet; run `salvo tournament`"):
        store.tournament()
    with pytest.raises(RecordError, match="no tournament 'bowl'; the file has: none"):
        store.tournament("bowl")
    store.enter(make_tournament())
    with pytest.raises(RecordError, match="no tournament 'bowl'; the file has: cup"):
        store.tournament("bowl")


def test_block_is_committed_whole_or_not_at_all(
    store: Store, path: Path, make_tournament: MakeTournament, make_blocks: MakeBlocks
) -> None:
    cup = make_tournament()
    [record] = make_blocks(cup, games=4)
    store.enter(cup)
    twins = BlockRecord(record.block, (*record.games, record.games[0]), "none")
    with pytest.raises(sqlite3.IntegrityError):
        store.add(cup, twins)
    assert store.played("cup") == {}
    store.add(cup, record)
    with Store(path, create=False) as reader:
        assert len(list(reader.games("cup"))) == 4


def test_record_says_which_shard_it_holds(
    store: Store, path: Path, make_tournament: MakeTournament
) -> None:
    for name in ("cup", "bowl"):
        store.enter(make_tournament(name=name))
    assert store.shard("cup") is None
    for shard in (Shard(2, 3), Shard(2, 3, 40, 5)):
        store.note_shard("cup", shard)
        with Store(path, create=False) as again:
            assert again.shard("cup") == shard
            assert again.shard("bowl") is None


@pytest.mark.parametrize("seed", ["", "-1", "1a", "\u0661", "\u00b2"])
def test_games_cannot_be_added_where_the_seed_is_no_number(
    make_tournament: MakeTournament, seed: str
) -> None:
    assert make_tournament(seed="17").seeds == Seeds(17, preset("salvo"), common_layouts=False)
    with pytest.raises(RecordError, match=f"tournament 'cup': its seed is {seed!r}, not a number"):
        _ = make_tournament(seed=seed).seeds


def test_tournament_that_grows_while_it_is_read_is_read_whole(
    path: Path, make_tournament: Callable[..., Tournament]
) -> None:
    bots = "abcdefghijklmnopqrstuvwxyz"
    with Store(path, create=True) as store, ThreadPoolExecutor(1) as pool:
        store.enter(make_tournament("a"))

        def read() -> int:
            with Store(path, create=False) as reader:
                found = 0
                while found < len(bots):
                    found = len(reader.tournament("cup").entrants)
                return found

        reading = pool.submit(read)
        for size in range(2, len(bots) + 1):
            store.extend(make_tournament(bots[:size]))
        assert reading.result() == len(bots)
