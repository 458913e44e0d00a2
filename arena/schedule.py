"""Who plays whom, in which blocks, with which seeds, given what has been played. Pure."""

import functools
import hashlib
import itertools
from collections.abc import Iterable, Iterator, Mapping

import msgspec
import numpy as np
from msgspec import Struct

from arena.records import Block, Fixture
from arena.rules import Rules

__all__ = [
    "DEFAULT_SEED",
    "LAYOUTS_PER_BLOCK",
    "PAIRS_PER_BLOCK",
    "Plan",
    "all_blocks",
    "gauntlet",
    "missing_blocks",
    "round_robin",
    "seat_seeds",
]

DEFAULT_SEED = 20091
PAIRS_PER_BLOCK = 10
LAYOUTS_PER_BLOCK = 50


class Plan(Struct, frozen=True, kw_only=True):
    """What is to be played.

    Attributes:
        tournament: Its name, which the ids of its games depend on.
        rules: The rules of every game.
        seed: What all randomness derives from.
        pairings: Who meets whom, each pairing in the order of the names.
        soloists: Who shoots alone at layouts of the arena.
        pairs: Pairs of games a pairing.
        layouts: Layouts a soloist.
    """

    tournament: str
    rules: Rules
    seed: int
    pairings: tuple[tuple[str, str], ...]
    soloists: tuple[str, ...]
    pairs: int
    layouts: int


def round_robin(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return every pairing of some names."""
    return tuple(itertools.combinations(sorted(names), 2))


def gauntlet(challenger: str, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairings of one name with each of the others."""
    return tuple(
        (min(challenger, name), max(challenger, name))
        for name in sorted(names)
        if name != challenger
    )


def seat_seeds(seed: int, rules: Rules, who: tuple[str, ...], index: int) -> tuple[int, int]:
    """Return the seeds of the two seats in both games of a pair.

    They depend on the seat and not on the bot, so that in its second game a bot gets the seed
    that its opponent had in the first: each meets what the other met, luck cancels, and the
    pair's score varies less. Integers below 2**53, which every language reads exactly.

    Args:
        seed: The tournament's seed.
        rules: The rules; their name does not count.
        who: The pairing, in either order; empty for solo games, which are the same for all.
        index: Which pair of the pairing, or which layout.
    """
    words = _words(rules, tuple(sorted(who)))
    first, second = (
        int(np.random.SeedSequence([seed, *words, index, seat]).generate_state(1, np.uint64)[0])
        >> 11
        for seat in (0, 1)
    )
    return first, second


@functools.lru_cache(maxsize=4096)
def _words(rules: Rules, who: tuple[str, ...]) -> tuple[int, ...]:
    """Return the hash of the rules and a pairing, as words for a seed sequence."""
    game = _told(msgspec.structs.replace(rules, name=""))
    text = msgspec.json.encode([game, who], order="sorted")
    return tuple(np.frombuffer(hashlib.sha256(text).digest(), dtype="<u4").tolist())


def _told(value: object) -> object:
    """Return a value without the fields that are as they are by default.

    Seeds so stay what they are when the family of games grows by another field.
    """
    match value:
        case Struct():
            return {
                field.name: _told(getattr(value, field.name))
                for field in msgspec.structs.fields(value)
                if getattr(value, field.name) != field.default
            }
        case tuple():
            return [_told(part) for part in value]
        case _:
            return value


def all_blocks(plan: Plan) -> Iterator[Block]:
    """Yield the blocks of a plan: solo first, then the pairings side by side.

    Which games a block holds does not depend on how many are asked for, except that the last
    block of a pairing may be cut short.
    """
    return (_block(plan, entrants, piece) for entrants, piece in _pieces(plan))


def missing_blocks(plan: Plan, played: Mapping[tuple[tuple[str, ...], int], int]) -> list[Block]:
    """Return the blocks still to be played, in the order of ``all_blocks``.

    Args:
        plan: What is wanted.
        played: The number of games in each block of the record, by its entrants and its number.
            A block that is shorter than wanted is played again whole: its processes must have
            met all of its games in order.
    """
    return [
        _block(plan, entrants, piece)
        for entrants, piece in _pieces(plan)
        if played.get((entrants, piece.number), 0) < len(piece.indices) * len(entrants)
    ]


class _Piece(Struct, frozen=True):
    """Which layouts or pairs make up a block."""

    number: int
    indices: range


def _pieces(plan: Plan) -> Iterator[tuple[tuple[str, ...], _Piece]]:
    for piece in _cut(plan.layouts, LAYOUTS_PER_BLOCK):
        for name in plan.soloists:
            yield (name,), piece
    for piece in _cut(plan.pairs, PAIRS_PER_BLOCK):
        for pairing in plan.pairings:
            yield pairing, piece


def _cut(whole: int, size: int) -> Iterator[_Piece]:
    for number, start in enumerate(range(0, whole, size)):
        yield _Piece(number, range(start, min(start + size, whole)))


def _block(plan: Plan, entrants: tuple[str, ...], piece: _Piece) -> Block:
    alone = len(entrants) == 1
    who = () if alone else entrants
    seeds = {index: seat_seeds(plan.seed, plan.rules, who, index) for index in piece.indices}
    # The first games of all pairs, then the second: between them the processes are begun anew.
    fixtures = [
        Fixture(
            _game_id(plan.tournament, *seats, str(index)),
            seats[0],
            None if alone else seats[1],
            index,
            seeds[index],
        )
        for seats in ([entrants] if alone else [entrants, entrants[::-1]])
        for index in piece.indices
    ]
    return Block(entrants, piece.number, tuple(fixtures))


def _game_id(*parts: str) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:16]
