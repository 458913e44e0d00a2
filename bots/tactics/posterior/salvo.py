"""Chooses the best set of cells for a salvo, before any of its results is reported."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from arena import Bot
from bots.tactics.posterior.belief import Belief, highest
from bots.tactics.posterior.board_placements import Bools, Counts, Indices
from bots.tactics.posterior.explanations import ImpossibleEvidenceError

LAYOUTS = 2_000  # how many layouts are drawn for a salvo

HIT_BITS_ALONE = 0.5
HIT_BITS = 6.0
"""How many bits of information an expected hit is worth.

In a solo game only the last ship counts, and information finds it soonest; in a game for two, every
ship that is sunk early takes a shot from the opponent.
"""

MAX_PATTERNS = 2**8  # answers distinguished: the information of the first eight shots counts
SWEEPS = 2  # how many rounds of exchanging single cells there are at most
SMALL = 1 << 14  # numbers below it are listed in a table, many times faster than sorting


def best_salvo(bot: Bot, belief: Belief, count: int, hit_bits: float = HIT_BITS) -> list[int]:
    """Return the best set of ``count`` cells for a bot; see ``best_set``."""
    worth = HIT_BITS_ALONE if bot.solo else hit_bits
    return _over_layouts(bot, belief, count, partial(best_set, hit_bits=worth))


def likely_salvo(bot: Bot, belief: Belief, count: int) -> list[int]:
    """Return ``count`` cells for a bot, each the likeliest if those before it missed."""
    return _over_layouts(bot, belief, count, likely_set)


def _over_layouts(
    bot: Bot,
    belief: Belief,
    count: int,
    choose: Callable[[Bools, Sequence[int], int], list[int]],
) -> list[int]:
    try:
        layouts = belief.posterior().draw(LAYOUTS, belief.random)
    except ImpossibleEvidenceError:
        return highest(belief.density(), bot.untried, count, bot.random)
    return choose(layouts, bot.untried, count)


def likely_set(layouts: Bools, untried: Sequence[int], count: int) -> list[int]:
    """Return ``count`` cells, each the likeliest if those before it missed."""
    cells = np.array(untried)
    covered = layouts[:, cells].astype(np.float32)
    prior = covered.mean(axis=0)
    missed = np.ones(len(covered), np.float32)
    chosen: list[int] = []
    for _ in range(count):
        # Where every layout was hit already, no cell is worth anything: take the likeliest.
        worth = missed @ covered + 1e-6 * prior
        worth[chosen] = -1
        chosen.append(int(worth.argmax()))
        missed *= 1 - covered[:, chosen[-1]]
    return [int(cells[index]) for index in chosen]


def best_counted_set(
    layouts: Bools, untried: Sequence[int], count: int, hit_bits: float
) -> list[int]:
    """Return the best ``count`` cells where only the number of hits is reported.

    As ``best_set``, with the entropy of the number of hits.
    """
    return _search(layouts, untried, count, _bits_counted, hit_bits)


def best_set(layouts: Bools, untried: Sequence[int], count: int, hit_bits: float) -> list[int]:
    """Return ``count`` cells whose answer says most about the layout and hits most.

    The worth of a set is the entropy of the pattern of its hits, in bits, plus ``hit_bits`` for
    each expected hit, both over layouts drawn from the posterior, (layouts, cells). The search adds
    the best cell again and again, and then exchanges single cells for better ones.
    """
    return _search(layouts, untried, count, _bits, hit_bits)


def _search(
    layouts: Bools,
    untried: Sequence[int],
    count: int,
    bits_of: Callable[[Counts, Sequence[int]], Counts],
    hit_bits: float,
) -> list[int]:
    cells = np.array(untried)
    covered = layouts[:, cells].astype(np.float32)
    hits_most = hit_bits * covered.mean(axis=0)

    def worth_beside(chosen: Sequence[int]) -> Counts:
        worth: Counts = bits_of(covered, chosen) + hits_most
        worth[list(chosen)] = -np.inf
        return worth

    chosen: list[int] = []
    for _ in range(count):
        chosen.append(int(worth_beside(chosen).argmax()))
    for _ in range(SWEEPS):
        before = list(chosen)
        for place in range(count):
            worth = worth_beside(chosen[:place] + chosen[place + 1 :])
            best = int(worth.argmax())
            if worth[best] > worth[chosen[place]] + 1e-6:
                chosen[place] = best
        if chosen == before:
            break
    return [int(cells[index]) for index in chosen]


def _bits(covered: Counts, chosen: Sequence[int]) -> Counts:
    """Return the entropy that each cell adds to that of those chosen, up to a common constant."""
    pattern = np.zeros(len(covered), np.intp)
    for index in chosen:
        if 2 * pattern.max(initial=0) + 2 > MAX_PATTERNS:
            break
        pattern = 2 * pattern + (covered[:, index] > 0)
    seen, number = distinct(pattern)
    alike = np.zeros((len(seen), len(covered)), np.float32)
    alike[number, np.arange(len(covered))] = 1
    hits = alike @ covered
    misses = alike.sum(axis=1)[:, None] - hits
    bits = -(_log_weighted(hits) + _log_weighted(misses)).sum(axis=0) / len(covered)
    return np.asarray(bits, np.float32)


def _bits_counted(covered: Counts, chosen: Sequence[int]) -> Counts:
    number = covered[:, list(chosen)].sum(axis=1).astype(np.intp)
    alike = np.zeros((len(chosen) + 1, len(covered)), np.float32)
    alike[number, np.arange(len(covered))] = 1
    hits = alike @ covered
    after = np.zeros((len(chosen) + 2, covered.shape[1]), np.float32)
    after[:-1] += alike.sum(axis=1)[:, None] - hits
    after[1:] += hits
    return np.asarray(-_log_weighted(after).sum(axis=0) / len(covered), np.float32)


def _log_weighted(counts: Counts) -> Counts:
    return counts * np.log2(np.maximum(counts, 1))


def distinct(numbers: Indices) -> tuple[Indices, Indices]:
    """Return the different ones of some numbers from 0, in order, and which of them each is."""
    if numbers.max(initial=0) >= SMALL:
        return np.unique(numbers, return_inverse=True)
    there = np.bincount(numbers) > 0
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]
