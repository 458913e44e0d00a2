"""Records of earlier versions of the schema; the first's seeds were derived in another way."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.errors import RecordError
from arena.records import BlockRecord
from arena.seeds import DERIVATION
from arena.store import SCHEMA_VERSION, Store, Tournament

DATA = Path(__file__).with_name("data")
EVERY_VERSION = (1, 2, 3, 4, 5)


def write_older(path: Path, version: int) -> Path:
    """Write the file of a record that an older Salvo wrote."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript((DATA / f"version_{version}.sql").read_text(encoding="utf-8"))
    return path


@pytest.fixture(params=EVERY_VERSION)
def older(path: Path, request: pytest.FixtureRequest) -> Path:
    """Return the file of a record of each older version."""
    return write_older(path, request.param)


@pytest.fixture
def oldest(path: Path) -> Path:
    """Return the file of a record of the first version."""
    return write_older(path, 1)


def test_there_is_a_record_of_every_older_version() -> None:
    assert tuple(range(1, SCHEMA_VERSION)) == EVERY_VERSION


@pytest.mark.parametrize("create", [False, True], ids=["read", "written to"])
def test_older_record_is_read(older: Path, *, create: bool) -> None:
    with Store(older, create=create) as store:
        tournament = store.tournament("cup")
        games = list(store.games("cup"))
        results = list(store.results("cup"))
        written = store.stderr("cup")
    assert tournament.seed == "20091"
    assert len(games) == len(results) == 8
    assert {game.fixture.attempt for game in games} == {0}
    assert {game.stderr for game in games} == {""}
    assert written == {}


@pytest.mark.parametrize(
    ("version", "derivation"), [(1, 1), *((later, DERIVATION) for later in EVERY_VERSION[1:])]
)
def test_older_record_says_how_its_seeds_were_derived(
    path: Path, version: int, derivation: int
) -> None:
    with Store(write_older(path, version), create=False) as store:
        assert store.tournament("cup").derivation == derivation


@pytest.mark.parametrize("create", [False, True], ids=["read", "written to"])
@pytest.mark.parametrize("version", EVERY_VERSION[:4])
def test_older_record_goes_on_in_blocks_of_ten_pairs(
    path: Path, version: int, *, create: bool
) -> None:
    with Store(write_older(path, version), create=create) as store:
        cup = store.tournament("cup")
        assert cup.block_pairs == 10
        assert store.resumed(replace(cup, block_pairs=25)) == cup


@pytest.mark.parametrize("create", [False, True], ids=["read", "written to"])
@pytest.mark.parametrize(
    ("kind", "common"),
    [*((kind, True) for kind in ("tournament", "solo", "swiss", "adaptive")), ("league", False)],
)
@pytest.mark.parametrize("version", EVERY_VERSION[:4])
def test_older_record_goes_on_with_the_layouts_that_it_had(
    path: Path, version: int, kind: str, *, common: bool, create: bool
) -> None:
    older = write_older(path, version)
    with closing(sqlite3.connect(older)) as db, db:
        db.execute("UPDATE tournaments SET kind = ?", (kind,))
    with Store(older, create=create) as store:
        assert store.tournament("cup").common_layouts is common


def test_reading_an_older_record_leaves_it_as_it_is(older: Path) -> None:
    before = older.read_bytes()
    with Store(older, create=False) as store:
        store.tournament("cup")
    assert older.read_bytes() == before


def test_tournament_with_other_seeds_is_not_extended(oldest: Path) -> None:
    with Store(oldest, create=True) as store:
        cup = store.tournament("cup")
        now = Tournament(
            name=cup.name,
            kind=cup.kind,
            rules=cup.rules,
            seed=cup.seed,
            settings=cup.settings,
            entrants=cup.entrants,
        )
        for write in (store.enter, store.extend):
            with pytest.raises(RecordError, match=r"by an older Salvo .* not extended; .* --t"):
                write(now)


def test_new_tournament_goes_into_an_older_record(
    older: Path,
    make_tournament: Callable[..., Tournament],
    make_blocks: Callable[..., list[BlockRecord]],
) -> None:
    bowl = make_tournament(name="bowl", seed=str(2**127))
    with Store(older, create=True) as store:
        store.enter(bowl)
        for block in make_blocks(bowl, games=4):
            store.add(bowl, block)
    with Store(older, create=False) as store:
        assert store.tournament("bowl") == bowl
        assert len(list(store.games("bowl"))) == 4
        assert len(list(store.games("cup"))) == 8
    with closing(sqlite3.connect(older)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
