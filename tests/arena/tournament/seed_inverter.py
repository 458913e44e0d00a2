"""A bot that tries to compute its opponent's seed, and so its layout, from its own.

It is what a clever student writes who knows that seeds once came from numpy's ``SeedSequence`` over
(tournament's seed, eight words of a hash, index, seat): that mixing can be run backwards. Of the 64
bits of a state a bot sees 53, so there are 2,048 candidates for the last step, and each gives a
seed for the other seat.
"""

import random
from collections import Counter
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

import arena.bot as kit
from arena import Bot, run
from arena.rules import draw

Words = NDArray[np.uint32]
U32 = np.uint32
INIT_A, MULT_A = 0x43B0D7E5, 0x931E8875
INIT_B, MULT_B = 0x8B51F9DD, 0x58F38DED
MIX_L, MIX_R = 0xCA01F9DD, 0x4973F715
WORD = 2**32
POOL = 4
SPARE_BITS = 11
WORDS = 11
"""One of the tournament's seed, eight of the hash, one of the index, one of the seat."""


def inverse(number: int) -> int:
    return pow(number, -1, WORD)


def unshift(value: Words) -> Words:
    """Undo ``value ^= value >> 16``."""
    return value ^ (value >> U32(16))


def constant(start: int, factor: int, calls: int) -> int:
    return start * pow(factor, calls, WORD) % WORD


def hashed(word: int, calls: int) -> int:
    """Return what ``SeedSequence`` mixes in for an entropy word at its ``calls``-th hash."""
    value = (word ^ constant(INIT_A, MULT_A, calls)) % WORD
    value = value * constant(INIT_A, MULT_A, calls + 1) % WORD
    return value ^ (value >> 16)


def mix(pool: Words, word: int) -> Words:
    value = U32(MIX_L) * pool - U32(MIX_R * word % WORD)
    return value ^ (value >> U32(16))


def unmix(pool: Words, word: int) -> Words:
    return (unshift(pool) + U32(MIX_R * word % WORD)) * U32(inverse(MIX_L))


def output(pool: Words, place: int) -> Words:
    """Return the word of the state that a word of the pool gives."""
    value = pool ^ U32(constant(INIT_B, MULT_B, place))
    value = value * U32(constant(INIT_B, MULT_B, place + 1))
    return value ^ (value >> U32(16))


def unoutput(state: Words, place: int) -> Words:
    value = unshift(state) * U32(inverse(constant(INIT_B, MULT_B, place + 1)))
    return value ^ U32(constant(INIT_B, MULT_B, place))


def seeds_of_other_seat(seed: int, seat: int, words: int) -> list[int]:
    """Return the candidates for the seed of the other seat, given one's own.

    ``words`` is how many words of entropy there were, the seat the last of them.
    """
    calls = POOL * POOL + POOL * (words - 1 - POOL)
    states = np.arange(2**SPARE_BITS, dtype=np.uint64) | np.uint64(seed << SPARE_BITS)
    found = []
    for place, halves in enumerate((states & np.uint64(WORD - 1), states >> np.uint64(32))):
        after = unoutput(halves.astype(U32), place)
        before = unmix(after, hashed(seat, calls + place))
        found.append(output(mix(before, hashed(1 - seat, calls + place)), place).astype(np.uint64))
    return ((found[0] | found[1] << np.uint64(32)) >> np.uint64(SPARE_BITS)).tolist()


class Noted(random.Random):
    """The kit's generator, whose seed is kept."""

    game_seed = 0

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        Noted.game_seed = seed


class SeedInverter(Bot):
    def game_begins(self) -> None:
        own = 0 if self.seat == "first" else 1
        seeds = seeds_of_other_seat(Noted.game_seed, own, WORDS)
        self.layouts = [sum(draw(self.rules, random.Random(seed))) for seed in seeds]

    def choose_shots(self, count: int) -> list[int]:
        hits = sum(1 << cell for cell in self.hits)
        misses = sum(1 << cell for cell in self.shot if cell not in self.hits)
        self.layouts = [
            ships for ships in self.layouts if ships & hits == hits and not ships & misses
        ]
        votes = Counter(dict.fromkeys(self.untried, 0))
        for ships in self.layouts:
            votes.update(cell for cell in self.untried if ships >> cell & 1)
        return [cell for cell, _ in votes.most_common(count)]


if __name__ == "__main__":
    kit.random = SimpleNamespace(Random=Noted)
    run(SeedInverter)
