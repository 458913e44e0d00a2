"""Layouts and steps are kept small, and those of older records are read as they are."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records import Block, BlockRecord, Fixture, Game, ShootStep, Tally, Termination
from arena.store import Store, Tournament

LENGTHS = {"Carrier": 5, "Battleship": 4, "Destroyer": 3, "Submarine": 3, "Patrol boat": 2}


def long_game(number: int) -> Game:
    """Return a game of Salvo of 34 turns, twice as many as usual between good bots."""
    chance = random.Random(number)
    steps = tuple(
        ShootStep(
            ("first", "second")[turn % 2],
            tuple(chance.sample(range(100), 5)),
            round(chance.random() / 500, 6),
        )
        for turn in range(34)
    )
    layout = {name: chance.sample(range(100), length) for name, length in LENGTHS.items()}
    return Game(
        fixture=Fixture(f"{chance.getrandbits(64):016x}", "a", "b", number, (1 << 52, 1 << 51)),
        result="first",
        termination=Termination.SUNK,
        reason="every ship of the other side is sunk",
        forfeit=None,
        layouts={"first": layout, "second": layout},
        steps=steps,
        tallies=(Tally(17, 85, 17), Tally(17, 85, 12)),
    )


def test_game_with_its_transcript_takes_a_kilobyte_at_the_most(
    path: Path, make_tournament: Callable[..., Tournament]
) -> None:
    cup = make_tournament()
    games = tuple(map(long_game, range(400)))
    block = Block(("a", "b"), 0, tuple(game.fixture for game in games))
    with Store(path, create=True) as store:
        store.enter(cup)
        before = sum(file.stat().st_size for file in path.parent.iterdir())
        store.add(cup, BlockRecord(block, games, "none"))
        assert list(store.games("cup")) == list(games)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [[pages, size]] = db.execute(
            "SELECT page_count, page_size FROM pragma_page_count, pragma_page_size"
        )
    assert (pages * size - before) / len(games) < 1024


def test_transcript_that_was_damaged_is_named_as_such(
    path: Path,
    make_tournament: Callable[..., Tournament],
    make_blocks: Callable[..., list[BlockRecord]],
) -> None:
    cup = make_tournament()
    with Store(path, create=True) as store:
        store.enter(cup)
        for record in make_blocks(cup, games=2):
            store.add(cup, record)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE games SET steps = x'00ff00ff'")
        db.commit()
    with (
        Store(path, create=False) as store,
        pytest.raises(RecordError, match=r"game \w+ of a and b is damaged"),
    ):
        list(store.games("cup"))
