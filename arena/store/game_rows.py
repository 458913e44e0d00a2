"""Converts games to rows of the tables, and back.

Layouts and steps are JSON, deflated to a third. Deflate finds repetitions within one text; what
most transcripts have in common it is given beforehand. That text is part of the format: it must
never change, since what was written with it cannot be read without it.
"""

import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from arena.checksums import facts, moves_checksum
from arena.records import Fixture, Game, Step, Tally, Termination
from arena.rules import Result, Seat
from arena.store.schema import FACTS

_COMMON = (
    b'{"first":{"Patrol boat":[0,10],"Destroyer":[20,21,22],"Cruiser":[30,40,50],"Battleship A":['
    b'"Ship of 2":[0,1],"Submarine":[34,44,54],"Battleship":[5,15,25,35],"Carrier":[60,61,62,63,64]'
    b'},"second":{"Carrier":[["answer","first",[["move","first",null,[],0.0],["place","first",0.00'
    b'],["place","second",0.0001],["shoot","first",[11,22,33,44,55],0.0002],["shoot","second",['
    b"66,77,88,99],0.0001"
)
_LEVEL = 9

_to_layouts = msgspec.json.Decoder(dict[Seat, dict[str, list[int]]]).decode
_to_steps = msgspec.json.Decoder(tuple[Step, ...]).decode

Row = Sequence[Any]
"""A row of SQLite has no type."""


def to_json(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


def to_row(game: Game) -> tuple[object, ...]:
    """Return the ``GAME_COLUMNS`` of a game."""
    return (
        *facts(game),
        moves_checksum(game.fixture.id, game.layouts, game.steps),
        _packed(game.layouts),
        _packed(game.steps),
    )


def to_game(row: Row, layouts: str | bytes, steps: str | bytes) -> Game:
    """Return the game in a row that begins with ``FACTS``, given its layouts and steps as JSON.

    Raises:
        ValueError: If it is not a valid game.
    """
    identifier, first, second, pair, one, other, attempt, result, termination, reason = row[:10]
    forfeit, *tallies, stderr = row[10 : len(FACTS)]
    return Game(
        fixture=Fixture(identifier, first, second, pair, (one, other), attempt),
        result=msgspec.convert(result, Result),
        termination=Termination(termination),
        reason=reason,
        forfeit=forfeit,
        layouts=_to_layouts(layouts),
        steps=_to_steps(steps),
        tallies=msgspec.convert((tallies[:3], tallies[3:]), tuple[Tally, Tally]),
        stderr=stderr,
    )


def _packed(value: object) -> bytes:
    deflate = zlib.compressobj(_LEVEL, zdict=_COMMON)
    return deflate.compress(msgspec.json.encode(value)) + deflate.flush()


def inflated(stored: bytes) -> bytes:
    """Return the JSON of layouts or steps.

    Raises:
        zlib.error: If it cannot be inflated.
    """
    inflate = zlib.decompressobj(zdict=_COMMON)
    return inflate.decompress(stored) + inflate.flush()
