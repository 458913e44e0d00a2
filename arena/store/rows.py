"""Converts games and tournaments to rows of the tables, and back."""

import zlib
from typing import Any, TypeVar

import msgspec

from arena.entrants import Entrant
from arena.errors import RecordError
from arena.records import Fixture, Game, Settings, Step, Tally, Termination
from arena.rules import Result, Rules, Seat
from arena.store.identity import Tournament
from arena.store.transcripts import inflated, packed

T = TypeVar("T")


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
        raise _unreadable(error) from error


def _unreadable(error: Exception) -> RecordError:
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
        packed(game.layouts),
        packed(game.steps),
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
        layouts, steps = map(inflated, row[16:18])
    except (ValueError, zlib.error) as error:
        raise _unreadable(error) from error
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


def to_tournament(row: Any, entrants: list[Any]) -> Tournament:  # noqa: ANN401 - the same
    """Return the tournament in a row, without the id, and the rows of its entrants.

    Raises:
        RecordError: If the rows are not a valid tournament.
    """
    name, kind, rules, seed, settings, gauntlet, derivation, block_pairs, common = row
    try:
        return Tournament(
            name=name,
            kind=kind,
            rules=from_json(rules, Rules),
            seed=seed,
            settings=from_json(settings, Settings),
            gauntlet=gauntlet,
            derivation=derivation,
            block_pairs=block_pairs,
            common_layouts=bool(common),
            entrants=tuple(
                msgspec.convert(
                    {"name": name, "program": msgspec.json.decode(program), "digest": digest},
                    Entrant,
                )
                for name, program, digest in entrants
            ),
        )
    except msgspec.DecodeError as error:
        raise _unreadable(error) from error
