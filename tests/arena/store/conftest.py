"""Tournaments and records of blocks that were never played, for a store to keep."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.entrants import Entrant
from arena.isolation import Program
from arena.records import (
    Block,
    BlockRecord,
    Fixture,
    Game,
    PlaceStep,
    Settings,
    ShootStep,
    Tally,
    Termination,
)
from arena.rules import preset
from arena.store import Store, Tournament
from arena.tournament import make_plan

NOBODY = 65534


def _play(fixture: Fixture, reason: str, charge_s: float) -> Game:
    return Game(
        fixture=fixture,
        result="first",
        termination=Termination.SUNK,
        reason=reason,
        forfeit=None,
        layouts={"first": {"Carrier": [0, 1, 2, 3, 4]}},
        steps=(PlaceStep("first", charge_s), ShootStep("second", (7, 9), charge_s)),
        tallies=(Tally(1, 2, 1), Tally(1, 2, 0)),
    )


@pytest.fixture
def make_tournament() -> Callable[..., Tournament]:
    """Return a function that makes a tournament; what is not given is as in any other."""

    def make(bots: str = "ab", **given: object) -> Tournament:
        entrants = tuple(Entrant(bot, Program((bot,), "/", ()), bot * 64) for bot in bots)
        usual = {
            "name": "cup",
            "kind": "tournament",
            "rules": preset("salvo"),
            "seed": "1",
            "settings": Settings(),
            "entrants": entrants,
        }
        return Tournament(**{**usual, **given})  # type: ignore[arg-type]

    return make


@pytest.fixture
def make_blocks() -> Callable[..., list[BlockRecord]]:
    """Return a function that makes up the records of a tournament's blocks."""

    def make(
        tournament: Tournament, games: int, layouts: int = 0, *, reason: str = "", took_s: float = 0
    ) -> list[BlockRecord]:
        def record(block: Block) -> BlockRecord:
            played = tuple(_play(fixture, reason, took_s) for fixture in block.fixtures)
            return BlockRecord(block, played, "none")

        return list(map(record, make_plan(tournament, games=games, layouts=layouts).blocks()))

    return make


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a record may be made."""
    return tmp_path / "record.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """Return a store that is empty."""
    with Store(path, create=True) as store:
        yield store


@pytest.fixture
def as_nobody(tmp_path: Path) -> Iterator[None]:
    """Let file permissions hold in this test, which they do not for root."""
    if os.geteuid() != 0:
        yield
        return
    for folder in [tmp_path, *tmp_path.parents][:-2]:
        folder.chmod(0o755)
    os.chown(tmp_path, NOBODY, NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
