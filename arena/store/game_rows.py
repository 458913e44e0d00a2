"""Converts games to rows of the tables, and back.

Layouts and steps are JSON, deflated to a third. Deflate finds repetitions within one text; what
most transcripts have in common it is given beforehand. That text is part of the format: it must
never change, since what was written with it cannot be read without it. Records of older versions
hold JSON as it is.
"""

import zlib
from typing import Any, TypeVar

import msgspec

from arena.errors import RecordError
from arena.records import Fixture, Game, Step, Tally, Termination
from arena.rules import Result, Seat

T = TypeVar("T")

_COMMON = (
    b'{"first":{"Patrol boat":[0,10],"Destroyer":[20,21,22],"Cruiser":[30,40,50],"Battleship A":['
    b'"Ship of 2":[0,1],"Submarine":[34,44,54],"Battleship":[5,15,25,35],"Carrier":[60,61,62,63,64]'
    b'},"second":{"Carrier":[["answer","first",[["move","first",null,[],0.0],["place","first",0.00'
    b'],["place","second",0.0001],["shoot","first",[11,22,33,44,55],0.0002],["shoot","second",['
    b"66,77,88,99],0.0001"
)
_LEVEL = 9


def to_json(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()


def from_json(text: str | bytes, kind: type[T]) -> T:
    """Return the value of a column that holds JSON.

    Raises:
        RecordError: If it does not hold a value of that kind.
    """
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise unreadable(error) from error


def unreadable(error: Exception) -> RecordError:
    """Return the error that a record holds what this Salvo does not understand."""
    return RecordError(
        f"the record contains something this Salvo cannot read ({error}); use the Salvo that wrote "
        "it, or start a new record with --db"
    )


def to_row(game: Game) -> tuple[object, ...]:
    """Return the ``GAME_COLUMNS`` of a game."""
    fixture = game.fixture
    first, second = game.tallies
    return (
        fixture.id,
        fixture.first,
        fixture.second,
        fixture.pair,
        *fixture.seeds,
        game.result,
        game.termination,
        game.reason,
        game.forfeit,
        *msgspec.to_builtins(first),
        *msgspec.to_builtins(second),
        _packed(game.layouts),
        _packed(game.steps),
        fixture.attempt,
        game.stderr,
    )


def to_game(row: Any) -> Game:  # noqa: ANN401 - a row of SQLite has no type
    """Return the game in a row of ``GAME_COLUMNS``.

    Raises:
        RecordError: If the row is not a valid game.
    """
    try:
        termination = Termination(row[7])
        result = msgspec.convert(row[6], Result)
        tallies = msgspec.convert((row[10:13], row[13:16]), tuple[Tally, Tally])
        layouts, steps = map(_inflated, row[16:18])
    except (ValueError, zlib.error) as error:
        raise unreadable(error) from error
    return Game(
        fixture=Fixture(row[0], row[1], row[2], row[3], (row[4], row[5]), row[18]),
        result=result,
        termination=termination,
        reason=row[8],
        forfeit=row[9],
        layouts=from_json(layouts, dict[Seat, dict[str, list[int]]]),
        steps=from_json(steps, tuple[Step, ...]),
        tallies=tallies,
        stderr=row[19],
    )


def _packed(value: object) -> bytes:
    deflate = zlib.compressobj(_LEVEL, zdict=_COMMON)
    return deflate.compress(msgspec.json.encode(value)) + deflate.flush()


def _inflated(stored: str | bytes) -> str | bytes:
    if isinstance(stored, str):
        return stored
    inflate = zlib.decompressobj(zdict=_COMMON)
    return inflate.decompress(stored) + inflate.flush()
