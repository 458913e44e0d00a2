"""Derives the seeds of a tournament's games, none of which says anything about another.

A seed is a keyed BLAKE2b hash of what it is for: the purpose, the rules, who plays, which pair,
which seat and which attempt, each with its length before it. The key is derived from the
tournament's own seed. Whoever sees any number of seeds can compute no other from them; whoever
knows the tournament's seed can compute all, so that of a contest is kept secret until the end.
"""

import functools
import hashlib
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from arena.rules import Rules

DEFAULT_SEED = 20091

DERIVATION = 2
"""The version of what this module computes, which is part of a tournament's identity.

Version 1 drew from numpy's ``SeedSequence``, which can be inverted.
"""

SAFE_SEED_BITS = 64
"""A tournament's seed below two to the power of this can be found by trying."""

LEAGUE_SEED_BITS = 128
"""The size of a seed that is drawn to stay secret."""

_SEED_BYTES = 8
_SPARE_BITS = 11
"""64 bits less these are 53, which every language reads exactly."""


class Seeds(Struct, frozen=True):
    """The seeds of all games of a tournament.

    Attributes:
        rules: The rules; their name does not count, nor do fields that have their defaults, so
            that a rule that is added later changes no seed.
        common_layouts: Whether all bots search the same layouts alone. Otherwise each searches
            layouts of its own, so that no bot can tell another anything about them.
    """

    seed: int
    rules: Rules
    common_layouts: bool = False

    def of_game(
        self, first: str, second: str | None, pair: int, attempt: int = 0
    ) -> tuple[int, int]:
        """Return the seeds of the two seats of a game, integers below 2**53.

        Where the first plays alone, the second seed is that of the arena's layout, of a purpose
        that no bot is ever given a seed of. ``attempt`` says how often the game was begun before
        and came to no result.
        """
        if second is None:
            owner = () if self.common_layouts else (first,)
            return (
                self._derive("solo", (first,), pair, 0, attempt),
                self._derive("layout", owner, pair, 1, attempt),
            )
        one, two = (self._derive("game", (first, second), pair, seat, attempt) for seat in (0, 1))
        return one, two

    def _derive(self, purpose: str, who: tuple[str, ...], *numbers: int) -> int:
        message = _joined(
            [
                purpose.encode(),
                _rules_text(self.rules),
                _joined(name.encode("utf-8", "surrogateescape") for name in who),
                *(str(number).encode() for number in numbers),
            ]
        )
        digest = hashlib.blake2b(message, key=_key(self.seed), digest_size=_SEED_BYTES).digest()
        return int.from_bytes(digest, "big") >> _SPARE_BITS


def fingerprint(seed: str) -> str:
    """Return what identifies a secret seed without giving it away."""
    return hashlib.blake2b(seed.encode(), person=b"salvo secret", digest_size=16).hexdigest()


@functools.lru_cache(maxsize=64)
def _key(seed: int) -> bytes:
    return hashlib.blake2b(str(seed).encode(), person=b"salvo seeds").digest()


def _joined(parts: Iterable[bytes]) -> bytes:
    """Return some parts as one message that no other parts can give."""
    return b"".join(len(part).to_bytes(8, "big") + part for part in parts)


@functools.lru_cache(maxsize=64)
def _rules_text(rules: Rules) -> bytes:
    unnamed = msgspec.structs.replace(rules, name="")
    return msgspec.json.encode(_without_defaults(unnamed), order="sorted")


def _without_defaults(value: object) -> object:
    match value:
        case Struct():
            return {
                field.name: _without_defaults(getattr(value, field.name))
                for field in msgspec.structs.fields(value)
                if getattr(value, field.name) != field.default
            }
        case tuple():
            return [_without_defaults(part) for part in value]
        case _:
            return value
