"""Computes checksums of blocks of games, which show whether a record of them was damaged.

A block's checksum is made where it was played, stored with it, and compared by whatever reads it.
It consists of others, so that a reader need not read more than it shows: the block's covers that of
its games, and theirs those of their moves.

All are of values, not of the bytes that a file holds: these may depend on versions of libraries.
Checksums find accidents. They are no protection against forgery, since anybody can compute them.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from arena.records import BlockRecord, Game

_BYTES = 8


def checksum(*values: object) -> bytes:
    """Return the checksum of some values, those of JSON and records among them."""
    return hashlib.blake2b(msgspec.msgpack.encode(values), digest_size=_BYTES).digest()


def facts(game: Game) -> tuple[Any, ...]:
    """Return all of a game but its layouts and moves, as the record has it in columns."""
    fixture = game.fixture
    first, second = game.tallies
    return (
        fixture.id,
        fixture.first,
        fixture.second,
        fixture.pair,
        *fixture.seeds,
        fixture.attempt,
        game.result,
        game.termination,
        game.reason,
        game.forfeit,
        *(first.turns, first.shots, first.hits),
        *(second.turns, second.shots, second.hits),
        game.stderr,
    )


def moves_checksum(game: str, layouts: object, steps: object) -> bytes:
    """Return the checksum of the layouts and moves of the game of an id."""
    return checksum(game, layouts, steps)


def games_checksum(games: Sequence[Sequence[Any]]) -> bytes:
    """Return the checksum of a block's games: of each its facts and the checksum of its moves."""
    return checksum(games)


def with_checksum(record: BlockRecord) -> BlockRecord:
    """Return a block that was played here with its checksum."""
    return replace(record, checksum=block_checksum(record))


def block_checksum(record: BlockRecord) -> bytes:
    """Return the checksum of a block that was played."""
    games = [
        (*facts(game), moves_checksum(game.fixture.id, game.layouts, game.steps))
        for game in record.games
    ]
    return head_checksum(
        record.block.entrants,
        record.block.number,
        len(games),
        record.isolation,
        record.voids,
        record.origin,
        games_checksum(games),
    )


def head_checksum(  # noqa: PLR0913, PLR0917 - one parameter a column
    entrants: Sequence[str],
    number: int,
    games: int,
    isolation: str,
    voids: object,
    origin: object,
    of_games: bytes,
) -> bytes:
    """Return the checksum of a block, given that of its games."""
    return checksum(entrants, number, games, isolation, voids, origin, of_games)
