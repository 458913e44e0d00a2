"""A record that was written by an earlier version is read as it was written.

If this fails, records that people have cannot be read any more: what is in ``written.sql`` stays,
whatever else is to be read besides.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.entrants import Entrant
from arena.isolation import Program
from arena.origin import Introduced, Origin
from arena.records import (
    AnswerStep,
    Block,
    BlockRecord,
    Fixture,
    Game,
    MoveStep,
    PlaceStep,
    Settings,
    Shard,
    ShootStep,
    Tally,
    Termination,
    Void,
)
from arena.rules import Rules, Ship
from arena.store import Look, Store, Tournament
from arena.store.extra_tables import Luck

WRITTEN = Path(__file__).with_name("written.sql")

CUP = Tournament(
    name="cup",
    kind="tournament",
    rules=Rules(
        name="mine",
        rows=2,
        columns=3,
        fleet=(Ship("Boat", 2), Ship("Dot", 1, 3)),
        shots="by-ship",
        moves=True,
        reshoot=True,
        lies=2,
        sinkings="unnamed",
    ),
    seed="31415926535897932384626433832795",
    settings=Settings(load_s=9.5, move_s=1.25, game_s=30.0),
    entrants=(
        Entrant(
            "ada", Program(("/usr/bin/python3", "ada.py"), "/bots", ("/bots/ada.py",)), "ab" * 32
        ),
        Entrant("b\u00f6b", Program(("b\u00f6b",), "/", ()), "cd" * 32),
    ),
    gauntlet="ada",
    block_pairs=7,
    common_layouts=True,
)

LAYOUTS = {"first": {"Boat": [0, 1], "Dot": [5]}, "second": {"Boat": [1, 4], "Dot": [0]}}
GAMES = (
    Game(
        fixture=Fixture("00112233aabbccdd", "ada", "b\u00f6b", 0, (2**53 - 1, 5), 1),
        result="first",
        termination=Termination.SUNK,
        reason="every ship of the other side is sunk",
        forfeit=None,
        layouts=LAYOUTS,
        steps=(
            PlaceStep("first", 0.25),
            PlaceStep("second", 0.000001),
            ShootStep("first", (0, 1, 2, 3), 0.125),
            AnswerStep("second", (1,), 0.5),
            MoveStep("first", "Dot", (4,), 0.0),
            MoveStep("second", None, (), 1.0),
            ShootStep("second", (5,), 0.75),
        ),
        tallies=(Tally(3, 12, 3), Tally(2, 8, 1)),
        reported={"first": {"tokens": 812.5}, "second": {"n": -1.0}},
    ),
    Game(
        fixture=Fixture("ffeeddccbbaa9988", "b\u00f6b", "ada", 0, (7, 8)),
        result="second",
        termination=Termination.TIMEOUT,
        reason="did not answer in time",
        forfeit="first",
        layouts={},
        steps=(),
        tallies=(Tally(), Tally(1, 0, 0)),
        stderr="line\n\u2028 caf\u00e9",
    ),
)
ALONE = Game(
    fixture=Fixture("0123456789abcdef", "ada", None, 0, (1, 2)),
    result="second",
    termination=Termination.CAPPED,
    reason="the fleet was not sunk",
    forfeit=None,
    layouts={"second": {"Boat": [0, 3], "Dot": [2]}},
    steps=(ShootStep("first", (0,), 0.0),),
    tallies=(Tally(60, 60, 2), Tally()),
)
ORIGIN = Origin("2026-01-02T03:04:05Z", "1.0", "Linux", {"ada": Introduced("Ada", "A. L.", "3")})
VOID = Void("00112233aabbccdd", 0, "ada", "was killed")
RECORDS = (
    BlockRecord(
        Block(("ada", "b\u00f6b"), 0, tuple(g.fixture for g in GAMES)),
        GAMES,
        "sandbox",
        (VOID,),
        ORIGIN,
    ),
    BlockRecord(Block(("ada",), 0, (ALONE.fixture,)), (ALONE,), '{"level":"none"}'),
)


def write(path: Path) -> None:
    with Store(path, create=True) as store:
        store.enter(CUP)
        store.add_all(CUP, RECORDS)
        store.note_look("cup", Look(7, "a rule"))
        store.note_shard("cup", Shard(2, 3, 14, 1))
        store.keep_luck([(ALONE.fixture.id, Luck(-1.5, (0.25, -2.0)))], 4)


def check(path: Path) -> None:
    with Store(path, create=False) as store:
        store.check_results()
        assert store.tournament() == CUP
        keys = [record.block.key for record in RECORDS]
        found = list(store.blocks("cup", keys))
        assert [(one.block, one.games, one.isolation, one.voids, one.origin) for one in found] == [
            (one.block, one.games, one.isolation, one.voids, one.origin) for one in RECORDS
        ]
        assert store.looks("cup") == [Look(7, "a rule")]
        assert store.shard("cup") == Shard(2, 3, 14, 1)
        assert store.luck("cup", 4) == {ALONE.fixture.id: Luck(-1.5, (0.25, -2.0))}


@pytest.mark.parametrize("version", ["1.0", "now"])
def test_record_is_read_as_it_was_written(path: Path, version: str) -> None:
    if version == "now":
        write(path)
    else:
        with closing(sqlite3.connect(path)) as db:
            db.executescript(WRITTEN.read_text(encoding="utf-8"))
    check(path)
